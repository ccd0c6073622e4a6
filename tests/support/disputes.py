"""How tests of disputes talk: the rail claims money back, and what that does to the balances."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from merchants.models import Merchant
from payments.collect.models import Charge, Dispute, Order
from payments.core import clock
from payments.ledger import services as ledger
from payments.ledger.models import Posting
from payments.providers.ports import DisputeKind, DisputeState, DisputeUpdate
from payments.simulator import disputes as rail
from tests.support.refunds import told

DUE = clock.now().replace(microsecond=0) + timedelta(days=10)


def spend(merchant: Merchant, amount: int) -> None:
    """Money that has left by some other way."""
    ledger.post(
        kind="test",
        subject_id="po_1",
        idempotency_key=f"spent-{amount}",
        lines=[
            ledger.PostingLine(ledger.available(merchant.pk, "COPM"), Decimal(-amount)),
            ledger.PostingLine(ledger.clearing("BANK", "COPM"), Decimal(amount)),
        ],
        now=clock.now(),
    )


def update(order: Order, state: str = "OPEN", kind: str = "DISPUTE", **changes: Any) -> Any:
    values: dict[str, Any] = {
        "reference": "case-7",
        "charge_reference": Charge.objects.get(order=order).pk,
        "kind": DisputeKind(kind),
        "state": DisputeState(state),
        "amount": Decimal(50_025),
        "currency": "COP",
        "reason": "The payer knows nothing of it",
        "evidence_due_at": DUE,
        "occurred_at": clock.now(),
    }
    return DisputeUpdate(**{**values, **changes})


def tell(order: Order, *args: Any, **changes: Any) -> Dispute:
    """The rail says it, with its signature."""
    assert rail.send_callback(update(order, *args, **changes)) == 200
    return Dispute.objects.get(provider_reference=changes.get("reference", "case-7"))


def system(kind: str) -> Decimal:
    rows = Posting.objects.filter(account__kind=kind, account__currency="COPM")
    return sum(rows.values_list("amount", flat=True), Decimal(0))


def kinds(order: Order) -> list[str]:
    after_payment = ("payment.completed", "payment.confirmed")
    return sorted(kind for kind, _ in told(order) if kind not in after_payment)
