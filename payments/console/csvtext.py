"""CSV that is safe to open in a spreadsheet, line by line."""

import csv
import re
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal

from payments.core import clock, money

Cell = str | Decimal | int | bool | datetime | date | None
# Excel reads a file as UTF-8 only when it begins with this.
MARK = "\ufeff"
# A cell that begins with one of these may be run as a formula.
_SIGNS = "=+\\-@＝＋－＠"
# The places where a spreadsheet may see the start of a cell. It splits at the list separator of its
# country (`;` in Colombia). Then our quotes do not enclose its cell, and a line break ends the row,
# too. It may drop spaces and quotes before the sign.
_STARTS = re.compile(rf"(?:^|(?<=[;,\t\r\n]))(?=[\s\"]*[{_SIGNS}])")
_BLANK = ("\t", "\r", "\n")


class _Line:
    """A file for csv.writer that returns what is written."""

    def write(self, line: str) -> str:
        return line


_writer = csv.writer(_Line())


def line(cells: Iterable[Cell]) -> str:
    """Texts are made safe; amounts are plain numbers and may be negative."""
    return str(
        _writer.writerow([safe(cell) if isinstance(cell, str) else plain(cell) for cell in cells])
    )


def plain(cell: Cell) -> str:
    """Formats a value as in the API: no exponent, timestamps in UTC, true and false."""
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
    """Puts an apostrophe before text that a spreadsheet would run as a formula."""
    made = _STARTS.sub("'", cell)
    return f"'{made}" if made.startswith(_BLANK) else made
