"""What the parts of the console's first page share.

Each query reads an index or a tally, never a whole table. Days are days in Bogotá. Results hold
numbers only, so that users of the same scope share the cache.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, TypeVar

import structlog
from django.core.cache import cache
from django.db.models import Count, Model, QuerySet
from django.db.models.functions import TruncDate
from django.http import HttpRequest

from payments.console.charts import Series
from payments.console.registry import Text
from payments.console.tenancy import Scope
from payments.core import days, ids

T = TypeVar("T")
M = TypeVar("M", bound=Model)
log = structlog.get_logger(__name__)
CHART_DAYS = 30
NOW_SECONDS, DAYS_SECONDS = 30, 300
# Ids and `created_at` come from the clocks of two machines, which may differ.
CLOCK_MARGIN = timedelta(hours=1)
# Label, colour, statuses.
Group = tuple[Text, str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Overview:
    """The data from which an app makes its part of the page."""

    request: HttpRequest
    now: datetime
    scope: Scope

    def may(self, right: str) -> bool:
        return self.request.user.has_perm(right)

    def cached(
        self,
        name: str,
        seconds: int,
        compute: Callable[[Scope, datetime], T],
        *,
        state: object = "",
    ) -> T:
        """`state` changes with the figures: a merchant sees its first sale at once."""
        # Yesterday's figures must not appear after midnight.
        name = f"{name}:{days.day_of(self.now)}:{state}"
        return cached(name, self.scope, seconds, lambda: compute(self.scope, self.now))


def cached(name: str, scope: Scope, seconds: int, compute: Callable[[], T]) -> T:
    """The result of `compute`, at most `seconds` old. Without Redis it is computed each time."""
    whose = "all" if scope is None else hashlib.sha256(",".join(sorted(scope)).encode()).hexdigest()
    key = f"first-page:{name}:{whose}"
    try:
        if (value := cache.get(key)) is not None:
            found: T = value
            return found
    except Exception as error:  # any error of the client library
        log.warning("console.cache_unavailable", error=type(error).__name__)
        return compute()
    value = compute()
    try:
        cache.set(key, value, seconds)
    except Exception as error:
        log.warning("console.cache_unavailable", error=type(error).__name__)
    return value


def limit_to_scope(rows: QuerySet[Any], scope: Scope) -> QuerySet[Any]:
    return rows if scope is None else rows.filter(merchant__in=sorted(scope))


def chart_days(now: datetime) -> list[date]:
    """The days of a chart. Today is the last one."""
    first = first_chart_day(now)
    return [first + timedelta(days=number) for number in range(CHART_DAYS)]


def first_chart_day(now: datetime) -> date:
    return days.day_of(now) - timedelta(days=CHART_DAYS - 1)


def created_since(model: type[M], prefix: str, since: datetime, scope: Scope) -> QuerySet[M]:
    """Rows since then, by the primary key or by the merchant's index."""
    rows = model._default_manager.filter(created_at__gte=since)
    if scope is None:
        rows = rows.filter(pk__gte=ids.first_of(prefix, since - CLOCK_MARGIN))
    return limit_to_scope(rows, scope)


def count_by_day(rows: QuerySet[M]) -> dict[date, dict[str, int]]:
    """{day of creation: {status: number of rows}}"""
    dated = rows.annotate(day=TruncDate("created_at", tzinfo=days.BOGOTA))
    by_day: dict[date, dict[str, int]] = {}
    for row in dated.values("day", "status").annotate(count=Count("*")):
        by_day.setdefault(row["day"], {})[row["status"]] = row["count"]
    return by_day


def grouped(
    days: Sequence[date], states: Mapping[date, Mapping[str, int]], groups: Sequence[Group]
) -> list[Series]:
    series = []
    for label, colour, members in groups:
        values = [int(sum(states.get(day, {}).get(each, 0) for each in members)) for day in days]
        series.append(Series(label, colour, values, [f"{value}" for value in values]))
    return series
