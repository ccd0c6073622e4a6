"""Counts the elements and attributes of XML without keeping them.

Expat is the parser of openpyxl, too, so both see the same.
"""

from typing import IO
from xml.parsers import expat

from payments.payout_batches.files import limits

_PIECE = 64 * 1024


class TooMany(Exception):
    """More than a workbook of payouts has."""


class Count:
    """Of all parts of one package, and of each row of its sheets."""

    def __init__(self) -> None:
        self.total = 0
        self.of_row = 0
        self.open_rows = 0

    def read(self, file: IO[bytes]) -> None:
        """Raises TooMany. A part that is no XML, such as an image, counts up to its first error."""
        self.open_rows = 0
        parser = expat.ParserCreate()
        parser.ordered_attributes = True
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        done = 0
        try:
            while piece := file.read(_PIECE):
                parser.Parse(piece, False)
                done += len(piece)
                # Where the parser stands behind, it waits for the end of one tag.
                if done - parser.CurrentByteIndex > limits.TAG_BYTES_MAX:
                    raise TooMany
        except expat.ExpatError:
            return

    def _begin(self, name: str, attributes: list[str]) -> None:
        # A row inside a row does not end the outer one.
        if _is_row(name):
            self.of_row = self.of_row if self.open_rows else 0
            self.open_rows += 1
        count = 1 + len(attributes) // 2
        self.total += count
        self.of_row += count if self.open_rows else 0
        if self.total > limits.WORKBOOK_NODES_MAX or self.of_row > limits.ROW_NODES_MAX:
            raise TooMany

    def _end(self, name: str) -> None:
        if _is_row(name):
            self.open_rows -= 1


def _is_row(name: str) -> bool:
    return name.rpartition(":")[2] == "row"
