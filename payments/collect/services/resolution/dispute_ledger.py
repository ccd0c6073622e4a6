"""The postings of disputes: money is held, released, or taken by the payer's bank.

The callers hold the locks of the order and the dispute; the balances are locked last.
"""

from datetime import datetime
from decimal import Decimal

from django.db.models import F, Q

from payments.collect.models import Dispute, Order, UnmatchedFunds
from payments.collect.services.orders.lookup import settling_charge
from payments.collect.services.resolution import refundable_amounts, unmatched_resolution
from payments.core import money
from payments.core.reasons import MoveReason, ReasonCode
from payments.ledger import recipes

Status = Dispute.Status


def hold_funds(order: Order, dispute: Dispute, now: datetime) -> None:
    """Holds the merchant's part, or the available balance if that is less."""
    disputed = _disputed(order, dispute)
    dispute.held = recipes.dispute_opened(disputed, amount=dispute.amount, now=now)
    dispute.save(update_fields=["held"])


def increase_claim(order: Order, dispute: Dispute) -> Decimal:
    """Raises `amount` by the money that the merchant has gained of the claim.

    Returns the increase.
    """
    most = dispute.claimed - dispute.suspended - dispute.amount
    more = max(min(most, refundable_amounts.disputable_headroom(order, dispute)), Decimal(0))
    dispute.amount += more
    return more


def release_hold(order: Order, dispute: Dispute, now: datetime) -> None:
    recipes.dispute_won(_disputed(order, dispute), held=dispute.held, now=now)
    reallocate(order, now)


def debit_lost(order: Order, dispute: Dispute, *, actor: str, now: datetime) -> None:
    """Debits the claim of the payer's bank: first the merchant's part, then the money in suspense.

    The service bears the rest.
    """
    rest = dispute.claimed - dispute.amount
    dispute.suspended = _take_from_suspense(order, dispute, rest, actor, now)
    dispute.shortfall = recipes.dispute_lost(
        _disputed(order, dispute),
        claimed=dispute.claimed - dispute.suspended,
        amount=dispute.amount,
        held=dispute.held,
        now=now,
    )
    dispute.held = min(dispute.held, dispute.amount)
    dispute.save(update_fields=["claimed", "amount", "held", "suspended", "shortfall"])
    reallocate(order, now)


def write_off(order: Order, dispute: Dispute, taken: Decimal, *, actor: str, now: datetime) -> None:
    """Books our loss if the bank took the money of a won dispute.

    Money in suspense covers it first. Once for each dispute. Raises AlreadyPosted.
    """
    dispute.suspended = _take_from_suspense(order, dispute, taken, actor, now)
    dispute.shortfall = taken - dispute.suspended
    if dispute.shortfall:
        recipes.dispute_written_off(_disputed(order, dispute), amount=dispute.shortfall, now=now)
    dispute.save(update_fields=["suspended", "shortfall"])


def reallocate(order: Order, now: datetime) -> None:
    """Gives money that became free to the order's other disputes.

    It became free because a refund failed, or a dispute was won. An open dispute gets it as a hold.
    For a lost dispute it covers our loss.
    """
    short = Dispute.objects.filter(
        order=order, status__in=(Status.OPEN, Status.LOST), amount__lt=F("claimed") - F("suspended")
    )
    rows = short.select_related("charge").select_for_update(of=("self",))
    for dispute in rows.order_by("opened_at", "pk"):
        more = increase_claim(order, dispute)
        if more == 0:
            continue
        disputed = _disputed(order, dispute)
        step = money.text(dispute.amount)  # the amount only grows, so each step is posted once
        if dispute.status == Status.OPEN:
            dispute.held += recipes.dispute_opened(disputed, amount=more, step=step, now=now)
        else:
            recovered = recipes.dispute_recovered(disputed, amount=more, step=step, now=now)
            dispute.shortfall -= recovered
        dispute.save(update_fields=["amount", "held", "shortfall", "updated_at"])


def _take_from_suspense(
    order: Order, dispute: Dispute, most: Decimal, actor: str, now: datetime
) -> Decimal:
    """Records unmatched money of the contested charge as returned to the payer by the bank."""
    taken = Decimal(0)
    if dispute.charge is None:
        return taken
    root = dispute.charge.root_id
    rows = UnmatchedFunds.objects.filter(
        Q(charge=root) | Q(charge__origin=root),
        status=UnmatchedFunds.Status.OPEN,
        currency=order.currency,
    )
    for funds in rows.select_for_update(of=("self",)).order_by("pk"):
        if funds.amount <= most - taken:
            unmatched_resolution.return_to_payer(
                funds=funds,
                proof=f"{dispute.pk} {dispute.provider_reference or ''}".strip(),
                actor=actor,
                reason=MoveReason(ReasonCode.BANK_TOOK_BACK),
                now=now,
            )
            taken += funds.amount
    return taken


def _disputed(order: Order, dispute: Dispute) -> recipes.Disputed:
    charge = dispute.charge or settling_charge(order=order)
    method = order.selected_method or ""
    return recipes.Disputed(
        dispute_id=dispute.pk,
        order_id=order.pk,
        merchant_id=order.merchant_id,
        currency=dispute.currency,
        rail=charge.return_rail(dispute.currency) if charge else method,
        account=charge.return_account(dispute.currency) if charge else method,
    )
