"""Amounts and days as a spreadsheet or a program writes them."""

import re
from datetime import date, datetime
from decimal import Decimal

from django.utils.translation import gettext as _

from payments.core import days

# At most two decimals, so that a point before three digits can only group them.
_PLAIN = re.compile(r"(-?)(\d{1,15})(?:[.,](\d{1,2}))?")
_POINTS = re.compile(r"(-?)([1-9]\d{0,2}(?:\.\d{3}){1,4})(?:,(\d{1,2}))?")
_COMMAS = re.compile(r"(-?)([1-9]\d{0,2}(?:,\d{3}){1,4})(?:\.(\d{1,2}))?")
_SIGNS = re.compile(r"^\(([^()]*)\)$")
_DAY = re.compile(r"(\d{4})[-/]?(\d{2})[-/]?(\d{2})")
_DAY_FIRST = re.compile(r"(\d{1,2})[-/](\d{1,2})[-/](\d{4})")
_CLOCK = re.compile(r"[T ]\s*\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[ap]\.?\s?m\.?)?", re.I)


class WrongCell(ValueError):
    """`reason` is translated and has the value."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read_amount(cell: str) -> Decimal:
    """`1.234,56`, `1,234.56`, `$ 1234.5`, `(1.234,56)` for an amount below zero; empty is 0."""
    text = cell.replace("\xa0", "").replace(" ", "").replace("$", "").upper().removesuffix("COP")
    if not text:
        return Decimal(0)
    text = _SIGNS.sub(r"-\1", text)
    for form in (_PLAIN, _POINTS, _COMMAS):
        if match := form.fullmatch(text):
            sign, whole, decimals = match.groups()
            return Decimal(f"{sign}{re.sub('[.,]', '', whole)}.{decimals or '0'}")
    raise WrongCell(_("“%s” is not an amount in pesos with at most two decimals.") % cell[:40])


def read_day(cell: str) -> date:
    """The day in Bogotá. A time with an offset may be of another day there."""
    text = cell.strip()
    try:
        if re.search(r"(?:Z|[+-]\d{2}:?\d{2})$", text) and _CLOCK.search(text):
            return days.day_of(datetime.fromisoformat(text))
        text = _CLOCK.sub("", text).strip()
        if match := _DAY.fullmatch(text):
            year, month, day = map(int, match.groups())
        elif match := _DAY_FIRST.fullmatch(text):
            day, month, year = map(int, match.groups())
        else:
            raise ValueError(text)
        return date(year, month, day)
    except ValueError:
        raise WrongCell(_("“%s” is not a date.") % cell[:40]) from None
