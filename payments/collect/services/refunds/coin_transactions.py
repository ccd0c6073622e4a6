"""An operator enters the transaction that pays a refund in coins, and the chain decides."""

from dataclasses import dataclass
from datetime import datetime

import structlog
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_noop as _

from payments.chains.coin_refund import FORMER, LOOK, CoinRefund
from payments.chains.verification import PAYING, FoundPayment, Standing, WantedPayment
from payments.collect.models import Refund, RefundTransaction
from payments.collect.services.refunds.coin_refunds import port_of
from payments.collect.services.refunds.destination_checks import is_stopped
from payments.collect.services.refunds.refund_engine import engine
from payments.core import audit, money
from payments.core.errors import NotAllowed
from payments.outgoing import resolutions
from payments.providers.ports import ProviderError

log = structlog.get_logger(__name__)
Status = Refund.Status
SENTENCES = {
    Standing.MISSING: _(
        "The network knows no such transaction, or it failed. Compare it with your wallet, and try"
        " again in a minute."
    ),
    Standing.OTHER_ADDRESS: _("The transaction pays nothing to the address of this refund."),
    Standing.OTHER_COIN: _("The transaction pays another coin to the address: not %(coin)s."),
    Standing.TOO_LITTLE: _(
        "The transaction pays %(paid)s %(coin)s to the address. The refund is %(due)s %(coin)s."
    ),
    Standing.NOT_YET: _(
        "The transaction is in no block yet, and shows no payment to the address so far. Try again"
        " in a minute."
    ),
    Standing.TOO_OLD: _("The transaction is older than this refund: it was made for another one."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What an operator typed."""

    transaction: str
    actor: str
    reason: str


def is_on_desk(refund: Refund) -> bool:
    """Whether an operator may pay it, or say by which transaction it was paid."""
    is_handed_over = refund.status == Status.PROCESSING and bool(refund.provider_state)
    return bool(refund.coin) and is_handed_over


def enter_transaction(*, refund: Refund, entry: Entry, now: datetime) -> None:
    """Calls the node before anything is kept, and completes the refund if the payment is final.

    Raises NotAllowed with the reason, if the transaction is not the payment of this refund.
    """
    refund.refresh_from_db()
    port = _port_of_open(refund)
    former = _former(port, refund)
    found = _look(port, refund, entry.transaction.strip().lower())
    if found.standing not in PAYING:
        raise _refusal(port, refund, found)
    try:
        kept = _keep(refund, entry, found, former, now)
    except IntegrityError as error:
        raise NotAllowed(_("This payment belongs to another refund already.")) from error
    engine.query(payment=kept, now=now)


def outcomes(refund: Refund) -> frozenset[str]:
    """The final states that `resolve` accepts."""
    accepted = resolutions.outcomes(refund)
    if not refund.coin or refund.status != Status.PROCESSING:
        return accepted
    return frozenset() if refund.transaction else accepted - {Status.COMPLETED.value}


@transaction.atomic
def resolve(*, refund: Refund, outcome: str, decision: resolutions.Decision, now: datetime) -> None:
    """As resolutions.resolve. But only the chain completes a refund in coins."""
    locked = engine.lock(refund.pk)
    if locked.coin and locked.status == Status.PROCESSING:
        if outcome == Status.COMPLETED:
            raise NotAllowed(_("Enter the transaction instead: the network shows that it is paid."))
        if locked.transaction:
            raise NotAllowed(
                _("The transaction %(transaction)s may still pay it. Nothing can be returned yet."),
                values={"transaction": locked.transaction},
            )
    resolutions.resolve(engine=engine, payment=refund, outcome=outcome, decision=decision, now=now)


def _port_of_open(refund: Refund) -> CoinRefund:
    port = port_of(refund.provider)
    if port is None or not is_on_desk(refund):
        raise NotAllowed(_("This refund waits for no transaction."))
    if is_stopped(refund):
        raise NotAllowed(_("The address is not the approved one. Find out who changed it."))
    return port


def _former(port: CoinRefund, refund: Refund) -> str:
    """The transaction that is replaced. Raises NotAllowed while the network has it."""
    if not refund.transaction:
        return ""
    if _look(port, refund, refund.transaction).standing in PAYING:
        raise NotAllowed(
            _(
                "The network has the transaction %(transaction)s, which pays this refund. If"
                " another one replaced it, wait until the network has forgotten it."
            ),
            values={"transaction": refund.transaction},
        )
    return refund.transaction


def _look(port: CoinRefund, refund: Refund, text: str) -> FoundPayment:
    try:
        return port.find(refund.known, text)
    except ProviderError as error:
        raise NotAllowed(
            _("The node of the network does not answer. Nothing was kept: try again in a minute.")
        ) from error


def _refusal(port: CoinRefund, refund: Refund, found: FoundPayment) -> NotAllowed:
    coin = WantedPayment.of_state(refund.provider_state, refund.coin_network).coin
    log.warning("refund.transaction_refused", refund=refund.pk, standing=found.standing.value)
    due = money.text(refund.paid_amount)
    values = {"coin": coin.code, "paid": money.text(coin.amount(found.units)), "due": due}
    return NotAllowed(SENTENCES[found.standing], values=values)


@transaction.atomic
def _keep(refund: Refund, entry: Entry, found: FoundPayment, former: str, now: datetime) -> Refund:
    """Raises IntegrityError for a payment that another refund has."""
    locked = engine.lock(refund.pk)
    if not is_on_desk(locked) or locked.transaction != refund.transaction:
        raise NotAllowed(_("Another operator was faster. Look at the refund first."))
    _claim(locked, entry, found, now)
    gone = [*locked.provider_state.get(FORMER, ()), *([former] if former else ())]
    state = {**locked.provider_state, FORMER: [one for one in gone if one != found.transaction]}
    locked.provider_state = {**state, LOOK: {}}
    locked.provider_id, locked.needs_operator = found.transaction, False
    # As if it was sent now: the queries begin again, and so does the time until it is in doubt.
    locked.sent_at = locked.last_sent_at = locked.next_action_at = now
    locked.attempts = 1
    changed = ["provider_state", "provider_id", "needs_operator", "attempts", "next_action_at"]
    locked.save(update_fields=[*changed, "sent_at", "last_sent_at", "updated_at"])
    audit.record(
        actor=entry.actor,
        action="refund.transaction_entered",
        subject=locked,
        reason=entry.reason,
        transaction=found.transaction,
    )
    return locked


def _claim(refund: Refund, entry: Entry, found: FoundPayment, now: datetime) -> None:
    """A transaction that vanished and came back is the refund's already."""
    facts = {
        "network": refund.coin_network,
        "transaction": found.transaction,
        "position": found.position,
    }
    if not RefundTransaction.objects.filter(refund=refund, **facts).exists():
        RefundTransaction.objects.create(
            refund=refund, entered_by=entry.actor, entered_at=now, **facts
        )
