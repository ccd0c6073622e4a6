"""Reads an XML document piece by piece, and holds only the values that are wanted."""

import re
from collections.abc import Iterator
from typing import BinaryIO
from xml.etree.ElementTree import ParseError
from xml.parsers import expat

import defusedxml.ElementTree
from defusedxml.common import DefusedXmlException
from django.utils.translation import gettext as _

from payments.reconciliation.formats.camt053_paths import (
    DOCUMENT,
    LEAVES,
    REPEATED,
    SCOPES,
    Places,
    places,
)
from payments.reconciliation.formats.values import FileRefused

# Texts of a scope by their places; of `place@Ccy` the currency of an amount.
Values = dict[str, str]

_NAMESPACE = re.compile(r"(urn:iso:std:iso:20022:tech:xsd:(camt\.05[0-9])\.001\.[0-9]{2}) (\w+)")
_CHUNK = 1 << 16
_MOST_DEPTH = 50
# Different names. The schema has about 300.
_MOST_NAMES = 5000
_LONGEST_TEXT = 2000


def scopes(file: BinaryIO) -> Iterator[tuple[str, Values]]:
    """Each scope when it ends, with its name: the inner ones before the outer one."""
    try:
        _refuse_declarations(file)
        yield from _Parser().scopes(file)
    except DefusedXmlException:
        reason = _("The XML declares a document type or entities. Such files are not read.")
        raise FileRefused(reason) from None
    except expat.ExpatError as error:
        raise _broken(error, error.lineno) from None
    except ParseError as error:
        raise _broken(error, error.position[0]) from None
    except (ValueError, LookupError):
        # An unknown encoding, or another one than the declaration says.
        raise FileRefused(_("The encoding of the XML is not known.")) from None


def _broken(error: Exception, line: int) -> FileRefused:
    return FileRefused(_("The XML is broken: %(error)s.") % {"error": error}, line)


def _refuse_declarations(file: BinaryIO) -> None:
    """A document type stands before the first element, or nowhere.

    From there on the parser below reads the file, three times as fast as that of defusedxml.
    """
    next(defusedxml.ElementTree.iterparse(file, ("start",), forbid_dtd=True), None)
    file.seek(0)


class _Parser:
    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._expat = expat.ParserCreate(namespace_separator=" ", intern=self._names)
        self._expat.buffer_text = True
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._characters
        self._places: Places | None = None
        # Where the parser is: "" is nowhere that is read.
        self._place = ""
        self._parents: list[str] = []
        self._text = ""
        self._values: Values = {}
        self._outer: list[Values] = []
        self._ended: list[tuple[str, Values]] = []

    def scopes(self, file: BinaryIO) -> Iterator[tuple[str, Values]]:
        is_over = False
        while not is_over:
            chunk = file.read(_CHUNK)
            is_over = not chunk
            self._expat.Parse(chunk, is_over)
            if len(self._names) > _MOST_NAMES:
                raise FileRefused(_("The XML has too many different elements."))
            ended, self._ended = self._ended, []
            yield from ended
        if self._places is None:
            raise FileRefused(_("The file is XML, but not CAMT.053."))

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._parents.append(self._place)
        if len(self._parents) > _MOST_DEPTH:
            raise FileRefused(_("The XML is nested too deeply."), self._expat.CurrentLineNumber)
        self._text = ""
        if self._places is None:
            self._find_document(name)
            return
        self._place = place = self._places.get((self._place, name), "")
        if place in SCOPES:
            self._outer.append(self._values)
            self._values = {}
        elif place in LEAVES and "Ccy" in attributes:
            self._values.setdefault(f"{place}@Ccy", attributes["Ccy"])

    def _find_document(self, name: str) -> None:
        """It may be in an envelope."""
        match = _NAMESPACE.fullmatch(name)
        if match is None or match[3] != DOCUMENT:
            return
        if match[2] != "camt.053":
            reason = _("The file is %(kind)s. Export a statement: camt.053.")
            raise FileRefused(reason % {"kind": match[2]})
        self._places = places(match[1])
        self._place = DOCUMENT

    def _characters(self, text: str) -> None:
        if self._place in LEAVES and len(self._text) < _LONGEST_TEXT:
            self._text += text

    def _end(self, _name: str) -> None:
        place, text = self._place, self._text.strip()
        self._place = self._parents.pop()
        self._text = ""
        if text:
            if place not in self._values:
                self._values[place] = text
            elif place in REPEATED and len(self._values[place]) < _LONGEST_TEXT:
                self._values[place] += f" {text}"
        if place in SCOPES:
            self._ended.append((place, self._values))
            self._values = self._outer.pop()
