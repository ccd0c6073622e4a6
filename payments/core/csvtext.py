"""CSV that is safe to open in a spreadsheet, written line by line."""

import csv
from collections.abc import Iterable
from decimal import Decimal

from payments.core import money

# Excel takes a file for UTF-8 only when it begins with this.
MARK = "\ufeff"
# A cell that begins with one of these may be run as a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


class _Line:
    """What csv.writer writes to: it gives the line back."""

    def write(self, line: str) -> str:
        """The line."""
        return line


_writer = csv.writer(_Line())


def line(cells: Iterable[str | Decimal]) -> str:
    """One line. Texts are made safe; amounts are plain numbers, and may be below zero."""
    return str(
        _writer.writerow(
            [money.text(cell) if isinstance(cell, Decimal) else safe(cell) for cell in cells]
        )
    )


def safe(cell: str) -> str:
    """The text with an apostrophe before what a spreadsheet would run."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
