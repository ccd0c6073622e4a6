"""When the bank's files arrive: daily and overlapping ones, one day missing at first."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from tests.reconciliation.shop.bank_calendar import moment
from tests.reconciliation.shop.lines import BankLine
from tests.reconciliation.shop.plan import Month
from tests.reconciliation.shop.writers import (
    asobancaria,
    bancolombia,
    bogota,
    camt053,
    mt940,
    occidente,
    own_csv,
)
from tests.reconciliation.shop.writers.period import Account, period

WRITERS = {
    "asobancaria2001": (asobancaria.write, "txt"),
    "bancolombia": (bancolombia.write, "csv"),
    "bogota": (bogota.write, "csv"),
    "occidente": (occidente.write, "csv"),
    "camt053": (camt053.write, "xml"),
    "mt940": (mt940.write, "sta"),
    "own": (own_csv.write, "csv"),
}
# The format in which the bank gives two days once more.
SECOND = {"own": "camt053", "camt053": "own", "mt940": "camt053"}
ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Delivery:
    """A file as the operator gets it. `is_after_gap`: the day before it has not arrived."""

    at: datetime
    name: str
    format: str
    data: bytes
    first_day: date
    last_day: date
    is_after_gap: bool = False


def deliveries(
    month: Month, booked: list[BankLine], format: str, account: Account
) -> list[Delivery]:
    """All files of the month in the order of their arrival.

    Referenced collections are not all movements: those files come with complete ones.
    """
    made = _Deliveries(month, booked, account)
    if format == "asobancaria2001":
        found = [*made.daily(format, 6), *made.complete("bancolombia", 9)]
    else:
        found = list(made.complete(format, 6))
    return sorted(found, key=lambda delivery: delivery.at)


class _Deliveries:
    def __init__(self, month: Month, booked: list[BankLine], account: Account) -> None:
        self.month, self.booked, self.account = month, booked, account

    def complete(self, format: str, hour: float) -> Iterator[Delivery]:
        """Daily and overlapping files, two days in a second format, at last the whole month."""
        yield from self.daily(format, hour)
        yield from self._overlapping(format)
        days = self.month.days
        for day in (days[3], days[22]):
            yield self._file(SECOND.get(format, "mt940"), day, day, moment(day, 24 + hour + 1))
        missing = self.month.missing_day
        yield self._file(format, missing, missing, moment(missing, 24 * 6 + 12))
        yield self._file(format, days[0], days[-1], moment(days[-1], 24 + 15))

    def daily(self, format: str, hour: float) -> Iterator[Delivery]:
        missing = self.month.missing_day
        for day in self.month.days:
            if day != missing:
                at = moment(day, 24 + hour)
                yield self._file(format, day, day, at, is_after_gap=day == missing + ONE_DAY)

    def _overlapping(self, format: str) -> Iterator[Delivery]:
        """On Tuesdays the days since Friday once more."""
        for day in self.month.days[3:]:
            first = day - 3 * ONE_DAY
            if day.weekday() == 0 and not first <= self.month.missing_day <= day:
                yield self._file(format, first, day, moment(day, 24 + 10))

    def _file(
        self, format: str, first: date, last: date, at: datetime, *, is_after_gap: bool = False
    ) -> Delivery:
        write, ending = WRITERS[format]
        content = period(self.account, self.booked, self.month.opening, first, last)
        name = f"{format}-{first:%m%d}-{last:%m%d}.{ending}"
        return Delivery(at, name, format, write(content), first, last, is_after_gap)
