"""Rows that operators edit, which each process keeps until one of them changes.

A trigger gives a table a new version with each change (payments.core.models.renews_catalogue). A
request reads the versions with a statement that it sends anyway. If they are not those of the kept
rows, it reads the rows again. So a committed change counts for the next request of every process.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
# One text for all tables. NULL: no table has a version, and nothing is kept.
VERSIONS = "SELECT string_agg(version::text, ' ' ORDER BY name) FROM core_catalogueversion"


class KeptRows(Generic[T]):
    """`read` reads all rows at once. Those that were read later might be of a transaction that is
    rolled back.
    """

    def __init__(self, read: Callable[[], T]) -> None:
        self._read = read
        self._kept: tuple[str, T] | None = None

    def at(self, versions: str | None) -> T:
        """The rows of these versions, which were read just before, or newer ones."""
        kept = self._kept
        if kept is not None and kept[0] == versions:
            return kept[1]
        rows = self._read()
        if versions is not None:
            self._kept = (versions, rows)
        return rows
