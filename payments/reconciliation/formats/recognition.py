"""Which format a file has. Its name says nothing, its content does."""

import io
from collections.abc import Iterator
from datetime import date
from typing import BinaryIO, Protocol, TextIO

from django.utils.translation import gettext as _

from payments.reconciliation.formats import (
    asobancaria,
    bancolombia,
    bogota,
    camt053,
    mt940,
    occidente,
    own_csv,
)
from payments.reconciliation.formats.fields import shown
from payments.reconciliation.formats.rows import DELIMITERS, Row, cells_of, head, rows
from payments.reconciliation.formats.source import check_file, is_xml, open_text
from payments.reconciliation.formats.values import FileRefused, ParsedStatement


class TextFormat(Protocol):
    def recognises(self, first_line: str, /) -> bool: ...
    def read(self, text: TextIO, today: date, /) -> ParsedStatement: ...


class RowsFormat(Protocol):
    def recognises(self, head: list[list[str]], /) -> bool: ...
    def read(self, rows: Iterator[Row], today: date, /) -> ParsedStatement: ...


_TEXTS: tuple[TextFormat, ...] = (asobancaria, mt940)
_ROWS: tuple[RowsFormat, ...] = (bogota, own_csv, bancolombia, occidente)


def parse(source: bytes | BinaryIO, *, today: date) -> ParsedStatement:
    """The one account of a file, or FileRefused.

    source  bytes, or a file that is open for reading and can seek. It is read in pieces: of a
            large file only the movements are held in memory.
    today   in Bogotá. Some formats have days without a year.
    """
    file = io.BytesIO(source) if isinstance(source, bytes) else source
    check_file(file)
    if is_xml(file):
        return camt053.read(file, today)
    text = open_text(file)
    try:
        return _parse_text(text, today)
    finally:
        # Else the file would be closed, which is the caller's.
        text.detach()


def _parse_text(text: TextIO, today: date) -> ParsedStatement:
    lines = head(text)
    first = next((line for line in lines if line.strip()), "").rstrip("\n")
    for text_format in _TEXTS:
        if text_format.recognises(first):
            return text_format.read(text, today)
    for delimiter in DELIMITERS:
        cells = cells_of(lines, delimiter)
        for rows_format in _ROWS:
            if rows_format.recognises(cells):
                return rows_format.read(rows(text, delimiter), today)
    raise FileRefused(_unknown(first))


def _unknown(first: str) -> str:
    if not first:
        return _("The file is empty.")
    reason = _("The format is not known. The file starts with “%(start)s”.")
    return reason % {"start": shown(first)}
