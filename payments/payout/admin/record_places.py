"""Where a payout stands in the console that was asked for on another page, such as a withdrawal."""

from collections.abc import Callable
from dataclasses import dataclass

from payments.payout.models import Payout


@dataclass(frozen=True, slots=True)
class Place:
    """menu: the model of the list that the payout stands below. facts: read when it is shown."""

    menu: str
    facts: Callable[[Payout], list[tuple[object, object]]]


_finders: list[Callable[[str], Place | None]] = []


def add_places(finder: Callable[[str], Place | None]) -> None:
    """`finder` gets the id of a payout."""
    _finders.append(finder)


def place_of(payout_id: str) -> Place | None:
    return next((place for find in _finders if (place := find(payout_id)) is not None), None)
