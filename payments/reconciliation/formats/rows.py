"""Rows of files whose cells are divided by commas, semicolons or tabs."""

import csv
import itertools
from collections.abc import Iterator
from typing import TextIO

from django.utils.translation import gettext as _

from payments.reconciliation.formats.values import FileRefused

# A row and the number of its line.
Row = tuple[int, list[str]]
# Excel writes semicolons where the comma divides pesos from cents.
DELIMITERS = (",", ";", "\t")
_HEAD = 20


def head(text: TextIO) -> list[str]:
    """The first lines, which show the format."""
    lines = list(itertools.islice(iter(text.readline, ""), _HEAD))
    text.seek(0)
    return lines


def cells_of(lines: list[str], delimiter: str) -> list[list[str]]:
    """Rows of the head. Broken ones are left out: they are refused later, with a line."""
    found = []
    try:
        for row in csv.reader(lines, delimiter=delimiter):
            found.append([cell.strip() for cell in row])
    except csv.Error:
        pass
    return found


def rows(text: TextIO, delimiter: str) -> Iterator[Row]:
    """Rows with at least one cell that is not empty. Cells have no blanks around them."""
    reader = csv.reader(text, delimiter=delimiter, strict=True)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells):
                yield reader.line_num, cells
    except csv.Error as error:
        reason = _("The row cannot be read: %(error)s.") % {"error": error}
        raise FileRefused(reason, reader.line_num) from None


def check_width(row: list[str], width: int, line: int) -> None:
    if len(row) != width:
        reason = _("The row has %(found)s columns, and must have %(width)s.")
        raise FileRefused(reason % {"found": len(row), "width": width}, line)
