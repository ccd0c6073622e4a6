"""All that happened to a payment, as tables below it."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.core import money
from payments.core.console import amount, link, table, walls, when
from payments.core.models import AuditEntry, Transition
from payments.ledger.admin import entries
from payments.outgoing.models import OutgoingPayment, OutgoingStatus


def story(payment: OutgoingPayment) -> list[dict[str, Any]]:
    """Moves, money, and what operators did about it."""
    acts = [] if walls.reads_walled() else [_acts(payment)]
    return [_timeline(payment), entries(payment.pk), *acts]


def ticket(payment: OutgoingPayment, about: Mapping[Any, str]) -> list[dict[str, Any]]:
    """What the payer's ticket says, for products that have tickets: nothing before it is paid."""
    if payment.status != OutgoingStatus.COMPLETED:
        return []
    facts = {
        _("number"): payment.provider_id or "-",
        _("authorization"): payment.authorization or "-",
        _("provider"): payment.provider,
        _("issued at"): when(payment.completed_at),
        **about,
        _("amount"): amount(payment.amount, money.FIAT),
    }
    return [table(_("Ticket"), list(facts), [list(facts.values())])]


def _timeline(payment: OutgoingPayment) -> dict[str, Any]:
    moves = list(Transition.objects.filter(subject_id=payment.pk).order_by("id"))
    # What is called inside the request begins as PROCESSING, without a move.
    first = moves[0].from_state if moves else payment.status
    rows: list[list[Any]] = [
        [when(payment.created_at), first, payment.requested_by, "-"],
        *([when(m.at), f"{m.from_state} → {m.to_state}", m.actor, m.reason or "-"] for m in moves),
    ]
    headers = [_("when"), _("move"), _("who"), _("why")]
    # Who and why are operators and rails: not for people of merchants.
    shown = 2 if walls.reads_walled() else 4
    return table(_("Timeline"), headers[:shown], [row[:shown] for row in rows])


def _acts(payment: OutgoingPayment) -> dict[str, Any]:
    acts = AuditEntry.objects.filter(subject_id=payment.pk).order_by("id")
    rows = [
        [when(act.at), link(act, act.action), act.actor, act.reason or "-", _proof(act)]
        for act in acts
    ]
    headers = [_("when"), _("act"), _("who"), _("why"), _("proof")]
    return table(_("Acts of operators"), headers, rows)


def _proof(act: AuditEntry) -> str:
    proof = str(act.details.get("proof") or "-")
    return f"{proof} · {gettext('our loss')}" if act.details.get("loss") else proof
