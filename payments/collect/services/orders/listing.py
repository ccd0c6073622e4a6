"""Lists and statistics of a merchant's orders, at the same cost for ten orders and ten million."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache

from django.db.models import QuerySet, Subquery, Sum

from merchants.models import Merchant
from payments.api.tallied_pages import find_segments, locate, narrow
from payments.collect.models import Order, OrderTally
from payments.collect.services.orders import charge_facts
from payments.core import replica
from payments.core.compiled_queries import CompiledQuery


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
    if offset == 0 and filters.created_from is None and filters.created_to is None:
        return _newest(merchant, limit, filters.status)
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


def _newest(merchant: Merchant, limit: int, status: str | None) -> tuple[list[Order], int]:
    given = (
        {"merchant": merchant.pk} if status is None else {"merchant": merchant.pk, "status": status}
    )
    orders = _newest_with_total(limit, by_status=status is not None).all(**given)
    # Without orders there is no row that could have the total.
    return orders, orders[0].total if orders else 0  # type: ignore[attr-defined]


@cache
def _newest_with_total(limit: int, *, by_status: bool) -> CompiledQuery[Order]:
    """The page that almost every caller wants, in one statement."""

    def page(**lookups: str) -> QuerySet[Order]:
        tallies = OrderTally.objects.filter(**lookups).values("merchant")
        total = tallies.annotate(total=Sum("orders")).values("total")
        orders = _with_charges(Order.objects.filter(**lookups)).annotate(total=Subquery(total))
        return orders.order_by("-created_at", "-id")[:limit]

    if by_status:
        return CompiledQuery(lambda merchant, status: page(merchant=merchant, status=status))
    return CompiledQuery(lambda merchant: page(merchant=merchant))


def _slice(orders: QuerySet[Order], offset: int, limit: int) -> list[Order]:
    """Newest first. Reads the ids from the index alone, and then only the rows of the page."""
    newest = orders.order_by("-created_at", "-id")
    if offset == 0:  # nothing to skip
        return [*_with_charges(newest)[:limit]]
    ids = newest.values("pk")[offset : offset + limit]
    page = Order.objects.filter(pk__in=ids).order_by("-created_at", "-id")
    return [*_with_charges(page)]


def _with_charges(orders: QuerySet[Order]) -> QuerySet[Order]:
    return orders.annotate(**{charge_facts.KNOWN: charge_facts.charges_of("pk")})
