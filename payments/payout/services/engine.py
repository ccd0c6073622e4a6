"""Sends payouts, and finds out what became of them. Unknown is never failed.

Commit the intent (PROCESSING, with a reference that never changes), call, commit the answer. A
doubtful answer is asked about; the same reference is sent again only after the provider has said
that it knows nothing of it.
"""

import time
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import transaction

from payments.core import jobs, states
from payments.core.errors import NotFound
from payments.core.ids import is_id
from payments.core.models import Transition
from payments.ledger import recipes
from payments.payout.models import Payout
from payments.payout.services import catalogue
from payments.providers import breaker, ports, registry

log = structlog.get_logger(__name__)
Status = Payout.Status
CLAIM_SIZE = 10
# After this no call that began before can still be under way.
SETTLING = timedelta(seconds=settings.CHARGE_SETTLING_SECONDS)
ENGINE = "engine"


class UnknownPayout(NotFound):
    """404 to the provider: no payout of ours has this reference."""

    message = "There is no payout with this reference."


def send_payout(*, payout_id: str, now: datetime) -> None:
    """Hands a PENDING payout to its rail; does nothing when another worker was faster."""
    payout = _commit_intent(payout_id, now)
    if payout is not None:
        _send(payout, now)


def act_due(*, now: datetime, limit: int = 200) -> int:
    """Sends or asks about every payout whose time has come, for a while. Returns how many.

    A few are claimed at a time; one that fails comes again later and holds up no other.
    """
    done = 0
    started = time.monotonic()
    while done < limit and time.monotonic() - started < settings.SCANNER_BUDGET_SECONDS:
        claimed = _claim_due(now)
        for payout in claimed:
            # Each call may take its time: the settling of the next one counts from its own start.
            passed = time.monotonic() - started
            if passed > settings.SCANNER_BUDGET_SECONDS:
                break  # the rest come again at the time that claiming set
            try:
                _act(payout, now + timedelta(seconds=passed))
            except Exception:
                log.exception("payout.not_advanced", payout=payout.pk)
        done += len(claimed)
        if len(claimed) < CLAIM_SIZE:
            break
    return done


def ask_provider(*, payout: Payout, now: datetime) -> None:
    """Asks the rail about a PROCESSING payout and applies the answer."""
    try:
        # An answered question says nothing of sending: it has a circuit of its own.
        with breaker.watch(f"{payout.provider}:query"):
            update = registry.payout_by_code(payout.provider).query(payout.provider_reference)
    except (ports.ProviderError, registry.UnknownProvider) as error:
        log.warning("payout.query_failed", payout=payout.pk, error=type(error).__name__)
        return
    if update.state == ports.PayoutState.UNKNOWN:
        again = _commit_resend(payout, now)
        if again is not None:
            _send(again, now)
        return
    _apply_own(payout, update, now)


@transaction.atomic
def apply_payout_update(*, provider: str, update: ports.PayoutUpdate, now: datetime) -> Payout:
    """Brings payout and books to what the provider says. Repeats change nothing.

    Raises UnknownPayout. What contradicts an end that is on the books changes nothing either, and
    waits for an operator.
    """
    payout = _lock_by_reference(provider, update.reference)
    if update.amount is not None and update.amount != payout.amount:
        _contradiction(payout, update)
        return payout
    if update.provider_id and not payout.provider_id:
        payout.provider_id = update.provider_id[:100]
        payout.save(update_fields=["provider_id", "updated_at"])
    match (update.state, payout.status):
        case (ports.PayoutState.COMPLETED, Status.PROCESSING):
            complete(payout, now=now, actor=payout.provider)
        case (ports.PayoutState.FAILED, Status.PROCESSING):
            fail(payout, now=now, actor=payout.provider, reason=update.reason)
        case (ports.PayoutState.RETURNED, Status.PROCESSING | Status.COMPLETED):
            refund(payout, now=now, actor=payout.provider, reason=update.reason)
        case (ports.PayoutState.COMPLETED, Status.COMPLETED):
            pass
        case (ports.PayoutState.COMPLETED, Status.REFUNDED) if _came_back(payout):
            pass
        case (ports.PayoutState.FAILED, Status.FAILED):
            pass
        case (ports.PayoutState.RETURNED, Status.REFUNDED):
            pass
        case (ports.PayoutState.PENDING | ports.PayoutState.UNKNOWN, _):
            pass
        case _:
            _contradiction(payout, update)
    return payout


def complete(payout: Payout, *, now: datetime, actor: str, reason: str = "") -> None:
    """The beneficiary has the money. `payout` is locked."""
    states.move(
        payout,
        Status.COMPLETED,
        now=now,
        actor=actor,
        reason=reason,
        completed_at=payout.completed_at or now,
        next_action_at=None,
        needs_operator=False,
    )
    recipes.payout_completed(
        merchant_id=payout.merchant_id,
        payout_id=payout.pk,
        currency=payout.currency,
        amount=payout.amount,
        fee=payout.fee_amount,
        debit=payout.debit,
        rail=payout.network,
        amount_cop=payout.amount,
        fee_cop=payout.fee_amount,
        now=now,
    )


def fail(payout: Payout, *, now: datetime, actor: str, reason: str) -> None:
    """It never left: the hold goes back in the same transaction. `payout` is locked."""
    states.move(
        payout,
        Status.FAILED,
        now=now,
        actor=actor,
        reason=reason,
        failure_reason=reason[:300],
        next_action_at=None,
        needs_operator=False,
        needs_approval=False,
    )
    recipes.payout_released(
        merchant_id=payout.merchant_id,
        payout_id=payout.pk,
        currency=payout.currency,
        debit=payout.debit,
        now=now,
    )


def refund(payout: Payout, *, now: datetime, actor: str, reason: str) -> None:
    """It left and came back: amount and fee are the merchant's again. `payout` is locked."""
    from_completed = payout.status == Status.COMPLETED
    states.move(
        payout,
        Status.REFUNDED,
        now=now,
        actor=actor,
        reason=reason,
        failure_reason=reason[:300],
        next_action_at=None,
        needs_operator=False,
    )
    recipes.payout_returned(
        merchant_id=payout.merchant_id,
        payout_id=payout.pk,
        currency=payout.currency,
        amount=payout.amount,
        fee=payout.fee_amount,
        debit=payout.debit,
        rail=payout.network,
        amount_cop=payout.amount,
        fee_cop=payout.fee_amount,
        from_completed=from_completed,
        now=now,
    )


def lock_payout(payout_id: str) -> Payout:
    """The payout, locked until the transaction ends: always before the balances."""
    payouts = Payout.objects.select_related("merchant").defer("merchant__webhook_secret")
    return payouts.select_for_update(no_key=True, of=("self",)).get(pk=payout_id)


def _came_back(payout: Payout) -> bool:
    """Whether the rail itself said that it came back, and only repeats what was before."""
    said = Transition.objects.filter(subject_id=payout.pk, to_state=Status.REFUNDED)
    return said.filter(actor=payout.provider).exists()


def _apply_own(payout: Payout, update: ports.PayoutUpdate, now: datetime) -> None:
    """An answer about another reference than we asked for ends nobody's payout."""
    if update.reference != payout.provider_reference:
        log.error("payout.answer_about_another", payout=payout.pk, theirs=update.reference)
        return
    apply_payout_update(provider=payout.provider, update=update, now=now)


def _act(payout: Payout, now: datetime) -> None:
    if payout.status == Status.PENDING:
        send_payout(payout_id=payout.pk, now=now)
    elif payout.status == Status.PROCESSING:
        ask_provider(payout=payout, now=now)


@transaction.atomic
def _commit_intent(payout_id: str, now: datetime) -> Payout | None:
    payout = lock_payout(payout_id)
    if payout.status != Status.PENDING or payout.needs_approval:
        return None
    if not catalogue.is_enabled() or payout.provider not in registry.PAYOUT:
        return None  # it keeps its hold and its turn until payouts are sent again
    states.move(
        payout,
        Status.PROCESSING,
        now=now,
        actor=ENGINE,
        reason="handed to the rail",
        sent_at=now,
        last_sent_at=now,
        attempts=1,
        next_action_at=now + timedelta(seconds=settings.PAYOUT_RECONCILE_DELAYS[0]),
    )
    return payout


@transaction.atomic
def _commit_resend(payout: Payout, now: datetime) -> Payout | None:
    """The payout, if it may be sent again: not over, and no earlier call still under way."""
    locked = lock_payout(payout.pk)
    settled_at = (locked.last_sent_at or now) + SETTLING
    if locked.status != Status.PROCESSING or now < settled_at:
        return None
    locked.last_sent_at = now
    locked.save(update_fields=["last_sent_at", "updated_at"])
    return locked


def _send(payout: Payout, now: datetime) -> None:
    """Sends, the first time or again with the same reference. Never inside a transaction."""
    port = registry.payout_by_code(payout.provider)
    try:
        with breaker.guard(payout.provider):
            update = port.send(_request(payout))
    except ports.ProviderRefused as error:
        is_repetition = payout.last_sent_at != payout.sent_at
        if is_repetition and _is_known(payout, now):
            return  # it refused the second call because the first had arrived
        _refused(payout, error.reason, now)
    except (ports.ProviderUnavailable, ports.ProviderTimeout) as error:
        # Doubtful, or not reached: either way the rail is asked before anything is sent again.
        log.warning("payout.send_doubtful", payout=payout.pk, error=type(error).__name__)
    else:
        _apply_own(payout, update, now)


def _is_known(payout: Payout, now: datetime) -> bool:
    """Whether the rail knows the reference after all, or cannot say; what it says is applied."""
    port = registry.payout_by_code(payout.provider)
    try:
        update = port.query(payout.provider_reference)
    except ports.ProviderError:
        return True
    if update.state == ports.PayoutState.UNKNOWN:
        return False
    _apply_own(payout, update, now)
    return True


@transaction.atomic
def _refused(payout: Payout, reason: str, now: datetime) -> None:
    locked = lock_payout(payout.pk)
    # Another call that began since then has the word.
    if locked.status == Status.PROCESSING and locked.last_sent_at == payout.last_sent_at:
        fail(locked, now=now, actor=payout.provider, reason=reason)


@transaction.atomic
def _claim_due(now: datetime) -> list[Payout]:
    """Takes due payouts and sets their next time at once: a crash only delays the question."""
    due = Payout.objects.filter(next_action_at__lte=now).order_by("next_action_at")
    claimed = list(due.select_for_update(skip_locked=True, no_key=True)[:CLAIM_SIZE])
    for payout in claimed:
        payout.attempts += 1
        payout.next_action_at = _next_question(payout, now)
        payout.needs_operator = payout.needs_operator or _in_doubt_too_long(payout, now)
    Payout.objects.bulk_update(claimed, ["attempts", "next_action_at", "needs_operator"])
    return claimed


def _next_question(payout: Payout, now: datetime) -> datetime | None:
    if payout.status not in (Status.PENDING, Status.PROCESSING):
        return None
    delays = settings.PAYOUT_RECONCILE_DELAYS
    # What was not handed over yet waits for no rail: a worker that dies must not make it wait long.
    asked = payout.attempts - 1 if payout.status == Status.PROCESSING else 0
    return now + timedelta(seconds=delays[min(asked, len(delays) - 1)])


def _in_doubt_too_long(payout: Payout, now: datetime) -> bool:
    """After a day an operator looks, too; the funds stay held and the rail is asked on."""
    limit = timedelta(seconds=settings.PAYOUT_OPERATOR_AFTER_SECONDS)
    return payout.sent_at is not None and now - payout.sent_at > limit


def _lock_by_reference(provider: str, reference: str) -> Payout:
    if not is_id(reference, "por"):
        raise UnknownPayout
    found = Payout.objects.filter(provider_reference=reference, provider=provider)
    payout_id = found.values_list("pk", flat=True).first()
    if payout_id is None:
        raise UnknownPayout
    return lock_payout(payout_id)


def _contradiction(payout: Payout, update: ports.PayoutUpdate) -> None:
    log.error(
        "payout.contradiction", payout=payout.pk, status=payout.status, told=update.state.value
    )
    payout.needs_operator = True
    payout.save(update_fields=["needs_operator", "updated_at"])


def _request(payout: Payout) -> ports.PayoutRequest:
    return ports.PayoutRequest(
        reference=payout.provider_reference,
        payout_id=payout.pk,
        network=ports.PayoutNetwork(payout.network),
        amount=payout.amount,
        recipient_name=payout.recipient_name,
        document_type=payout.recipient_doc_type,
        document_number=payout.recipient_document,
        bank_code=payout.bank_code,
        account_type=payout.account_type,
        account_number=payout.account_number,
        key_type=payout.key_type,
        key_value=payout.key_value,
        description=payout.description,
        callback_url=f"{settings.PUBLIC_URL}/callbacks/payout/{payout.provider}",
    )


def ring(payout: Payout) -> None:
    """Asks a worker to send it soon; the scanner would find it anyhow."""
    jobs.enqueue("payments.payout.tasks.send_payout", payout.pk)
