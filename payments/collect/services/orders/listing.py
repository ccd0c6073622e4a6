"""Lists and statistics of a merchant's orders, at the same cost for ten orders and ten million."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import QuerySet, Sum

from merchants.models import Merchant
from payments.api.tallied_pages import find_segments, locate, narrow
from payments.collect.models import Order, OrderTally
from payments.core import replica


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderFilters:
    """A filter that is None does not narrow the list. `created_to` is excluded."""

    status: str | None = None
    reference: str | None = None
    created_from: datetime | None = None
    created_to: datetime | None = None


def list_orders(
    *, merchant: Merchant, limit: int, offset: int, filters: OrderFilters
) -> tuple[list[Order], int]:
    """One page of the merchant's orders, newest first, and how many match in all."""
    if filters.reference is not None:  # unique: at most one row
        matching = _matching(merchant, filters)
        return _slice(matching, offset, limit), matching.count()
    return _page(merchant, limit, offset, filters)


@replica.may_lag
def _page(
    merchant: Merchant, limit: int, offset: int, filters: OrderFilters
) -> tuple[list[Order], int]:
    matching = _matching(merchant, filters)
    tallies = narrow(OrderTally.objects.filter(merchant=merchant), status=filters.status)
    segments = find_segments(tallies, "orders", matching, filters)
    total = sum(segment.rows for segment in segments)
    if (place := locate(segments, offset)) is None:
        return [], total
    end, offset = place
    return _slice(matching.filter(created_at__lt=end), offset, limit), total


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
    return narrow(
        Order.objects.filter(merchant=merchant),
        status=filters.status,
        reference=filters.reference,
        created_at__gte=filters.created_from,
        created_at__lt=filters.created_to,
    )


def _slice(orders: QuerySet[Order], offset: int, limit: int) -> list[Order]:
    """Newest first. Reads the ids from the index alone, and then only the rows of the page."""
    newest = orders.order_by("-created_at", "-id").values_list("pk", flat=True)
    ids = list(newest[offset : offset + limit])
    rows = Order.objects.in_bulk(ids)
    return [rows[pk] for pk in ids]
