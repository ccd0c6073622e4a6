"""CSV that is safe to open in a spreadsheet, written line by line."""

import csv
import re
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal

from payments.core import clock, money

Cell = str | Decimal | int | bool | datetime | date | None
# Excel takes a file for UTF-8 only when it begins with this.
MARK = "\ufeff"
# A cell that begins with one of these may be run as a formula.
_SIGNS = "=+\\-@＝＋－＠"
# Where a program sees a cell begin: it takes the list separator of its own country, which is `;` in
# Colombia, and then the quotes around our cell are not those of its cell, so that a line break ends
# the row, too. Spaces and quotes before the sign may be dropped.
_STARTS = re.compile(rf"(?:^|(?<=[;,\t\r\n]))(?=[\s\"]*[{_SIGNS}])")
_BLANK = ("\t", "\r", "\n")


class _Line:
    """What csv.writer writes to: it gives the line back."""

    def write(self, line: str) -> str:
        """The line."""
        return line


_writer = csv.writer(_Line())


def line(cells: Iterable[Cell]) -> str:
    """One line. Texts are made safe; amounts are plain numbers, and may be below zero."""
    return str(
        _writer.writerow([safe(cell) if isinstance(cell, str) else plain(cell) for cell in cells])
    )


def plain(cell: Cell) -> str:
    """The value as the API writes it: decimals without exponent, moments in UTC, true and false."""
    match cell:
        case None:
            return ""
        case bool():
            return "true" if cell else "false"
        case Decimal():
            return money.text(cell)
        case datetime():
            return clock.iso(cell) or ""
        case date():
            return cell.isoformat()
        case _:
            return str(cell)


def safe(cell: str) -> str:
    """The text with an apostrophe before what a spreadsheet would run."""
    made = _STARTS.sub("'", cell)
    return f"'{made}" if made.startswith(_BLANK) else made
