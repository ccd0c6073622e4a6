"""Checks amounts that rails report. The values of the ports call it, so adapters need not."""

import re
from dataclasses import dataclass
from decimal import Decimal

from payments.providers.ports.errors import UnusableAmount

# A thousand times the largest order. Our ledger holds ten times as much (payments.core.money).
MAX_AMOUNT = Decimal(10) ** 15
# Digits and one point: no sign, exponent, underscore or word. Ether has 18 decimals.
_PLAIN = re.compile(r"[0-9]{1,16}(?:\.[0-9]{1,30})?")


def parse_amount(text: object) -> Decimal:
    """Parses decimal text in a message of a rail. Raises UnusableAmount."""
    if not isinstance(text, str) or not _PLAIN.fullmatch(text):
        raise UnusableAmount("not an amount as decimal text")
    return check_amount(Decimal(text))


def check_amount(amount: Decimal) -> Decimal:
    """Returns the amount. Raises UnusableAmount for NaN, below zero, and above MAX_AMOUNT."""
    if not (Decimal(amount).is_finite() and 0 <= amount <= MAX_AMOUNT):
        raise UnusableAmount("not an amount that a rail can carry")
    return amount


@dataclass(frozen=True, slots=True, kw_only=True)
class TaxLine:
    """A tax that a rail takes with its fee, in COP. `name` is at most 20 characters: IVA, GMF."""

    name: str
    amount: Decimal

    def __post_init__(self) -> None:
        check_amount(self.amount)
