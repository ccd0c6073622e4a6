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
    format: str
    first_day: date
    last_day: date
    is_after_gap: bool = False

    @property
    def name(self) -> str:
        _write, ending = WRITERS[self.format]
        return f"{self.format}-{self.first_day:%m%d}-{self.last_day:%m%d}.{ending}"

    def data(self, month: Month, booked: list[BankLine], account: Account) -> bytes:
        """The file; `booked` reaches at least to its last day."""
        write, _ending = WRITERS[self.format]
        return write(period(account, booked, month.opening, self.first_day, self.last_day))


def deliveries(month: Month, format: str) -> list[Delivery]:
    """All files of the month in the order of their arrival.

    Referenced collections are not all movements: those files come with complete ones.
    """
    if format == "asobancaria2001":
        found = [*_daily(month, format, 6), *_complete(month, "bancolombia", 9)]
    else:
        found = list(_complete(month, format, 6))
    return sorted(found, key=lambda delivery: delivery.at)


def _complete(month: Month, format: str, hour: float) -> Iterator[Delivery]:
    """Daily and overlapping files, two days in a second format, at last the whole month."""
    yield from _daily(month, format, hour)
    yield from _overlapping(month, format)
    days, missing = month.days, month.missing_day
    for day in (days[3], days[26]):
        yield Delivery(moment(day, 24 + hour + 1), SECOND.get(format, "mt940"), day, day)
    yield Delivery(moment(missing, 24 * 6 + 12), format, missing, missing)
    yield Delivery(moment(days[-1], 24 + 15), format, days[0], days[-1])


def _daily(month: Month, format: str, hour: float) -> Iterator[Delivery]:
    for day in month.days:
        if day != month.missing_day:
            is_after_gap = day == month.missing_day + ONE_DAY
            yield Delivery(moment(day, 24 + hour), format, day, day, is_after_gap)


def _overlapping(month: Month, format: str) -> Iterator[Delivery]:
    """On Tuesdays the days since Friday once more."""
    for day in month.days[3:]:
        first = day - 3 * ONE_DAY
        if day.weekday() == 0 and not first <= month.missing_day <= day:
            yield Delivery(moment(day, 24 + 10), format, first, day)
