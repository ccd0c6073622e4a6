"""Amounts as people write them. Each reader returns None for any other text.

Pesos have two decimals at most, so a sign before three digits can only group them.
"""

import re
from decimal import Decimal

from payments.core import money


def _one_way(thousands: str, point: str) -> re.Pattern[str]:
    grouped = rf"[1-9][0-9]{{0,2}}(?:{re.escape(thousands)}[0-9]{{3}}){{1,4}}"
    return re.compile(rf"([0-9]{{1,15}}|{grouped})(?:{re.escape(point)}([0-9]{{1,2}}))?")


# By the signs of a language.
_ONE_WAY = {signs: _one_way(*signs) for signs in ((".", ","), (",", "."))}
_EITHER_WAY = re.compile(
    r"(?:\$\s*|cop\s*)?"
    r"(?:(?P<es>[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]{1,2})?|[0-9]+(?:,[0-9]{1,2})?)"
    r"|(?P<en>[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]{1,2})?|[0-9]+(?:\.[0-9]{1,2})?))"
    r"(?:\s*(?:cop|pesos))?",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"(\d{1,3}(?:([.,])\d{3})(?:\2\d{3})*|\d+)(?:[.,]0{1,2})?")
_DECIMAL = re.compile(r"\d+(?:[.,]\d+)?")
_LONGEST = 20


def pesos_in_one_way(text: str) -> Decimal | None:
    """For people who move money, with the signs of their language.

    In Spanish `1.250.000,50`, `1250000`, `$ 1.250.000`; not `1,250` or `1250.50`, which others
    read in another way. In English `1,250,000.50`.
    """
    signs = money.signs()
    match = _ONE_WAY[signs].fullmatch(re.sub(r"[\s$]", "", text).upper().removesuffix("COP"))
    return Decimal(f"{match[1].replace(signs[0], '')}.{match[2] or '0'}") if match else None


def pesos_in_either_way(text: str) -> Decimal | None:
    """For files of any origin: `1.250.000,50` and `1,250,000.50`."""
    match = _EITHER_WAY.fullmatch(text)
    if match is None:
        return None
    if match["es"]:
        return Decimal(match["es"].replace(".", "").replace(",", "."))
    return Decimal(match["en"].replace(",", ""))


def whole_pesos(text: str) -> Decimal | None:
    """For payers, who pay no cents: `50.000`, `50,000`, `$ 50000`, `50.000,00`."""
    match = _WHOLE.fullmatch(_bare(text, "COP"))
    return Decimal(re.sub(r"\D", "", match[1])) if match else None


def decimal(text: str, currency: str) -> Decimal | None:
    """Of a coin, with a point or a comma before its decimals and no other signs."""
    bare = _bare(text, currency)
    return Decimal(bare.replace(",", ".")) if _DECIMAL.fullmatch(bare) else None


def _bare(text: str, currency: str) -> str:
    """Without spaces and signs of the currency. Empty if it is too long for an amount."""
    bare = re.sub(rf"[\s$]|{currency}", "", text, flags=re.IGNORECASE)
    return bare if len(bare) <= _LONGEST else ""
