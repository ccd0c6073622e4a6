"""The closed days of a merchant: one by its id, or a page of them."""

from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext_noop as _

from merchants.models import Merchant
from payments.api.tallied_pages import narrow
from payments.core.errors import NotFound
from payments.core.ids import is_id
from payments.settlement.models import Settlement


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementFilters:
    """None does not narrow. Both days are included."""

    currency: str | None = None
    first: date | None = None
    last: date | None = None


def list_settlements(
    *, merchant: Merchant, limit: int, offset: int, filters: SettlementFilters
) -> tuple[list[Settlement], int]:
    """One page, newest day first, and how many match in all."""
    rows = narrow(
        Settlement.objects.filter(merchant=merchant),
        currency=filters.currency,
        date__gte=filters.first,
        date__lte=filters.last,
    )
    page = rows.order_by("-date", "currency").prefetch_related("tax_lines")
    return list(page[offset : offset + limit]), rows.count()


def find_settlement(*, merchant: Merchant, settlement_id: str) -> Settlement:
    """Raises NotFound, the same for absent, malformed and another merchant's."""
    if is_id(settlement_id, "stl"):
        rows = Settlement.objects.filter(merchant=merchant).prefetch_related("tax_lines")
        if (settlement := rows.filter(pk=settlement_id).first()) is not None:
            return settlement
    raise NotFound(_("There is no such settlement."))
