"""An operator's decision about money that belongs to no open order, with a reason.

The merchant gets the money (CREDITED), it pays another order (APPLIED), or it was returned to the
payer (RETURNED). Each is decided once. Locks are taken in this order: the other order, the funds,
the balances.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_noop as _

from payments.collect.models import Charge, Dispute, Order, UnmatchedFunds
from payments.collect.services.errors import (
    FundsContested,
    FundsDecided,
    FundsNotApplicable,
    OrderNotFound,
    OrderNotPayable,
)
from payments.collect.services.funds import incoming_funds
from payments.collect.services.orders.lookup import check_not_over, lock_order
from payments.core import audit, states
from payments.core.reasons import MoveReason, ReasonCode
from payments.ledger import recipes
from payments.providers import ports

Status = UnmatchedFunds.Status


@transaction.atomic
def credit(*, funds: UnmatchedFunds, actor: str, reason: str, now: datetime) -> None:
    """Credits the whole amount to the merchant, without a fee.

    Raises FundsDecided, FundsContested.
    """
    _resolve(funds, Status.CREDITED, actor=actor, reason=reason, now=now)
    recipes.unmatched_credited(_waiting(funds), now=now)


@transaction.atomic
def return_to_payer(
    *, funds: UnmatchedFunds, proof: str, actor: str, reason: str, now: datetime
) -> None:
    """Records that the operator returned the money by hand. `proof` is the bank's transfer number.

    Raises FundsDecided, FundsContested.
    """
    _resolve(funds, Status.RETURNED, actor=actor, reason=reason, now=now, proof=proof)
    account = funds.account or funds.charge.return_account(funds.currency)
    recipes.unmatched_returned(_waiting(funds), account=account, proof=proof, now=now)


def find_target(*, funds: UnmatchedFunds, name: str) -> Order:
    """The merchant's order with this id or reference. Raises OrderNotFound."""
    orders = Order.objects.filter(Q(pk=name) | Q(reference=name), merchant=funds.order.merchant_id)
    order = orders.order_by("-id").first()
    if order is None:
        raise OrderNotFound
    return order


@transaction.atomic
def apply_to(
    *, funds: UnmatchedFunds, order: Order, actor: str, reason: str, now: datetime
) -> Order:
    """Pays `order`, or a part of it, as if the money had arrived for it now.

    The excess returns to the queue. Raises FundsDecided, FundsContested and FundsNotApplicable.
    Raises OrderNotPayable if the order cannot be paid or a payer may be paying.
    """
    order = lock_order(order.pk)
    _check_target(funds, order, now)
    charge = _charge_for(funds, order, now)
    _resolve(funds, Status.APPLIED, actor=actor, reason=reason, now=now, applied_charge=charge)
    waiting = _waiting(funds)
    recipes.unmatched_applied(waiting, to_order_id=order.pk, charge_id=charge.pk, now=now)
    incoming_funds.apply(order, charge, _as_update(funds, charge, now), actor=actor, now=now)
    return order


def _resolve(
    funds: UnmatchedFunds, status: str, *, actor: str, reason: str, now: datetime, **changes: object
) -> None:
    """Records the decision. A second decision is refused."""
    if Dispute.objects.filter(charge=funds.charge.root_id, status=Dispute.Status.OPEN).exists():
        raise FundsContested
    try:
        decision = {"decided_at": now, "decided_by": actor, **changes}
        states.move(funds, status, now=now, actor=actor, reason=reason, **decision)
    except states.IllegalMove as error:
        raise FundsDecided from error
    facts = {name: str(value) for name, value in changes.items()} | {"currency": funds.currency}
    action = f"unmatched.{status.lower()}"
    audit.record(
        actor=actor, action=action, subject=funds, reason=reason, amount=funds.amount, **facts
    )


def _check_target(funds: UnmatchedFunds, order: Order, now: datetime) -> None:
    theirs = (order.merchant_id, order.currency)
    if theirs != (funds.order.merchant_id, funds.currency):
        raise FundsNotApplicable
    check_not_over(order, now)
    if Charge.objects.holding(order).exists():
        raise OrderNotPayable(
            _("A payer may be paying this order at this moment. Try again later.")
        )


def _charge_for(funds: UnmatchedFunds, order: Order, now: datetime) -> Charge:
    """Creates the charge that represents the money in the other order.

    No provider knows this charge.
    """
    source = funds.charge
    return Charge.objects.create(
        order=order,
        origin=source.origin or source,
        method=source.method,
        direct_method=source.direct_method,
        provider=source.provider,
        currency=funds.currency,
        amount=funds.amount,
        covers=funds.amount,
        payer=source.payer,
        trace_code=funds.trace_code,
        created_at=now,
    )


def _as_update(funds: UnmatchedFunds, charge: Charge, now: datetime) -> ports.ChargeUpdate:
    """The operator confirms that the money is final (docs/gaps.md, Unmatched funds)."""
    return ports.ChargeUpdate(
        reference=charge.pk,
        provider_id="",
        status=ports.ChargeStatus.SUCCEEDED,
        received=funds.amount,
        currency=funds.currency,
        occurred_at=now,
        trace_code=funds.trace_code,
        reason=MoveReason(ReasonCode.FUNDS_APPLIED, funds.pk),
    )


def _waiting(funds: UnmatchedFunds) -> recipes.Waiting:
    return recipes.Waiting(
        funds_id=funds.pk,
        order_id=funds.order_id,
        merchant_id=funds.order.merchant_id,
        currency=funds.currency,
        amount=funds.amount,
    )
