"""CSV as spreadsheets and programs write it: separators ; , and tab, UTF-8, UTF-16 or Latin-1."""

import codecs
import csv
import io
import re
from collections.abc import Iterator

from payments.payout_batches.files import limits
from payments.payout_batches.files.sheets import FileRefused, Formula, Row, Sheet

_BOMS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_SEPARATORS = (";", "\t", ",", "|")
# The first line by which a program tells Excel the separator.
_DECLARED = re.compile(r"sep=([;,\t|])\r?\n", re.IGNORECASE)
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_HTML = re.compile(r"\s*<(?:!doctype|html|head|body|table|meta)\b", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def read(content: bytes) -> Sheet:
    """Raises FileRefused."""
    text = _decoded(content)
    if _HTML.match(text):
        raise FileRefused("web_page")
    if wrong := _CONTROL.search(text):
        line = text.count("\n", 0, wrong.start()) + 1
        raise FileRefused("control_character", line=line, sign=f"U+{ord(wrong[0]):04X}")
    separator = ""
    if declared := _DECLARED.match(text):
        separator, text = declared[1], "\n" + text[declared.end() :]
    return Sheet(format="csv", rows=list(_rows(text, separator or _separator(text))))


def _decoded(content: bytes) -> str:
    encoding = next((name for bom, name in _BOMS.items() if content.startswith(bom)), "")
    for attempt in (encoding,) if encoding else ("utf-8", "cp1252"):
        try:
            return content.decode(attempt)
        except UnicodeDecodeError:
            continue
    raise FileRefused("encoding")


def _separator(text: str) -> str:
    """The one that the headings have most often. A comma in quotes counts for nothing."""
    head = _QUOTED.sub("", text.lstrip()[:20_000]).partition("\n")[0]
    return max(_SEPARATORS, key=head.count)


def _rows(text: str, separator: str) -> Iterator[Row]:
    """The number of a row is that of its first line in the file, as Excel numbers it."""
    reader = csv.reader(io.StringIO(text), delimiter=separator, strict=False)
    try:
        for number, cells in enumerate(reader, start=1):
            if number > limits.ROWS_MAX:
                raise FileRefused("too_many_lines", most=limits.LINES_MAX)
            if len(cells) > limits.COLUMNS_MAX:
                raise FileRefused("too_many_columns", most=limits.COLUMNS_MAX, line=number)
            cells = [_cell(cell) for cell in cells]
            if any(cells):
                yield Row(number=number, cells=cells)
    except csv.Error:  # a cell of more than 131,072 characters: a quote that is never closed
        raise FileRefused("quotes") from None


def _cell(text: str) -> str:
    """An apostrophe at the start is a spreadsheet's sign of a text, and ours in the files we write.

    A text of several lines becomes one line.
    """
    text = " ".join(text.split())
    if text.startswith("="):
        return Formula(text)
    return text[1:] if text.startswith("'") else text
