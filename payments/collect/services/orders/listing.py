"""Lists and statistics of a merchant's orders, at the same cost for ten orders and ten million.

The tally by day says how many orders match and on which day a far page begins, so that a page
reads no more of the index than that day and itself.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

from django.db.models import QuerySet, Sum

from merchants.models import Merchant
from payments.collect.models import Order, OrderTally
from payments.core import replica

ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderFilters:
    """What a list is narrowed to; None does not narrow. `created_to` is excluded."""

    status: str | None = None
    reference: str | None = None
    created_from: datetime | None = None
    created_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Segment:
    """So many matching orders were created before `end` and since the next segment's end."""

    end: datetime
    orders: int


def list_orders(
    *, merchant: Merchant, limit: int, offset: int, filters: OrderFilters
) -> tuple[list[Order], int]:
    """One page of the merchant's orders, newest first, and how many match in all."""
    matching = _matching(merchant, filters)
    if filters.reference is not None:
        # Unique: at most one row.
        total = matching.count()
        return _newest_first(matching)[offset : offset + limit], total
    return _page(merchant, limit, offset, filters)


@replica.may_lag
def _page(
    merchant: Merchant, limit: int, offset: int, filters: OrderFilters
) -> tuple[list[Order], int]:
    matching = _matching(merchant, filters)
    segments = list(_segments(merchant, filters, matching))
    total = sum(segment.orders for segment in segments)
    if offset >= total:
        return [], total
    for segment in segments:
        if offset < segment.orders:
            matching = matching.filter(created_at__lt=segment.end)
            break
        offset -= segment.orders
    return _newest_first(matching)[offset : offset + limit], total


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderStatistics:
    """Counts by status and the sums collected (contract, Collection statistics)."""

    total: int
    pending: int
    completed: int
    failed: int
    collected: Decimal
    collected_by_currency: dict[str, Decimal]


@replica.may_lag
def order_statistics(*, merchant: Merchant) -> OrderStatistics:
    tallies = OrderTally.objects.filter(merchant=merchant).values_list("status", "currency")
    rows = list(tallies.annotate(Sum("orders"), Sum("amount")))

    def count(*statuses: str) -> int:
        return sum(orders for status, _, orders, _ in rows if status in statuses)

    collected = {
        currency: amount
        for status, currency, orders, amount in rows
        if status == Order.Status.COMPLETED and orders
    }
    return OrderStatistics(
        total=count(*Order.Status.values),
        pending=count(Order.Status.PENDING),
        completed=count(Order.Status.COMPLETED),
        failed=count(Order.Status.FAILED),
        collected=sum(collected.values(), Decimal(0)),
        collected_by_currency=collected,
    )


def _matching(merchant: Merchant, filters: OrderFilters) -> QuerySet[Order]:
    wanted = {
        "status": filters.status,
        "reference": filters.reference,
        "created_at__gte": filters.created_from,
        "created_at__lt": filters.created_to,
    }
    given = {name: value for name, value in wanted.items() if value is not None}
    return Order.objects.filter(merchant=merchant, **given)


def _newest_first(orders: QuerySet[Order]) -> "_Slices":
    return _Slices(orders.order_by("-created_at", "-id"))


class _Slices:
    """Selects the ids of a slice from the index alone, and joins the rows late."""

    def __init__(self, orders: QuerySet[Order]) -> None:
        self._orders = orders

    def __getitem__(self, window: slice) -> list[Order]:
        ids = list(self._orders.values_list("pk", flat=True)[window])
        rows = Order.objects.in_bulk(ids)
        return [rows[pk] for pk in ids]


def _segments(
    merchant: Merchant, filters: OrderFilters, matching: QuerySet[Order]
) -> Iterator[_Segment]:
    """The days that match, newest first. Whole days are tallied, cut ones counted."""
    for day, orders in _days(merchant, filters):
        start, end = _midnight(day), _midnight(day + ONE_DAY)
        if _cuts(filters.created_from, start, end) or _cuts(filters.created_to, start, end):
            orders = matching.filter(created_at__gte=start, created_at__lt=end).count()
        yield _Segment(end, orders)


def _days(merchant: Merchant, filters: OrderFilters) -> QuerySet[OrderTally, tuple[date, int]]:
    tallies = OrderTally.objects.filter(merchant=merchant)
    if filters.status is not None:
        tallies = tallies.filter(status=filters.status)
    if filters.created_from is not None:
        tallies = tallies.filter(day__gte=filters.created_from.astimezone(UTC).date())
    if filters.created_to is not None:
        # Excluded: a day that begins then has none. There may be no earlier timestamp.
        end = filters.created_to.astimezone(UTC)
        within = "day__lt" if end.time() == time.min else "day__lte"
        tallies = tallies.filter(**{within: end.date()})
    days = tallies.order_by("-day").values_list("day")
    return days.annotate(Sum("orders"))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=UTC)


def _cuts(limit: datetime | None, start: datetime, end: datetime) -> bool:
    return limit is not None and start < limit < end
