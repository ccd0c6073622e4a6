"""Where a payout stands in the console that was asked for on another page, such as a withdrawal."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.safestring import SafeString

from payments.console.registry import Text
from payments.payout.models import Payout


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What the acts of the second person are called, what they do, and what is said after them."""

    approve: Text
    approve_what: Text
    approved: Text
    reject: Text
    reject_what: Text
    rejected: Text
    cancel_what: Text


@dataclass(frozen=True, slots=True)
class Place:
    """What the page of the payout has in place of the words of payouts.

    menu     the model of the list that it stands below.
    title    of the record.
    section  the title of the facts about who gets the money.
    state    the badge of its state.
    note     whose account it goes to. Empty if that is in doubt: then `warning` says why.
    words    of the acts of its second person.
    """

    menu: str
    title: str
    section: Text
    state: Callable[[Payout], SafeString]
    words: Words
    note: str = ""
    warning: str = ""


_finders: list[Callable[[str], Place | None]] = []


def add_places(finder: Callable[[str], Place | None]) -> None:
    """`finder` gets the id of a payout."""
    _finders.append(finder)


def place_of(payout_id: str) -> Place | None:
    return next((place for find in _finders if (place := find(payout_id)) is not None), None)
