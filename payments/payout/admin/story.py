"""All that happened to a payout, as tables below it; and what lists show of private numbers."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from payments.core.console import amount, link, table, when
from payments.core.models import AuditEntry, Transition
from payments.ledger.models import Entry
from payments.payout.models import Payout


def story(payout: Payout) -> list[dict[str, Any]]:
    """Moves, money, and what operators did about it."""
    return [_transitions(payout), _entries(payout), _acts(payout)]


def masked(number: str) -> str:
    """Only the end of it: lists are looked at over shoulders. Half of it at most."""
    shown = min(4, len(number) // 2)
    return f"···{number[-shown:] if shown else ''}"


def document(payout: Payout) -> str:
    """The beneficiary's document, masked."""
    return f"{payout.recipient_doc_type} {masked(payout.recipient_document)}"


def destination(payout: Payout) -> str:
    """Bank and account, or the key, masked."""
    if payout.bank is not None:
        return f"{payout.bank.name} {masked(payout.account_number)}"
    return f"{payout.key_type} {masked(payout.key_value)}"


def _transitions(payout: Payout) -> dict[str, Any]:
    moves = Transition.objects.filter(subject_id=payout.pk).order_by("id")
    rows: list[list[Any]] = [
        [when(payout.created_at), Payout.Status.PENDING, payout.requested_by, "-"],
        *([when(m.at), f"{m.from_state} → {m.to_state}", m.actor, m.reason or "-"] for m in moves),
    ]
    return table(_("Timeline"), [_("when"), _("move"), _("who"), _("why")], rows)


def _entries(payout: Payout) -> dict[str, Any]:
    entries = Entry.objects.filter(subject_id=payout.pk).order_by("id")
    rows = [
        [
            link(entry, entry.get_kind_display()),
            when(entry.created_at),
            link(posting.account),
            amount(posting.amount, posting.currency),
            amount(posting.balance_after, posting.currency),
        ]
        for entry in entries.prefetch_related("postings__account")
        for posting in sorted(entry.postings.all(), key=lambda posting: posting.pk)
    ]
    headers = [_("entry"), _("when"), _("account"), _("amount"), _("balance after")]
    return table(_("Ledger"), headers, rows)


def _acts(payout: Payout) -> dict[str, Any]:
    acts = AuditEntry.objects.filter(subject_id=payout.pk).order_by("id")
    rows = [
        [when(act.at), link(act, act.action), act.actor, act.reason or "-", _proof(act)]
        for act in acts
    ]
    headers = [_("when"), _("act"), _("who"), _("why"), _("proof")]
    return table(_("Acts of operators"), headers, rows)


def _proof(act: AuditEntry) -> str:
    return str(act.details.get("proof") or "-")
