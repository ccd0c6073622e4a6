"""What an exported list consists of: one declaration per page, the same for every kind of file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from payments.console.csvtext import Cell

Mask = Callable[[str], str]


@dataclass(frozen=True)
class Column:
    """A header as in the API, and what stands below it. With a `mask` it is personal data.

    What is internal (our rails, our operators) is in no file of a merchant's people.
    """

    header: str
    read: Callable[[Any], Cell]
    mask: Mask | None = None
    is_internal: bool = False

    def cell(self, row: Any, *, whole: bool) -> Cell:
        """The value of one row; masked unless `whole`."""
        value = self.read(row)
        return value if whole or self.mask is None else self.mask(str(value or ""))


def fields(**paths: str) -> list[Column]:
    """header="field", or header="related__field": the value as it is."""
    return [Column(header, attrgetter(path.replace("__", "."))) for header, path in paths.items()]


def personal(mask: Mask, **paths: str) -> list[Column]:
    """As `fields`, for personal data."""
    return [Column(column.header, column.read, mask) for column in fields(**paths)]


def internal(**paths: str) -> list[Column]:
    """As `fields`, for operators only."""
    return [replace(column, is_internal=True) for column in fields(**paths)]


def seen_by(columns: Sequence[Column], scope: Any) -> list[Column]:
    """The columns for this scope; None is an operator."""
    return [column for column in columns if scope is None or not column.is_internal]


def has_personal_data(columns: Sequence[Column]) -> bool:
    """Then the right to see it decides whether it is masked."""
    return any(column.mask for column in columns)
