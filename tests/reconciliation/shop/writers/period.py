"""What one file of a bank tells: an account, its days, its movements."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from tests.reconciliation.shop.lines import BankLine


@dataclass(frozen=True)
class Account:
    number: str
    bank: str = "007"
    nit: str = "900123456"
    holder: str = "TIENDA EJEMPLO SAS"


@dataclass(frozen=True)
class Period:
    account: Account
    first_day: date
    last_day: date
    opening: Decimal
    lines: tuple[BankLine, ...]

    @property
    def closing(self) -> Decimal:
        return self.opening + sum((line.amount for line in self.lines), Decimal(0))

    def by_day(self) -> Iterator["Period"]:
        """The same, one day each; days without movements, too."""
        opening, day = self.opening, self.first_day
        while day <= self.last_day:
            lines = tuple(line for line in self.lines if line.day == day)
            today = Period(self.account, day, day, opening, lines)
            yield today
            opening, day = today.closing, day + timedelta(days=1)


def period(
    account: Account, booked: list[BankLine], opening: Decimal, first_day: date, last_day: date
) -> Period:
    """The days of a whole month's lines; `opening` is the month's."""
    before = sum((line.amount for line in booked if line.day < first_day), Decimal(0))
    lines = tuple(line for line in booked if first_day <= line.day <= last_day)
    return Period(account, first_day, last_day, opening + before, lines)
