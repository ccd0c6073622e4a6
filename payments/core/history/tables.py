"""Which tables have monthly partitions. An app declares its own as `history` on its AppConfig."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.apps import apps
from django.conf import settings

from payments.core.ids import first_of
from payments.core.metrics import AppMetrics

# A numeric id is the milliseconds of its creation and this many bits of a sequence.
SEQUENCE_BITS = 20
# The first partition has everything up to a month that is at least this far ahead, so that the
# CHECK constraint of an interrupted conversion refuses no row before it is dropped.
MARGIN = timedelta(days=28)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryTable:
    """
    table       its primary key `id` sorts by time.
    prefix      of its ids; empty for numeric ids, which become sortable by the conversion.
    first_kept  returns the time since which rows are kept; None: all.
    kept        SQL on a row `h`: what is never dropped, however old. May use %(open)s.
    is_private  it is dropped without a file, and without an operator's command.
    in_batches  it has no partitions; its old rows are deleted.
    not_unique  columns whose own keys and indexes the conversion drops.
    prepare     called before the conversion.
    forget      called with the bound below which rows were dropped.
    """

    table: str
    prefix: str = ""
    first_kept: Callable[[datetime], datetime | None]
    kept: str = "false"
    is_private: bool = False
    in_batches: bool = False
    not_unique: tuple[str, ...] = ()
    prepare: Callable[[], None] | None = None
    forget: Callable[[str], None] | None = None

    def bound(self, at: datetime) -> str | int:
        """The lower bound of the ids since then."""
        if self.prefix:
            return first_of(self.prefix, at)
        return int(at.timestamp() * 1000) << SEQUENCE_BITS

    def literal(self, at: datetime) -> str:
        """The bound as SQL."""
        bound = self.bound(at)
        return f"'{bound}'" if isinstance(bound, str) else str(bound)

    def is_within(self, at: datetime, below: str | int) -> bool:
        """Whether the ids of that time are below the bound."""
        bound = self.bound(at)
        if isinstance(bound, str):
            return bound < str(below)
        return bound < int(below)

    @property
    def default(self) -> str:
        """The partition of rows whose month has none, and of old rows that are kept."""
        return f"{self.table}_default"

    def partition(self, month: datetime) -> str:
        return f"{self.table}_{month:%Y_%m}"

    def first_partition(self, until: datetime) -> str:
        """Its name has the last month in it."""
        return f"{self.table}_until_{until - timedelta(days=1):%Y_%m}"


def tables() -> Iterator[HistoryTable]:
    for config in apps.get_app_configs():
        yield from getattr(config, "history", ())


def table(name: str) -> HistoryTable:
    return next(each for each in tables() if each.table == name)


def open_subjects() -> str:
    """SQL of the ids whose history is kept: open payments, refunds, disputes.

    Of outgoing payments by the table that an app declares in its metrics. An app declares others as
    `open_subjects` on its AppConfig.
    """
    configs = [*apps.get_app_configs()]
    queries = [
        f"SELECT id FROM {outgoing.table}"
        " WHERE status IN ('PENDING', 'PROCESSING') OR needs_operator"
        for config in configs
        for outgoing in getattr(config, "metrics", AppMetrics()).outgoing.values()
    ]
    queries += [query for config in configs for query in getattr(config, "open_subjects", ())]
    return " UNION ALL ".join(queries) or "SELECT NULL::text WHERE false"


def month_of(at: datetime) -> datetime:
    """The first moment of the month, in UTC."""
    utc = at.astimezone(UTC)
    return datetime(utc.year, utc.month, 1, tzinfo=UTC)


def months_later(month: datetime, count: int) -> datetime:
    years, index = divmod(month.month - 1 + count, 12)
    return month.replace(year=month.year + years, month=index + 1)


def for_months(setting: str) -> Callable[[datetime], datetime | None]:
    """Kept for so many whole months. 0 keeps everything."""

    def first_kept(now: datetime) -> datetime | None:
        count = getattr(settings, setting)
        return months_later(month_of(now), -count) if count else None

    return first_kept


def for_days(setting: str) -> Callable[[datetime], datetime | None]:
    return lambda now: now - timedelta(days=getattr(settings, setting))
