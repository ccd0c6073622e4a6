"""Whether the movements of a file lead from its first balance to its last one."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import accumulate

from django.utils.translation import gettext as _

from payments.reconciliation.formats.values import FileRefused, ParsedLine

ZERO = Decimal(0)


def total(lines: Iterable[ParsedLine]) -> Decimal:
    return sum((line.amount for line in lines), ZERO)


def shown(pesos: Decimal) -> str:
    return f"{pesos:,.2f}"


def check_closing(
    opening: Decimal, lines: list[ParsedLine], closing: Decimal, at: int | None = None
) -> None:
    credits = total(line for line in lines if line.amount > 0)
    debits = -total(line for line in lines if line.amount < 0)
    if opening + credits - debits == closing:
        return
    reason = _(
        "Opening balance %(opening)s + credits %(credits)s − debits %(debits)s is %(sum)s, but the"
        " closing balance is %(closing)s."
    )
    figures = {
        "opening": opening,
        "credits": credits,
        "debits": debits,
        "sum": opening + credits - debits,
        "closing": closing,
    }
    raise FileRefused(reason % {name: shown(value) for name, value in figures.items()}, at)


@dataclass(frozen=True, slots=True)
class DayBalance:
    """What the bank says that was in the account before a day's movements, or after them."""

    line: int
    day: date
    pesos: Decimal
    is_before: bool


def check_days(
    lines: list[ParsedLine], balances: list[DayBalance]
) -> tuple[Decimal | None, Decimal | None]:
    """Opening and closing balance; None without balances. The order of the lines has no meaning."""
    if not balances:
        return None, None
    by_day: defaultdict[date, Decimal] = defaultdict(Decimal)
    for line in lines:
        by_day[line.booked_on] += line.amount
    days = sorted(by_day)
    sums = list(accumulate((by_day[day] for day in days), initial=ZERO))
    opening: Decimal | None = None
    for balance in balances:
        find = bisect_left if balance.is_before else bisect_right
        moved = sums[find(days, balance.day)]
        if opening is None:
            opening = balance.pesos - moved
        elif opening + moved != balance.pesos:
            raise _wrong(balance.line, balance.pesos, opening + moved, balance.day)
    return opening, opening + sums[-1] if opening is not None else None


def _wrong(line: int, said: Decimal, found: Decimal, day: date) -> FileRefused:
    reason = _("The balance of %(day)s is %(said)s, but the movements lead to %(found)s.")
    return FileRefused(reason % {"day": day, "said": shown(said), "found": shown(found)}, line)


class RunningBalance:
    """Follows the balances after each movement, oldest first, where lines have them."""

    def __init__(self) -> None:
        self.opening: Decimal | None = None
        self._moved = ZERO

    @property
    def closing(self) -> Decimal | None:
        return None if self.opening is None else self.opening + self._moved

    def add(self, pesos: Decimal) -> None:
        self._moved += pesos

    def check(self, said: Decimal, day: date, line: int) -> None:
        if self.opening is None:
            self.opening = said - self._moved
        elif self.opening + self._moved != said:
            raise _wrong(line, said, self.opening + self._moved, day)
