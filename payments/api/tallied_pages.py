"""Pages of long lists, at the same cost for ten rows and ten million.

A table of tallies has the number of rows of each UTC day. It gives the total, and the day on which
a page begins. So a page reads only the index entries of that day and its own rows.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Protocol, TypeVar

from django.db.models import Model, QuerySet, Sum

M = TypeVar("M", bound=Model)
ONE_DAY = timedelta(days=1)


class Period(Protocol):
    """From `created_from` (included) to `created_to` (excluded). None means no limit."""

    @property
    def created_from(self) -> datetime | None: ...
    @property
    def created_to(self) -> datetime | None: ...


def narrow(rows: QuerySet[M], **lookups: object) -> QuerySet[M]:
    """Filters by the lookups that are not None."""
    return rows.filter(**{name: value for name, value in lookups.items() if value is not None})


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of the period.

    It has the number of matching rows before `end` and after the next segment's end.
    """

    end: datetime
    rows: int


def find_segments(
    tallies: QuerySet[Model], column: str, matching: QuerySet[Model], period: Period
) -> list[Segment]:
    """The days of the period, newest first.

    The rows of a whole day are those in `column` of the tallies. On a day that the period cuts, the
    rows of `matching` are counted.
    """
    found = []
    days = _within(tallies, period).order_by("-day").values_list("day").annotate(Sum(column))
    for day, rows in days:
        start, end = _midnight(day), _midnight(day + ONE_DAY)
        if _cuts(period.created_from, start, end) or _cuts(period.created_to, start, end):
            rows = matching.filter(created_at__gte=start, created_at__lt=end).count()
        found.append(Segment(end, rows))
    return found


def locate(segments: Iterable[Segment], offset: int) -> tuple[datetime, int] | None:
    """The time before which a page begins, and the rows to skip there.

    None if the page is past the last row.
    """
    for segment in segments:
        if offset < segment.rows:
            return segment.end, offset
        offset -= segment.rows
    return None


def _within(tallies: QuerySet[Model], period: Period) -> QuerySet[Model]:
    if period.created_from is not None:
        tallies = tallies.filter(day__gte=period.created_from.astimezone(UTC).date())
    if period.created_to is not None:
        # The end is excluded, so a day that begins at this time has no rows.
        end = period.created_to.astimezone(UTC)
        within = "day__lt" if end.time() == time.min else "day__lte"
        tallies = tallies.filter(**{within: end.date()})
    return tallies


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=UTC)


def _cuts(at: datetime | None, start: datetime, end: datetime) -> bool:
    return at is not None and start < at < end
