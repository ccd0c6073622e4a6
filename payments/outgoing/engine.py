"""Sends payments and queries their outcome. Unknown is never failed.

Commit the intent (PROCESSING, with a reference that never changes), call, commit the response.
After a doubtful response the rail is queried. The same reference is sent again only after the
provider has reported that it does not know it.
"""

import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Generic

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F

from payments.core import due, states
from payments.core.ids import is_id
from payments.core.reasons import MoveReason, ReasonCode
from payments.outgoing import completion
from payments.outgoing.errors import UnknownReference
from payments.outgoing.models import OPEN, OutgoingPayment
from payments.outgoing.product import P, Product
from payments.providers import breaker, ports, registry

log = structlog.get_logger(__name__)
Status = OutgoingPayment.Status
State = ports.OutgoingState
CLAIM_SIZE = 10
# After this no call that began before can still be under way.
SETTLING = timedelta(seconds=settings.CHARGE_SETTLING_SECONDS)
ENGINE = "engine"


class Engine(Generic[P]):
    """The engine of one product. It keeps no state between calls but the rows' due times."""

    def __init__(self, product: Product[P]) -> None:
        self.product = product

    def send(self, *, payment_id: str, now: datetime) -> None:
        """Hands a PENDING payment to its rail; does nothing where another worker was faster."""
        clock = RequestClock(now)
        payment = self._commit_intent(payment_id, clock)
        if payment is not None:
            self.call(payment=payment, now=clock.now())

    def process_due(self, *, now: datetime, limit: int = 200) -> int:
        """Sends or queries every payment that is due. Returns how many."""
        # Each call may take its time: the settling of the next one counts from its own start.
        clock = RequestClock(now)
        return due.process_due(
            lambda: self._claim_due(now),
            lambda payment: self._process(payment, clock.now()),
            batch_size=CLAIM_SIZE,
            limit=limit,
            put_back=lambda payments: self._put_back(payments, now),
        )

    def call(self, *, payment: P, now: datetime, timeout: float | None = None) -> None:
        """Calls the rail with a PROCESSING payment, the first time or again, and commits the
        response. Never inside a transaction.

        `timeout` in seconds, PROVIDER_TIMEOUT_SECONDS by default. A doubt is not raised: the
        payment stays PROCESSING.
        """
        limit = settings.PROVIDER_TIMEOUT_SECONDS if timeout is None else timeout
        clock = RequestClock(now)
        try:
            port = self.product.port(payment.provider)
            with breaker.require_closed(self.product.circuit(payment.provider)):
                update = port.send(self.product.request(payment), limit)
        except ports.ProviderRefused as error:
            is_repetition = payment.last_sent_at != payment.sent_at
            if is_repetition and self._is_known(payment, clock.now()):
                return  # it refused the second call because the first had arrived
            self._refused(payment, error.reason, clock.now())
        except (ports.ProviderError, registry.UnknownProvider) as error:
            # Doubtful, or not reached: either way the rail is queried before it is sent again.
            log.warning("outgoing.send_doubtful", payment=payment.pk, error=type(error).__name__)
        except Exception:
            # A defect of the adapter, perhaps after the request had left: a doubt like the others.
            log.exception("outgoing.send_broke", payment=payment.pk)
        else:
            self._apply_own(payment, update, clock.now())

    def query(self, *, payment: P, now: datetime) -> None:
        """Queries the rail about a PROCESSING payment and applies the result."""
        clock = RequestClock(now)
        try:
            with breaker.watch(self._query_circuit(payment)):
                update = self.product.port(payment.provider).query(payment.provider_reference)
        except (ports.ProviderError, registry.UnknownProvider) as error:
            log.warning("outgoing.query_failed", payment=payment.pk, error=type(error).__name__)
            return
        if update.state == State.UNKNOWN:
            again = self._commit_resend(payment, clock)
            if again is not None:
                self.call(payment=again, now=clock.now())
            return
        self._apply_own(payment, update, clock.now())

    def call_in_request(self, payment: P, clock: "RequestClock") -> None:
        """Calls the rail with what is left of the request's time, and reads the payment again.

        With less than a fifth left it does not call: our own waits would count as the rail's
        failure, and the scanner may already be querying; it sends what the rail does not know.
        """
        left = settings.OUTGOING_BUDGET_SECONDS - clock.passed_seconds()
        if left > settings.OUTGOING_BUDGET_SECONDS / 5:
            self.call(payment=payment, now=clock.now(), timeout=left)
            payment.refresh_from_db()

    @transaction.atomic
    def apply_update(self, *, provider: str, update: ports.OutgoingUpdate, now: datetime) -> P:
        """Applies a provider's report to payment and ledger. Repeats change nothing.

        Raises UnknownReference. A report that contradicts a final state changes nothing either,
        and waits for an operator.
        """
        payment = self._lock_by_reference(provider, update.reference)
        if update.amount is not None and update.amount != payment.amount:
            completion.flag_contradiction(payment, update)
            return payment
        record_provider_ids(payment, update)
        product, actor, reason = self.product, payment.provider, update.reason
        match (update.state, payment.status):
            case (State.COMPLETED, Status.PROCESSING):
                completion.complete(product, payment, now=now, actor=actor)
            case (State.FAILED, Status.PROCESSING):
                completion.fail(product, payment, now=now, actor=actor, reason=reason)
            case (State.RETURNED, Status.PROCESSING | Status.COMPLETED):
                completion.refund(product, payment, now=now, actor=actor, reason=reason)
            case (state, status) if completion.is_consistent(payment, state, status):
                pass
            case _:
                completion.flag_contradiction(payment, update)
        return payment

    def lock(self, payment_id: str) -> P:
        """The payment, locked until the transaction ends: always before the balances."""
        rows = self.product.model._default_manager.select_related("merchant")
        rows = rows.defer("merchant__webhook_secret")
        return rows.select_for_update(no_key=True, of=("self",)).get(pk=payment_id)

    @transaction.atomic
    def _commit_intent(self, payment_id: str, clock: "RequestClock") -> P | None:
        payment = self.lock(payment_id)
        now = clock.now()  # after the wait for the lock: from here on the call is under way
        if payment.status != Status.PENDING or payment.is_held_back:
            return None
        if not self._may_send(payment):
            return None  # it keeps its hold and its turn until payments are sent again
        states.move(
            payment,
            Status.PROCESSING,
            now=now,
            actor=ENGINE,
            reason=MoveReason(ReasonCode.SENT),
            sent_at=now,
            last_sent_at=now,
            attempts=1,
            next_action_at=now + timedelta(seconds=settings.OUTGOING_RECONCILE_DELAYS[0]),
        )
        return payment

    @transaction.atomic
    def _commit_resend(self, payment: P, clock: "RequestClock") -> P | None:
        """The payment, if it may be sent again: not over, and no earlier call still under way."""
        locked = self.lock(payment.pk)
        now = clock.now()  # after the query and the wait for the lock
        settled_at = (locked.last_sent_at or now) + SETTLING
        if locked.status != Status.PROCESSING or now < settled_at:
            return None
        locked.last_sent_at = now
        locked.save(update_fields=["last_sent_at", "updated_at"])
        return locked

    @transaction.atomic
    def _refused(self, payment: P, reason: str, now: datetime) -> None:
        locked = self.lock(payment.pk)
        # A call that began since then decides.
        if locked.status == Status.PROCESSING and locked.last_sent_at == payment.last_sent_at:
            completion.fail(self.product, locked, now=now, actor=payment.provider, reason=reason)

    @transaction.atomic
    def _claim_due(self, now: datetime) -> list[P]:
        """Takes due payments and sets their next time at once: a crash only delays the query."""
        rows = self.product.model._default_manager
        waiting = rows.filter(next_action_at__lte=now).order_by("next_action_at")
        claimed = list(waiting.select_for_update(skip_locked=True, no_key=True)[:CLAIM_SIZE])
        for payment in claimed:
            payment.attempts += 1
            payment.next_action_at = _next_query_at(payment, now)
            payment.needs_operator = payment.needs_operator or _in_doubt_too_long(payment, now)
        rows.bulk_update(claimed, ["attempts", "next_action_at", "needs_operator"])
        return claimed

    def _put_back(self, payments: Sequence[P], at: datetime) -> None:
        """As if they had not been claimed, and due `at`."""
        for payment in payments:
            untouched = self.product.model._default_manager.filter(
                pk=payment.pk, status__in=OPEN, next_action_at=payment.next_action_at
            )
            untouched.update(attempts=F("attempts") - 1, next_action_at=at)

    def _process(self, payment: P, now: datetime) -> None:
        if payment.status == Status.PENDING:
            self.send(payment_id=payment.pk, now=now)
        elif payment.status == Status.PROCESSING:
            # A rail that does not respond to queries is left alone for a while, so that other
            # products find a worker; its payments keep their place.
            if breaker.allow(self._query_circuit(payment)):
                self.query(payment=payment, now=now)
            else:
                pause = timedelta(seconds=settings.PROVIDER_BREAKER_SECONDS)
                self._put_back([payment], now + pause)

    def _query_circuit(self, payment: P) -> str:
        """A query that works proves nothing about sending: it has a circuit of its own."""
        return f"{self.product.circuit(payment.provider)}:query"

    def _may_send(self, payment: P) -> bool:
        try:
            self.product.port(payment.provider)
        except registry.UnknownProvider:
            return False
        return self.product.may_send(payment)

    def _is_known(self, payment: P, now: datetime) -> bool:
        """Whether the rail knows the reference, or cannot report; its report is applied."""
        try:
            update = self.product.port(payment.provider).query(payment.provider_reference)
        except ports.ProviderError:
            return True
        if update.state == State.UNKNOWN:
            return False
        self._apply_own(payment, update, now)
        return True

    def _apply_own(self, payment: P, update: ports.OutgoingUpdate, now: datetime) -> None:
        """A response about another reference than the payment's changes nothing."""
        if update.reference != payment.provider_reference:
            log.error("outgoing.answer_about_another", payment=payment.pk, theirs=update.reference)
            return
        self.apply_update(provider=payment.provider, update=update, now=now)

    def _lock_by_reference(self, provider: str, reference: str) -> P:
        model = self.product.model
        if not is_id(reference, model.REFERENCE_PREFIX):
            raise UnknownReference
        found = model._default_manager.filter(provider_reference=reference, provider=provider)
        payment_id = found.values_list("pk", flat=True).first()
        if payment_id is None:
            raise UnknownReference
        return self.lock(payment_id)


class RequestClock:
    """Goes on from the `now` that was passed in: calls and locks take time."""

    def __init__(self, now: datetime) -> None:
        self._began, self._started = now, time.monotonic()

    def passed_seconds(self) -> float:
        return time.monotonic() - self._started

    def now(self) -> datetime:
        return self._began + timedelta(seconds=self.passed_seconds())


def record_provider_ids(payment: OutgoingPayment, update: ports.OutgoingUpdate) -> None:
    """Keeps the rail's own ids, as it reported them first."""
    reported = {"provider_id": update.provider_id[:100], "authorization": update.authorization[:40]}
    new = {name: text for name, text in reported.items() if text and not getattr(payment, name)}
    for name, text in new.items():
        setattr(payment, name, text)
    if new:
        payment.save(update_fields=[*new, "updated_at"])


def _next_query_at(payment: OutgoingPayment, now: datetime) -> datetime | None:
    if payment.has_ended:
        return None
    delays = settings.OUTGOING_RECONCILE_DELAYS
    # What was not handed over yet waits for no rail: a worker that dies must delay it little.
    queries = payment.attempts - 1 if payment.status == Status.PROCESSING else 0
    return now + timedelta(seconds=delays[min(queries, len(delays) - 1)])


def _in_doubt_too_long(payment: OutgoingPayment, now: datetime) -> bool:
    """After a day an operator looks, too; the funds stay held and the queries go on.

    The same holds for what could not be handed to a rail: it was created or approved at
    `updated_at`, which claims leave alone.
    """
    limit = timedelta(seconds=settings.OUTGOING_OPERATOR_AFTER_SECONDS)
    return now - (payment.sent_at or payment.updated_at) > limit
