"""Reads single values of a file. A value that does not fit refuses the file."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache

from django.utils.translation import gettext as _

from payments.reconciliation.formats.values import FileRefused

# As long as the columns of StatementLine.
DESCRIPTION, REFERENCE, DOCUMENT, COUNTERPARTY, CODE, OPERATION = 300, 60, 40, 100, 20, 60

_MOST_SHOWN = 40
_FIRST_YEAR = 2000
# Banks book Good Friday's movements on the Monday after it.
_MOST_AHEAD = timedelta(days=10)
# Pesos: numeric(24, 8) holds 16.
_MOST_DIGITS = 15

# `1,234.50` and `1.234,50`. Money has no three decimals, so `1,234` has one meaning only.
_AMOUNT = re.compile(
    r"(?P<sign>[+-]?)\s*(?:\$\s*)?(?P<sign2>[+-]?)"
    r"(?:(?P<en>(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]*)(?:\.[0-9]{1,2})?)"
    r"|(?P<es>(?:[1-9][0-9]{0,2}(?:\.[0-9]{3})+|[0-9]*)(?:,[0-9]{1,2})?))"
)
_PLAIN = re.compile(r"[+-]?[0-9]{1,15}(?:\.[0-9]{1,2})?")
# ISO 20022 allows five decimals, of which pesos have two.
_UNSIGNED = re.compile(r"[0-9]+(?:\.[0-9]{0,2}0*)?")
_DIGITS = re.compile(r"[0-9]+")
_NOT_IN_DOCUMENTS = re.compile(r"[.\-\s]")


def shown(value: str) -> str:
    """The wrong value, in a sentence."""
    return value if len(value) <= _MOST_SHOWN else f"{value[:_MOST_SHOWN]}…"


def amount(value: str, line: int | None) -> Decimal:
    """Pesos with a sign, such as `-1,234.50`, `1.234,50` or `$ 1.234`."""
    value = value.strip()
    if _PLAIN.fullmatch(value):
        return Decimal(value)
    match = _AMOUNT.fullmatch(value)
    if match is None or not (match["en"] or match["es"]) or (match["sign"] and match["sign2"]):
        raise FileRefused(_("“%(value)s” is not an amount.") % {"value": shown(value)}, line)
    if match["es"]:
        digits = match["es"].replace(".", "").replace(",", ".")
    else:
        digits = match["en"].replace(",", "")
    if len(digits.partition(".")[0]) > _MOST_DIGITS:
        raise _too_large(value, line)
    return Decimal(f"{match['sign']}{match['sign2']}{digits}")


def unsigned(value: str, line: int | None) -> Decimal:
    """Pesos with a point and without a sign, as in XML."""
    if _UNSIGNED.fullmatch(value) is None:
        raise FileRefused(_("“%(value)s” is not an amount.") % {"value": shown(value)}, line)
    if len(value.partition(".")[0].lstrip("0")) > _MOST_DIGITS:
        raise _too_large(value, line)
    return Decimal(value)


def cents(value: str, line: int | None) -> Decimal:
    """Pesos of a field of fixed width, in cents."""
    pesos = Decimal(digits(value, line)).scaleb(-2)
    if pesos.adjusted() >= _MOST_DIGITS:
        raise _too_large(value, line)
    return pesos


def _too_large(value: str, line: int | None) -> FileRefused:
    reason = _("The amount %(value)s has more than %(most)s digits.")
    return FileRefused(reason % {"value": shown(value), "most": _MOST_DIGITS}, line)


def digits(value: str, line: int | None) -> str:
    if _DIGITS.fullmatch(value) is None:
        raise FileRefused(_("“%(value)s” is not a number.") % {"value": shown(value)}, line)
    return value


class Days:
    """Reads the days of one file; a wrong day is refused.

    today  of the operator, in Bogotá. Later days are typing errors, but for a few: banks book on
           the next business day.
    """

    def __init__(self, today: date) -> None:
        self._last = today + _MOST_AHEAD
        # A file has few days and many lines.
        self._read: Callable[[int, int, int], date | None] = lru_cache(4096)(self._day)

    def _day(self, year: int, month: int, day: int) -> date | None:
        try:
            read = date(year, month, day)
        except ValueError:
            return None
        return read if year >= _FIRST_YEAR and read <= self._last else None

    def of(self, value: str, line: int | None, *parts: str) -> date:
        """The day of these parts: year, month, day."""
        read = None
        if all(_DIGITS.fullmatch(part) for part in parts):
            read = self._read(int(parts[0]), int(parts[1]), int(parts[2]))
        if read is None:
            reason = _("“%(value)s” is not a day from %(first)s to %(last)s.")
            details = {"value": shown(value), "first": _FIRST_YEAR, "last": self._last}
            raise FileRefused(reason % details, line)
        return read

    def compact(self, value: str, line: int | None) -> date:
        """YYYYMMDD."""
        if len(value) != 8:
            return self.of(value, line, "0", "0", "0")
        return self.of(value, line, value[:4], value[4:6], value[6:])

    def divided(self, value: str, line: int | None, by: str) -> date:
        """YYYY-MM-DD, with this character between the parts."""
        parts = value.split(by)
        if len(parts) != 3 or len(parts[0]) != 4:
            return self.of(value, line, "0", "0", "0")
        return self.of(value, line, *parts)


def text(value: str, most: int = DESCRIPTION) -> str:
    return " ".join(value.split())[:most]


def fitting(value: str, most: int, line: int | None) -> str:
    """A value that means something else when it is cut."""
    value = " ".join(value.split())
    if len(value) > most:
        reason = _("“%(value)s” has more than %(most)s characters.")
        raise FileRefused(reason % {"value": shown(value), "most": most}, line)
    return value


def reference(value: str, line: int | None) -> str:
    value = fitting(value, REFERENCE, line)
    return value.lstrip("0") if value.isascii() and value.isdigit() else value


def document(value: str, line: int | None) -> str:
    return fitting(_NOT_IN_DOCUMENTS.sub("", value), DOCUMENT, line)


def account_number(value: str) -> str:
    """The digits of an account's number."""
    return _NOT_IN_DOCUMENTS.sub("", value)


def second_account(first: str, second: str, line: int | None) -> FileRefused:
    reason = _(
        "The file has the accounts %(first)s and %(second)s. Export one file for each account."
    )
    return FileRefused(reason % {"first": shown(first), "second": shown(second)}, line)
