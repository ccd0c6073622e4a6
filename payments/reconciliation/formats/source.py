"""What a file is before its format is known: no other kind of file, and text in one encoding."""

import codecs
import io
import re
from typing import BinaryIO

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from payments.reconciliation.formats.limits import check_lines, check_size
from payments.reconciliation.formats.values import FileRefused

_CHUNK = 1 << 16
_BOMS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_OTHER_FILES = {
    b"\x1f\x8b": gettext_noop("The file is compressed (gzip). Extract it first."),
    b"%PDF": gettext_noop("The file is a PDF. Download the movements as CSV or text."),
    b"\xd0\xcf\x11\xe0": gettext_noop("The file is an Excel workbook. Save it as CSV first."),
    b"Rar!": gettext_noop("The file is compressed (RAR). Extract it first."),
    b"7z\xbc\xaf": gettext_noop("The file is compressed (7-Zip). Extract it first."),
    b"BZh": gettext_noop("The file is compressed (bzip2). Extract it first."),
}
_ZIP = b"PK\x03\x04"
_HTML = re.compile(r"\s*<(?:!doctype\s+html|html|head|body|table|meta|script|div)\b", re.IGNORECASE)
# Also characters that turn the direction of a text, so that a console shows another one.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def check_file(file: BinaryIO) -> None:
    check_size(file.seek(0, io.SEEK_END))
    file.seek(0)
    head = file.read(_CHUNK)
    file.seek(0)
    for start, reason in _OTHER_FILES.items():
        if head.startswith(start):
            raise FileRefused(_(reason))
    if head.startswith(_ZIP):
        raise FileRefused(_zip_reason(head))
    if _HTML.match(_start(head)):
        raise FileRefused(
            _("The file is a web page: the bank may have ended the session. Download it again.")
        )


def _zip_reason(head: bytes) -> str:
    if b"[Content_Types].xml" in head or b"xl/" in head:
        return _("The file is an Excel workbook. Save it as CSV first.")
    return _("The file is compressed (zip). Extract it first.")


def _start(head: bytes) -> str:
    """Enough of the text to see what it is."""
    return head[:1024].decode(_encoding(head), errors="replace").lstrip("\ufeff")


def is_xml(file: BinaryIO) -> bool:
    head = file.read(_CHUNK)
    file.seek(0)
    return _start(head).lstrip().startswith("<")


def _encoding(head: bytes) -> str:
    """UTF-8 until the whole file is read."""
    for bom, encoding in _BOMS.items():
        if head.startswith(bom):
            return encoding
    # Half of the bytes of UTF-16 are zeros where the text is Spanish.
    if head[1:200:2].count(0) > len(head[1:200:2]) * 3 // 4:
        return "utf-16-le"
    if head[0:200:2].count(0) > len(head[0:200:2]) * 3 // 4:
        return "utf-16-be"
    return "utf-8"


def open_text(file: BinaryIO) -> io.TextIOWrapper:
    """The whole file was read once: it is text in this encoding, and not too long."""
    encoding = _encoding(file.read(_CHUNK))
    try:
        _read_through(file, encoding)
    except UnicodeDecodeError:
        # Not UTF-8: what banks' programs on Windows write.
        encoding = "cp1252" if encoding == "utf-8" else encoding
        _read_through_or_refuse(file, encoding)
    file.seek(0)
    return io.TextIOWrapper(file, encoding=encoding, newline=None)


def _read_through_or_refuse(file: BinaryIO, encoding: str) -> None:
    try:
        _read_through(file, encoding)
    except UnicodeDecodeError:
        raise FileRefused(
            _("The file is not text in UTF-8, UTF-16 or Windows-1252 (Latin-1).")
        ) from None


def _read_through(file: BinaryIO, encoding: str) -> None:
    file.seek(0)
    decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder(encoding)(), translate=True)
    lines = 0
    while chunk := file.read(_CHUNK):
        lines += _lines(decoder.decode(chunk), lines)
        check_lines(lines)
    _lines(decoder.decode(b"", final=True), lines)


def _lines(text: str, before: int) -> int:
    if wrong := _CONTROL.search(text):
        line = before + text.count("\n", 0, wrong.start()) + 1
        reason = _("The character U+%(code)04X does not belong in a text.")
        raise FileRefused(reason % {"code": ord(wrong[0])}, line)
    return text.count("\n")
