"""A merchant's payments: one by its id, or a page of them."""

from dataclasses import dataclass
from datetime import datetime

from merchants.models import Merchant
from payments.api.tallied_pages import narrow
from payments.core.ids import is_id
from payments.outgoing.errors import PaymentNotFound
from payments.outgoing.product import P, Product


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentFilters:
    """None does not narrow. `created_to` is excluded."""

    status: str | None = None
    created_from: datetime | None = None
    created_to: datetime | None = None


def find_payment(product: Product[P], *, merchant: Merchant, payment_id: str) -> P:
    """Raises PaymentNotFound, the same for every reason."""
    model = product.model
    if is_id(payment_id, model.ID_PREFIX):
        found = model._default_manager.filter(pk=payment_id, merchant=merchant).first()
        if found is not None:
            return found
    raise PaymentNotFound(str(model._meta.verbose_name))


def list_payments(
    product: Product[P], *, merchant: Merchant, limit: int, offset: int, filters: PaymentFilters
) -> tuple[list[P], int]:
    """One page, newest first, and the number of matching payments.

    Never reads from a replica that may lag. A client that lost the response of a POST looks for
    the payment here, and would pay again if it was missing.
    """
    found = narrow(
        product.model._default_manager.filter(merchant=merchant),
        status=filters.status,
        created_at__gte=filters.created_from,
        created_at__lt=filters.created_to,
    )
    rows = found.order_by("-created_at", "-id")[offset : offset + limit]
    return list(rows), found.count()
