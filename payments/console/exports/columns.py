"""The columns of an exported list: one declaration per page, the same for every file format."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from payments.console.csvtext import Cell

Mask = Callable[[str], str]
Words = Callable[[Cell], Cell]


@dataclass(frozen=True)
class Column:
    """A header as in the API, and the function that gives the value.

    With a `mask` the column is personal data. An internal column (about our rails or operators)
    is left out of files for users of merchants.
    """

    header: str
    read: Callable[[Any], Cell]
    mask: Mask | None = None
    is_internal: bool = False
    # The field, as in a query: "related__field". Empty if the value is made of several.
    path: str = ""
    # How people read the value, if its field does not say it (column_names.words).
    words: Words | None = None

    def cell(self, row: object, *, whole: bool) -> Cell:
        value = self.read(row)
        return value if whole or self.mask is None else self.mask(str(value or ""))


def fields(**paths: str) -> list[Column]:
    """header="field", or header="related__field": the value as it is."""
    return [
        Column(header, attrgetter(path.replace("__", ".")), path=path)
        for header, path in paths.items()
    ]


def personal(mask: Mask, **paths: str) -> list[Column]:
    """As `fields`, for personal data."""
    return [replace(column, mask=mask) for column in fields(**paths)]


def internal(**paths: str) -> list[Column]:
    """As `fields`, for operators only."""
    return [replace(column, is_internal=True) for column in fields(**paths)]


def has_personal_data(columns: Sequence[Column]) -> bool:
    """If true, the right to see personal data decides whether the values are masked."""
    return any(column.mask for column in columns)
