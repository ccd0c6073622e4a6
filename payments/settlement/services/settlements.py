"""A merchant reads its closed days."""

from datetime import date

from merchants.models import Merchant
from payments.core.errors import NotFound
from payments.core.ids import is_id
from payments.settlement.models import Settlement


def list_settlements(
    *,
    merchant: Merchant,
    limit: int,
    offset: int,
    currency: str | None = None,
    first: date | None = None,
    last: date | None = None,
) -> tuple[list[Settlement], int]:
    """One page, newest day first, and how many match in all."""
    given = {"currency": currency, "date__gte": first, "date__lte": last}
    filters = {name: value for name, value in given.items() if value is not None}
    rows = Settlement.objects.filter(merchant=merchant, **filters)
    page = rows.order_by("-date", "currency").prefetch_related("tax_lines")
    return list(page[offset : offset + limit]), rows.count()


def find_settlement(*, merchant: Merchant, settlement_id: str) -> Settlement:
    """One of the merchant's. Raises NotFound, the same for absent, malformed and another's."""
    if is_id(settlement_id, "stl"):
        rows = Settlement.objects.filter(merchant=merchant).prefetch_related("tax_lines")
        if (settlement := rows.filter(pk=settlement_id).first()) is not None:
            return settlement
    raise NotFound
