"""CAMT.053, the statement of ISO 20022, in all its versions."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from itertools import count
from typing import BinaryIO
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import iterparse
from django.utils.translation import gettext as _

from payments.reconciliation.formats import fields
from payments.reconciliation.formats.camt053_entries import Entries
from payments.reconciliation.formats.camt053_statement import statement
from payments.reconciliation.formats.camt053_values import Path
from payments.reconciliation.formats.chain import chained
from payments.reconciliation.formats.limits import gather
from payments.reconciliation.formats.values import FileRefused, ParsedLine, ParsedStatement

_NAMESPACE = re.compile(r"\{(urn:iso:std:iso:20022:tech:xsd:(camt\.05[0-9])\.001\.[0-9]{2})\}(\w+)")
# Documents may be in an envelope with a header.
_MOST_BEFORE_DOCUMENT = 100
# Elements outside of the entries, and those of one transaction.
_MOST_HELD = 200_000


def read(file: BinaryIO, today: date) -> ParsedStatement:
    reader = _Reader(fields.Days(today))
    try:
        gather(reader.lines(file))
    except DefusedXmlException:
        reason = _("The XML declares a document type or entities. Such files are not read.")
        raise FileRefused(reason) from None
    except ParseError as error:
        reason = _("The XML is broken: %(error)s.") % {"error": error}
        raise FileRefused(reason, error.position[0]) from None
    except (ValueError, LookupError):
        # An unknown encoding, or another one than the declaration says.
        raise FileRefused(_("The encoding of the XML is not known.")) from None
    return chained(reader.statements)


class _Reader:
    """Reads entry by entry, and drops what was read."""

    def __init__(self, days: fields.Days) -> None:
        self._days = days
        self._path: Path | None = None
        self._entries: Entries | None = None
        self._statement = Element("")
        # Of the entry, and of the movement.
        self._number = 0
        self._movements = count(1)
        self._started = 0
        self._held = 0
        self._lines: list[ParsedLine] = []
        self.statements: list[ParsedStatement] = []

    def lines(self, file: BinaryIO) -> Iterator[ParsedLine]:
        for event, element in iterparse(file, ("start", "end"), forbid_dtd=True):
            if event == "start":
                self._start(element)
            elif self._path is not None:
                yield from self._end(element)
        if self._path is None:
            raise FileRefused(_("The file is XML, but not CAMT.053."))

    def _start(self, element: Element) -> None:
        self._started += 1
        self._held += 1
        if self._held > _MOST_HELD:
            raise FileRefused(_("The XML has too many elements outside of its entries."))
        if self._path is None:
            self._find_document(element.tag)
        elif element.tag == self._path.statement:
            self._statement = element
            self._lines = []
            self._entries = Entries(self._path, self._days, self._movements)

    def _find_document(self, tag: str) -> None:
        match = _NAMESPACE.match(tag)
        if match and match[3] == "Document":
            if match[2] != "camt.053":
                reason = _("The file is %(kind)s. Export a statement: camt.053.")
                raise FileRefused(reason % {"kind": match[2]})
            self._path = Path(match[1])
        elif self._started > _MOST_BEFORE_DOCUMENT:
            raise FileRefused(_("The file is XML, but not CAMT.053."))

    def _end(self, element: Element) -> Iterator[ParsedLine]:
        path, entries = self._path, self._entries
        if path is None or entries is None:
            return
        if element.tag == path.transaction:
            with _of_entry(self._number + 1):
                entries.add_transaction(element, self._number + 1)
            self._drop(element)
        elif element.tag == path.entry:
            self._number += 1
            with _of_entry(self._number):
                found = list(entries.lines(element, self._number))
            self._lines += found
            yield from found
            self._drop(element)
            self._remove(element)
        elif element.tag == path.statement:
            self.statements.append(statement(element, path, self._days, self._lines, entries))
            self._entries = None

    def _remove(self, entry: Element) -> None:
        if entry not in self._statement:
            raise FileRefused(_("An entry is not directly in its statement."))
        self._statement.remove(entry)
        self._held -= 1

    def _drop(self, element: Element) -> None:
        self._held -= sum(1 for _each in element.iter()) - 1
        element.clear()


@contextmanager
def _of_entry(number: int) -> Iterator[None]:
    """The number of an entry is no line of the file."""
    try:
        yield
    except FileRefused as refused:
        reason = _("Entry %(number)s: %(reason)s") % {"number": number, "reason": refused.reason}
        raise FileRefused(reason) from None
