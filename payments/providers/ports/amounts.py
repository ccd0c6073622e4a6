"""Amounts that a rail reports: which can be true at all. The values check them, no adapter does."""

import re
from decimal import Decimal

from payments.providers.ports.errors import UnusableAmount

# A thousand times the largest order. Our ledger holds ten times as much (payments.core.money).
MAX_AMOUNT = Decimal(10) ** 15
# Digits and one point: no sign, exponent, underscore or word. Ether has 18 decimals.
_PLAIN = re.compile(r"[0-9]{1,16}(?:\.[0-9]{1,30})?")


def parse_amount(text: object) -> Decimal:
    """An amount as decimal text, from a message of a rail. Raises UnusableAmount for others."""
    if not isinstance(text, str) or not _PLAIN.fullmatch(text):
        raise UnusableAmount("not an amount as decimal text")
    return check_amount(Decimal(text))


def check_amount(amount: Decimal) -> Decimal:
    """Returns it. Raises UnusableAmount for NaN, less than nothing, and more than MAX_AMOUNT."""
    if not (Decimal(amount).is_finite() and 0 <= amount <= MAX_AMOUNT):
        raise UnusableAmount("not an amount that a rail can carry")
    return amount
