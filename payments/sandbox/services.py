"""Forces outcomes of payments by callbacks of the simulator."""

from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction

from merchants.models import Merchant, Method
from payments.collect.models import Charge, Dispute, Order, Refund
from payments.collect.services.charges import charge_creation, payin_accounts
from payments.collect.services.endings import expiry
from payments.collect.services.errors import MethodNotAvailable, OrderNotDisputable, OrderNotPayable
from payments.collect.services.orders import lookup
from payments.collect.services.refunds import refund_approvals, refund_requests
from payments.collect.services.refunds.refund_engine import engine as refund_engine
from payments.core import money
from payments.core.errors import NotAllowed
from payments.core.ids import new_id
from payments.core.reasons import MoveReason, ReasonCode
from payments.ledger import recipes
from payments.ledger import services as ledger
from payments.outgoing.engine import Engine
from payments.outgoing.models import OutgoingPayment
from payments.payout.models import Payout
from payments.payout.services.engine import engine as payout_engine
from payments.providers import ports
from payments.simulator import control, disputes, magic
from payments.simulator.rail import RAIL
from payments.simulator.records import NotPossible

ACTOR = "sandbox"
# Of a payer whom no page has asked.
PLAY_DOCUMENT = "1020304050"
# How long the payer's bank accepts evidence.
EVIDENCE_TIME = timedelta(days=10)
Status = OutgoingPayment.Status
# The statuses that a payout or refund can be brought to, by its present status.
REACHABLE: dict[str, tuple[str, ...]] = {
    Status.PENDING: ("COMPLETED", "FAILED", "REFUNDED"),
    Status.PROCESSING: ("COMPLETED", "FAILED", "REFUNDED"),
    Status.COMPLETED: ("REFUNDED",),
}
RAIL_STATES = {
    "COMPLETED": ports.OutgoingState.COMPLETED,
    "FAILED": ports.OutgoingState.FAILED,
    "REFUNDED": ports.OutgoingState.RETURNED,
}
# Decisions of an operator. In the sandbox the developer makes them.
DECISIONS = {"APPROVED": refund_approvals.approve, "REJECTED": refund_approvals.reject}
DEFAULT_FIELDS = {
    Method.PSE: {"bankCode": "1007", "personType": "NATURAL"},
    Method.BANK_TRANSFER: {},
}


def force_order(
    *,
    order: Order,
    status: str,
    now: datetime,
    method: str | None = None,
    amount: Decimal | None = None,
) -> None:
    """Brings the order to `status` as its rail would (docs/gaps.md, Sandbox).

    `amount`, in the order's currency, is what arrives; the default is what is missing. Raises
    OrderNotPayable for a move that is not allowed, and what start_charge raises.
    """
    if order.is_final:
        raise OrderNotPayable.because_over(order.status)
    if status == Order.Status.EXPIRED:
        _expire(order, now)
        return
    if status == Order.Status.COMPLETED:
        method = method or _way_of_the_rest(order)
    charge = _charge(order, method, now)
    if status == Order.Status.FAILED:
        _resolve(charge, ports.ChargeStatus.FAILED)
    else:
        _resolve(charge, ports.ChargeStatus.SUCCEEDED, charge.received + _due(charge, amount))


def force_payout(*, payout: Payout, status: str, now: datetime) -> None:
    """Brings the payout to `status` as its rail would. Raises NotAllowed."""
    _force_outgoing(payout_engine, payout, status, now)


def force_refund(*, refund: Refund, status: str, now: datetime) -> None:
    """Decides about the refund as an operator would, or brings it to `status` as its rail would.

    A refund that waits for a decision is approved first. Raises NotAllowed.
    """
    if (decide := DECISIONS.get(status)) is not None:
        decide(refund=refund, actor=ACTOR, reason=MoveReason(ReasonCode.SANDBOX), now=now)
        return
    if status not in REACHABLE.get(refund.status, ()):
        raise NotAllowed(f"A refund that is {refund.status} cannot become {status}.")
    if (refund.status, status) == (Status.PENDING, "FAILED"):
        document = refund.charge.payer.get("document_number", "")
        behaviour = magic.for_outgoing(magic.OutgoingProduct.REFUND, document)
        if behaviour.at_once == ports.OutgoingState.COMPLETED:
            raise NotAllowed(
                "The simulator returns this payer's money at once. For a refund that fails let the "
                "payer have its magic document number (docs/simulator.md, Refunds: pending)."
            )
    if refund.needs_approval:
        force_refund(refund=refund, status="APPROVED", now=now)
        refund.refresh_from_db()
    _force_outgoing(refund_engine, refund, status, now)


def open_dispute(
    *, order: Order, kind: str, amount: Decimal | None, reason: str, now: datetime
) -> Dispute:
    """Reports a dispute of the order. Raises OrderNotDisputable.

    `amount` is in the order's currency; the default is all that can be contested.
    """
    charge = lookup.settling_charge(order=order)
    claimed = refund_requests.refundable(order) if amount is None else amount
    if order.status != Order.Status.COMPLETED or charge is None or claimed <= 0:
        raise OrderNotDisputable
    update = ports.DisputeUpdate(
        reference=new_id("dsx"),
        charge_reference=charge.pk,
        kind=ports.DisputeKind(kind),
        state=ports.DisputeState.OPEN,
        amount=claimed,
        currency=order.currency,
        reason=reason,
        evidence_due_at=now + EVIDENCE_TIME,
        occurred_at=now,
    )
    _send_callback(update)
    opened: Dispute = order.disputes.get(provider=RAIL.code, provider_reference=update.reference)
    return opened


def decide_dispute(*, dispute: Dispute, status: str, now: datetime) -> None:
    """The payer's bank decides: WON or LOST, from the merchant's side. Raises NotAllowed."""
    if dispute.status != Dispute.Status.OPEN or dispute.provider != RAIL.code:
        raise NotAllowed(f"A dispute that is {dispute.status} cannot become {status}.")
    update = ports.DisputeUpdate(
        reference=dispute.provider_reference or "",
        charge_reference=dispute.charge_id or "",
        kind=ports.DisputeKind(dispute.kind),
        state=ports.DisputeState(status),
        amount=dispute.claimed,
        currency=dispute.order.currency,
        reason=dispute.reason,
        evidence_due_at=dispute.evidence_due_at,
        occurred_at=now,
    )
    _send_callback(update)


def credit_balance(*, merchant: Merchant, currency: str, amount: Decimal, now: datetime) -> Decimal:
    """Credits play money. Returns the available balance."""
    with transaction.atomic():
        recipes.sandbox_credited(
            merchant_id=merchant.pk,
            currency=currency,
            amount=amount,
            reference=new_id("sbx"),
            now=now,
        )
    return ledger.balances(merchant.pk)[currency]["available"]


def _force_outgoing(
    engine: Engine[Any], payment: OutgoingPayment, status: str, now: datetime
) -> None:
    noun = payment._meta.model_name
    if status not in REACHABLE.get(payment.status, ()):
        raise NotAllowed(f"A {noun} that is {payment.status} cannot become {status}.")
    if payment.is_held_back:
        raise NotAllowed(f"The {noun} waits for approval.")
    if payment.status == Status.PENDING:
        engine.send(payment_id=payment.pk, now=now)
        payment.refresh_from_db()
        if payment.status == status:
            return
        if status not in REACHABLE.get(payment.status, ()):
            raise NotAllowed(f"The rail made the {noun} {payment.status} at once.")
    try:
        control.resolve(payment.provider_reference, RAIL_STATES[status])
    except (NotPossible, control.UnknownReference) as error:
        raise NotAllowed(f"The simulated rail does not do this. {error}") from error


def _send_callback(update: ports.DisputeUpdate) -> None:
    status = disputes.send_callback(update)
    if status != RAIL.callback_answer.status:
        raise NotAllowed(f"Our own callback returned {status} to the rail.")


def _expire(order: Order, now: datetime) -> None:
    if Charge.objects.on_its_way(order).exists():
        raise OrderNotPayable("A payment of this order was seen and is being confirmed.")
    for charge in order.charges.filter(status=Charge.Status.PENDING):
        _resolve(charge, ports.ChargeStatus.ABANDONED)
    with transaction.atomic():
        locked = lookup.lock_order(order.pk)
        if locked.is_final:
            raise OrderNotPayable.because_over(locked.status)
        expiry.expire_order(
            order=locked, now=now, actor=ACTOR, reason=MoveReason(ReasonCode.MERCHANT_ASKED)
        )


def _resolve(charge: Charge, status: ports.ChargeStatus, received: Decimal | None = None) -> None:
    try:
        control.resolve(charge.pk, status, received=received)
    except (NotPossible, control.UnknownReference) as error:
        raise OrderNotPayable(f"The simulated rail does not do this. {error}") from error


def _way_of_the_rest(order: Order) -> str | None:
    """A bank debits once, so what a debit left open comes in another way. None: in any."""
    known = charge_creation.get_open_charge(order)
    if known is None or known.method != Method.PSE or not known.received:
        return None
    for method in order.allowed_methods:
        if method != Method.PSE:
            return str(method)
    raise OrderNotPayable(
        "A bank debits once, and this order allows only PSE. Send the whole amount in the first "
        "request."
    )


def _payer(order: Order, method: str) -> ports.Payer:
    """With a document, if the payment page would ask for it."""
    payer = charge_creation.payer_of(order)
    if method == Method.PSE and not payer.document_type:
        return replace(payer, document_type="CC", document_number=PLAY_DOCUMENT)
    return payer


def _charge(order: Order, method: str | None, now: datetime) -> Charge:
    """The open charge of the method, or a new charge for the order's customer."""
    known = charge_creation.get_open_charge(order)
    if known is not None and method in (None, known.method):
        return known
    is_coin = order.currency != money.FIAT
    method = method or (Method.CRYPTO if is_coin else order.allowed_methods[0])
    fields = _coin(order) if method == Method.CRYPTO else dict(DEFAULT_FIELDS[Method(method)])
    return charge_creation.start_charge(
        order=order,
        choice=charge_creation.PaymentChoice(
            method=method,
            payer=_payer(order, method),
            fields=fields,
            return_url=order.collect_url,
        ),
        now=now,
    )


def _coin(order: Order) -> dict[str, str]:
    """The first that a payer may choose."""
    options = payin_accounts.coin_options(order)
    if not options:
        raise MethodNotAvailable
    return {"coin": options[0][0].code, "network": options[0][0].network}


def _due(charge: Charge, amount: Decimal | None) -> Decimal:
    """Converts `amount` from the order's currency to the charge's.

    The default is the missing amount.
    """
    if amount is None:
        return charge.amount - charge.received
    if charge.quote_id is None:
        return amount
    return money.quantize(charge.amount * amount / charge.covers, charge.currency)
