"""Which format a file has. Its name says nothing, its content does."""

import io
from datetime import date
from typing import BinaryIO, TextIO

from django.utils.translation import gettext as _

from payments.reconciliation.formats import asobancaria
from payments.reconciliation.formats.source import check_file, is_xml, open_text
from payments.reconciliation.formats.values import FileRefused, ParsedStatement


def parse(source: bytes | BinaryIO, *, today: date) -> ParsedStatement:
    """The one account of a file, or FileRefused.

    source  bytes, or a file that is open for reading and can seek. It is read in pieces: of a
            large file only the movements are held in memory.
    today   in Bogotá. Some formats have days without a year.
    """
    file = io.BytesIO(source) if isinstance(source, bytes) else source
    check_file(file)
    if is_xml(file):
        raise FileRefused(_("The file is XML, but not CAMT.053."))
    text = open_text(file)
    try:
        return _parse_text(text, today)
    finally:
        # Else the file would be closed, which is the caller's.
        text.detach()


def _parse_text(text: TextIO, today: date) -> ParsedStatement:
    first_line = text.readline()
    text.seek(0)
    if asobancaria.recognises(first_line.rstrip("\n")):
        return asobancaria.read(text, today)
    raise FileRefused(_("The format of the file is not known."))
