"""What a person should do about an order, a charge, a dispute or unmatched funds, and why."""

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils.translation import gettext, ngettext

from payments.collect.admin import evidence
from payments.collect.admin.timelines import unmatched_of
from payments.collect.models import Charge, Dispute, Order, UnmatchedFunds
from payments.console import tenancy
from payments.console.detail_page import NextStep
from payments.console.formatting import page_url, when
from payments.core import clock
from webhooks.models import Delivery
from webhooks.models import Status as DeliveryStatus


def doubtful_charges(order: Order) -> list[Charge]:
    """Open charges that started long ago, and of which the rail has reported no final status."""
    begun = clock.now() - timedelta(seconds=settings.CHARGE_SETTLING_SECONDS)
    return [
        charge
        for charge in order.charges.all()
        if charge.status in Charge.OPEN and charge.created_at <= begun
    ]


def of_order(order: Order) -> NextStep:
    """The steps about money come first, then doubtful payments, then failed webhooks."""
    if order.status == Order.Status.COMPLETED and (step := _after_payment(order)) is not None:
        return step
    if not order.is_final:
        return _unpaid(order)
    if (step := _of_webhook(order.pk)) is not None:
        return step
    return NextStep(why=gettext("The order has ended, and nothing of it is open."))


def of_charge(charge: Charge) -> NextStep:
    if charge.status not in Charge.OPEN:
        return NextStep(why=gettext("The payment attempt has ended."))
    if charge.reconcile_at is not None:
        asked = gettext("Its result is not known yet. The service queries it again at %s.")
        return NextStep(
            why=asked % when(charge.reconcile_at),
            link=_link_to(charge.order, gettext("Open the order")),
        )
    return NextStep(why=gettext("The payer has not paid yet."))


def of_dispute(dispute: Dispute) -> NextStep:
    if dispute.needs_operator:
        why = gettext("The rail contradicts what was recorded: look into it, then close it.")
        return NextStep(why=why, actions=("acknowledge",))
    if dispute.status != Dispute.Status.OPEN:
        return NextStep(why=gettext("The payer's bank has decided."))
    why = gettext("The payer's bank takes evidence, and decides.")
    if dispute.evidence_due_at is not None:
        why = gettext("The payer's bank takes evidence until %s, and decides then.") % when(
            dispute.evidence_due_at
        )
    acts = ("file_added", "evidence_added", "decide")
    if not (files := evidence.files_of(dispute).count()):
        return NextStep(why=why, actions=acts)
    added = ngettext("%(count)d file is added.", "%(count)d files are added.", files)
    sender = gettext("Hand it to the bank or to the provider: the service does not send it.")
    if tenancy.current_user_is_merchant():
        sender = gettext("Pasarela's team hands it to the bank. You may add more.")
    shown = f"{added % {'count': files}} {sender} {why}"
    return NextStep(why=shown, actions=acts, is_quiet=True)


def of_unmatched(funds: UnmatchedFunds) -> NextStep:
    if funds.status != UnmatchedFunds.Status.OPEN:
        return NextStep(why=gettext("It is decided what became of the money."))
    why = gettext("The money belongs to no open order: decide where it goes.")
    return NextStep(why=why, actions=("apply_to", "credit", "give_back"))


def _unpaid(order: Order) -> NextStep:
    if doubtful := doubtful_charges(order):
        due = min((c.reconcile_at for c in doubtful if c.reconcile_at), default=None)
        why = gettext("The rail has not said how the payer's try ended.")
        if due is not None:
            why += " " + gettext("The service queries it again at %s.") % when(due)
        return NextStep(why=why, actions=("ask_rail",))
    ends = gettext("It waits for the payer, and ends by itself at %s.")
    return NextStep(why=ends % when(order.expire_check_at or order.expires_at))


def _after_payment(order: Order) -> NextStep | None:
    """The first open question about a paid order."""
    disputed = [row for row in order.disputes.all() if row.status == Dispute.Status.OPEN]
    unmatched = [row for row in unmatched_of(order) if row.status == UnmatchedFunds.Status.OPEN]
    cases: list[tuple[Sequence[models.Model], str, str]] = [
        (disputed, gettext("The payer's bank disputes the payment."), gettext("Open the dispute")),
        (
            [row for row in order.refunds.all() if row.needs_approval],
            gettext("A refund of it waits for a decision."),
            gettext("Open the refund"),
        ),
        (
            [row for row in order.refunds.all() if row.needs_operator],
            gettext("A refund of it is in doubt."),
            gettext("Open the refund"),
        ),
        (
            unmatched,
            gettext("Money came for it that it did not need."),
            gettext("Decide about the money"),
        ),
    ]
    for rows, why, label in cases:
        if rows and (way := _link_to(rows[0], label)) is not None:
            return NextStep(why=why, link=way)
    return None


def _of_webhook(subject_id: str) -> NextStep | None:
    """If the newest delivery about the record failed for good, or at its attempts so far."""
    about = Delivery.objects.filter(event__subject_id=subject_id).defer("event__body")
    last = about.order_by("-id").first()
    if last is None:
        return None
    if last.status == DeliveryStatus.FAILED:
        why = gettext("The order has ended, and the merchant's receiver never took the webhook.")
        if way := _link_to(last, gettext("Open the failed webhook")):
            return NextStep(why=why, link=way)
        return NextStep(title=gettext("A webhook did not arrive"), icon="warning", why=why)
    if last.status == DeliveryStatus.PENDING and last.attempts and last.next_attempt_at:
        why = gettext("Its attempts failed so far. The next one goes out by itself at %s.")
        return NextStep(
            title=gettext("A webhook has not arrived yet"),
            icon="schedule",
            why=why % when(last.next_attempt_at),
            link=_link_to(last, gettext("Open the webhook")),
        )
    return None


def _link_to(row: models.Model, label: object) -> tuple[object, str] | None:
    url = page_url(row)
    return (label, url) if url else None
