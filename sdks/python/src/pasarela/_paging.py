"""Lists: one page, or all elements one after the other."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")
LARGEST = 100


@dataclass(frozen=True)
class Page(Sequence[T], Generic[T]):
    """A list with the number of all elements that there are, where the service counts them."""

    items: list[T]
    total: int | None

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        return self.items[index]

    def __len__(self) -> int:
        return len(self.items)


def by_offset(read: Callable[[int], Page[Any]], identity: str) -> Iterator[Any]:
    """`read` gets an offset. What is added during the walk moves others to the next page: an
    element that was there already is left out."""
    seen: set[object] = set()
    offset = 0
    while page := read(offset):
        for item in page:
            if item[identity] not in seen:
                seen.add(item[identity])
                yield item
        if len(page) < LARGEST:
            return
        offset += len(page)


def by_last(read: Callable[[str | None], Page[Any]], last: str | None = None) -> Iterator[Any]:
    """`read` gets the id of the element before its page."""
    while page := read(last):
        yield from page
        if len(page) < LARGEST:
            return
        last = page[-1]["id"]
