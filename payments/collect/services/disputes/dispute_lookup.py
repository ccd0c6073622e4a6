"""Finds and locks disputes and their orders: the order first, then the dispute."""

from django.db.models import Q, QuerySet

from payments.collect.models import Charge, Dispute, Order
from payments.collect.services.errors import UnknownCharge
from payments.collect.services.orders.lookup import lock_order
from payments.collect.services.resolution import refundable_amounts
from payments.core.ids import is_id


def lock_dispute(dispute: Dispute) -> Dispute:
    """Locks the dispute and its order."""
    order = lock_order(dispute.order_id)
    rows = Dispute.objects.select_related("charge").select_for_update(of=("self",))
    locked = rows.get(pk=dispute.pk)
    locked.order = order
    return locked


def lock_reported(charge: Charge, reference: str) -> tuple[Order, Dispute | None]:
    """Returns the order that the claim is against, and the dispute if it is known. Both are locked.

    The charge's own order is locked with them. So two messages about one case wait for each
    other, even if an operator applies the money to another order in between.
    """
    known = _reported(charge, reference)
    order_id = known.values_list("order_id", flat=True).first() or refundable_amounts.paid_order_id(
        charge
    )
    orders = {pk: lock_order(pk) for pk in sorted({charge.order_id, order_id})}
    dispute = known.select_for_update(of=("self",)).first()
    if dispute is None:
        return orders[order_id], None
    dispute.order = orders.get(dispute.order_id) or lock_order(dispute.order_id)
    return dispute.order, dispute


def find_charge(*, provider: str, reference: str) -> Charge:
    """The charge of this provider that the rail knows. Raises UnknownCharge."""
    found = None
    if is_id(reference, "chg"):
        known = Charge.objects.filter(pk=reference, provider=provider)
        found = known.select_related("order", "origin__order").first()
    if found is None:
        raise UnknownCharge
    return found.origin or found


def _reported(charge: Charge, reference: str) -> QuerySet[Dispute]:
    """Rows of earlier releases do not name the charge."""
    return Dispute.objects.select_related("charge").filter(
        Q(charge=charge) | Q(charge=None, order=charge.order_id),
        provider=charge.provider,
        provider_reference=reference,
    )
