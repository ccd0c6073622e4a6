"""How tests of what comes after a payment talk: pay an order, ask for a refund, decide, send."""

from typing import Any

from payments.collect.models import Order, Refund
from payments.collect.services.refunds import refund_approvals
from payments.collect.services.refunds.refund_engine import engine
from payments.core import clock, jsontext
from payments.simulator import magic
from payments.simulator.magic import OutgoingProduct
from tests.support.charges import create, say, start
from tests.support.fixtures import ApiClient
from webhooks.models import Event

AFTER = (
    "payment.refunded",
    "payment.partially_refunded",
    "refund.requested",
    "refund.approved",
    "refund.rejected",
    "refund.completed",
    "payment.cancelled",
    "payment.confirmed",
    "payment.disputed",
    "payment.chargeback",
)
# The payer's document that makes the simulator behave so when it returns money.
DOCUMENTS = {
    behaviour.name: document
    for document, behaviour in magic.OUTGOING_BY_KEY[OutgoingProduct.REFUND].items()
}


def paid(api: ApiClient, magic: str = "", **changes: Any) -> Order:
    """An order of 50,000 that was paid by PSE: the payer paid 50,025."""
    if magic:
        changes["customerDocNumber"] = DOCUMENTS[magic]
    order = create(api, **changes)
    charge = start(order)
    say(charge, "SUCCEEDED", charge.amount)
    order.refresh_from_db()
    assert order.status == "COMPLETED"
    return order


def ask(api: ApiClient, order: Order, key: str = "r-1", **body: Any) -> Any:
    """POST /collect/{id}/refunds."""
    return api.post(
        f"/collect/{order.pk}/refunds",
        {"reason": "The coffee was cold", **body},
        headers={"Idempotency-Key": key},
    )


def asked(api: ApiClient, order: Order, key: str = "r-1", **body: Any) -> Refund:
    answer = ask(api, order, key, **body)
    assert answer.status_code == 201, answer.content
    return Refund.objects.get(pk=answer.body["data"]["id"])


def approve(refund: Refund, actor: str = "ana") -> Refund:
    """An operator agrees, and the task of the wake-up runs."""
    refund_approvals.approve(refund=refund, actor=actor, reason="seen", now=clock.now())
    engine.send(payment_id=refund.pk, now=clock.now())
    refund.refresh_from_db()
    return refund


def reject(refund: Refund, actor: str = "ana") -> Refund:
    refund_approvals.reject(refund=refund, actor=actor, reason="not cold", now=clock.now())
    refund.refresh_from_db()
    return refund


def told(order: Order) -> list[tuple[str, dict[str, Any]]]:
    """(kind, data) of each event about the order, oldest first."""
    rows = Event.objects.filter(subject_id=order.pk).order_by("place__id")
    return [(row.kind, jsontext.loads(bytes(row.body))["data"]) for row in rows]
