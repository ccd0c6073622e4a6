"""Sends payments and queries their outcome. An unknown outcome never counts as failed.

Commit the intent (PROCESSING, with a reference that never changes), call, commit the response.
After a doubtful response the rail is queried. The same reference is sent again only after the
provider has reported that it does not know it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Generic

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F

from payments.core import due, states
from payments.core.ids import is_id
from payments.core.reasons import MoveReason, ReasonCode
from payments.core.request_clock import RequestClock
from payments.outgoing import calls, completion, events, send_permission
from payments.outgoing.due_times import is_forgotten, is_in_doubt_too_long, next_query_at
from payments.outgoing.errors import UnknownReference
from payments.outgoing.models import OutgoingPayment
from payments.outgoing.product import P, Product
from payments.outgoing.provider_data import record_provider_data
from payments.providers import breaker, ports, registry
from payments.rails.services import health, routing

log = structlog.get_logger(__name__)
Status = OutgoingPayment.Status
State = ports.OutgoingState
CLAIM_SIZE = 10
# The time after which a call to the rail has certainly ended.
SETTLING = timedelta(seconds=settings.CHARGE_SETTLING_SECONDS)
# After a hint about an ended payment whose query failed.
ENDED_AGAIN = timedelta(hours=1)
ENGINE = "engine"
# Of all products, by their names.
ENGINES: "dict[str, Engine[Any]]" = {}


class Engine(Generic[P]):
    """The engine of one product. Its only state between calls is the rows' due times."""

    def __init__(self, product: Product[P]) -> None:
        self.product = product
        ENGINES[product.name] = self

    def send(self, *, payment_id: str, now: datetime) -> None:
        """Sends a PENDING payment to its rail; does nothing if another worker was faster."""
        clock = RequestClock(now)
        if self.product.refusal is not None and self.product.is_on():
            self._end_refused(payment_id, self.product.refusal, clock)
        payment = self._commit_intent(payment_id, clock)
        if payment is not None:
            self.call(payment=payment, now=clock.now())

    def process_due(self, *, now: datetime, limit: int = 200) -> int:
        """Sends or queries every payment that is due. Returns how many."""
        # Calls take time: each payment gets the time at which its own call starts.
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
        response.

        Never call it inside a transaction. `timeout` is in seconds, PROVIDER_TIMEOUT_SECONDS by
        default. After a doubtful response the payment stays PROCESSING, without an error. A first
        call that certainly did not arrive moves the payment to another account of its routes. A
        repeated one never does: an earlier call may have arrived.
        """
        limit = settings.PROVIDER_TIMEOUT_SECONDS if timeout is None else timeout
        clock = RequestClock(now)
        is_first = payment.last_sent_at == payment.sent_at
        others = self.product.other_accounts(payment) if is_first else iter(())
        current: P | None = payment
        while current is not None and self._is_unreached(current, limit, clock):
            current = self._move_to_next(current, others, clock)

    def _is_unreached(self, payment: P, limit: float, clock: RequestClock) -> bool:
        """Calls the rail once. Whether this call certainly did not reach it."""
        try:
            port = self.product.port(payment.provider)
            routing.require_on(payment.provider)
            with (
                breaker.require_closed(self.product.circuit(payment.provider)),
                health.measure(self.product.name, payment.provider, self._method(payment)),
            ):
                update = port.send(calls.request_of(self.product, payment), limit)
        except ports.ProviderRefused as error:
            is_repetition = payment.last_sent_at != payment.sent_at
            if is_repetition and self._is_known(payment, clock.now()):
                return False  # the provider refused the second call because the first had arrived
            self._refused(payment, error.reason, clock.now())
        except (ports.ProviderError, registry.UnknownProvider) as error:
            # Doubtful, or not reached. The rail is queried before the payment is sent again.
            log.warning("outgoing.send_doubtful", payment=payment.pk, error=type(error).__name__)
            return isinstance(error, ports.ProviderUnreachable)
        except Exception:
            # The adapter has a defect, and it may have sent the request. So the outcome is in
            # doubt.
            log.exception("outgoing.send_broke", payment=payment.pk)
        else:
            self._apply_own(payment, update, clock.now())
        return False

    def _move_to_next(
        self, payment: P, others: Iterator[Mapping[str, str]], clock: RequestClock
    ) -> P | None:
        changes = next(others, None)
        return None if changes is None else self._move(payment, changes, clock)

    def query(self, *, payment: P, now: datetime) -> None:
        """Queries the rail about a PROCESSING payment and applies the result."""
        clock = RequestClock(now)
        try:
            with breaker.watch(self.query_circuit(payment.provider)):
                update = self.product.port(payment.provider).query(payment.known)
        except (ports.ProviderError, registry.UnknownProvider) as error:
            log.warning("outgoing.query_failed", payment=payment.pk, error=type(error).__name__)
            if payment.has_ended and isinstance(error, ports.ProviderError):
                self._put_back([payment], now + ENDED_AGAIN)  # else the hint would be lost
            return
        if update.state == State.UNKNOWN:
            again = self._commit_resend(payment, clock)
            if again is not None:
                self.call(payment=again, now=clock.now())
            return
        self._apply_own(payment, update, clock.now())

    def call_in_request(self, payment: P, clock: RequestClock) -> None:
        """Calls the rail within the rest of the request's time, and reads the payment again.

        If less than a fifth of the time is left, it does not call, because our own delay
        would count as a failure of the rail. Then the scanner queries and sends the
        payment.
        """
        left = settings.OUTGOING_BUDGET_SECONDS - clock.passed_seconds()
        if left > settings.OUTGOING_BUDGET_SECONDS / 5:
            self.call(payment=payment, now=clock.now(), timeout=left)
            payment.refresh_from_db()

    @transaction.atomic
    def apply_update(self, *, provider: str, update: ports.OutgoingUpdate, now: datetime) -> P:
        """Applies a provider's report to payment and ledger. Repeats change nothing.

        A report that contradicts a final state only flags the payment for an operator. Raises
        UnknownReference.
        """
        payment = self._lock_by_reference(provider, update.reference)
        if update.amount is not None and update.amount != payment.amount:
            completion.flag_contradiction(payment, update)
            return payment
        record_provider_data(payment, update)
        product, actor, reason = self.product, payment.provider, update.reason
        if not payment.has_ended:
            product.on_update(payment, update)
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

    @transaction.atomic
    def apply_hint(self, *, provider: str, hint: ports.Hint, now: datetime) -> P:
        """Queries the payment in the background at once, because the rail has news of it.

        A payment that has ended is queried, too: it may have come back, or been paid after it
        failed. Raises UnknownReference.
        """
        payment = (
            self._lock_by_reference(provider, hint.reference)
            if hint.reference
            else self._lock_by_provider_id(provider, hint.provider_id)
        )
        payment.next_action_at = now
        payment.save(update_fields=["next_action_at", "updated_at"])
        return payment

    def find(self, reference: str) -> P:
        """At whatever account it is. Not locked. Raises UnknownReference."""
        if not is_id(reference, self.product.model.REFERENCE_PREFIX):
            raise UnknownReference
        found = self.product.model._default_manager.filter(provider_reference=reference).first()
        if found is None:
            raise UnknownReference
        return found

    def query_circuit(self, account: str) -> str:
        """Queries have their own circuit. A successful query does not prove that sending works."""
        return f"{self.product.circuit(account)}:query"

    def lock(self, payment_id: str) -> P:
        """Returns the payment, locked until the transaction ends. Lock it before the balances."""
        rows = self.product.model._default_manager.select_related("merchant")
        rows = rows.defer("merchant__webhook_secret")
        return rows.select_for_update(no_key=True, of=("self",)).get(pk=payment_id)

    def _end_refused(
        self, payment_id: str, refusal: Callable[[P, datetime], str], clock: RequestClock
    ) -> None:
        """Asks before the intent is committed, so that the call does not take of its time."""
        payment = self.product.model._default_manager.get(pk=payment_id)
        if not self._is_sendable(payment) or not (reason := refusal(payment, clock.now())):
            return
        with transaction.atomic():
            locked = self.lock(payment_id)
            if self._is_sendable(locked):
                actor, now = locked.provider, clock.now()
                completion.fail(self.product, locked, now=now, actor=actor, reason=reason)

    def _is_sendable(self, payment: P) -> bool:
        return payment.status == Status.PENDING and not payment.is_held_back

    @transaction.atomic
    def _commit_intent(self, payment_id: str, clock: RequestClock) -> P | None:
        payment = self.lock(payment_id)
        now = clock.now()  # Read after the wait for the lock, because the call begins now.
        if not self._is_sendable(payment) or not send_permission.may_begin(self.product, payment):
            return None  # a PENDING one keeps its hold and its due time until then
        states.move(
            payment,
            Status.PROCESSING,
            wire_reference=calls.wire_reference(payment, now),
            now=now,
            actor=ENGINE,
            reason=MoveReason(ReasonCode.SENT),
            sent_at=now,
            last_sent_at=now,
            attempts=1,
            needs_operator=False,  # what kept it from being sent is over
            next_action_at=now + timedelta(seconds=settings.OUTGOING_RECONCILE_DELAYS[0]),
        )
        events.publish(self.product, payment, now)
        return payment

    @transaction.atomic
    def _move(self, payment: P, changes: Mapping[str, str], clock: RequestClock) -> P | None:
        """The payment at another account, under the same reference of ours. Committed before the
        call, so that after a crash the account is queried that may have the payment.
        """
        locked = self.lock(payment.pk)
        is_same_call = locked.last_sent_at == payment.last_sent_at
        if locked.status != Status.PROCESSING or not is_same_call:
            return None
        if calls.has_news(locked, payment, clock.now()):
            log.warning("outgoing.not_moved", payment=locked.pk, account=locked.provider)
            return None
        calls.keep_state(locked, clock.now())
        for name, value in changes.items():
            setattr(locked, name, value)
        locked.sent_at = locked.last_sent_at = now = clock.now()
        locked.wire_reference, locked.provider_state = calls.wire_reference(locked, now), {}
        at_rail = ["wire_reference", "provider_state", "sent_at", "last_sent_at"]
        locked.save(update_fields=[*changes, *at_rail, "updated_at"])
        log.warning(
            "outgoing.moved", payment=locked.pk, was=payment.provider, account=locked.provider
        )
        return locked

    @transaction.atomic
    def _commit_resend(self, payment: P, clock: RequestClock) -> P | None:
        """The payment if it may be sent again.

        It is PROCESSING, and no earlier call is under way.
        """
        locked = self.lock(payment.pk)
        now = clock.now()  # after the query and the wait for the lock
        settled_at = (locked.last_sent_at or now) + SETTLING
        if locked.status != Status.PROCESSING or now < settled_at:
            return None
        if locked.provider != payment.provider:
            return None  # it moved during the query, which was about another account
        if is_forgotten(locked, now):
            completion.flag_forgotten(locked)
            return None
        if not send_permission.may_repeat(self.product, locked):
            return None
        locked.last_sent_at = now
        locked.save(update_fields=["last_sent_at", "updated_at"])
        return locked

    @transaction.atomic
    def _refused(self, payment: P, reason: str, now: datetime) -> None:
        locked = self.lock(payment.pk)
        # If another call has begun since then, its result counts.
        if locked.status == Status.PROCESSING and locked.last_sent_at == payment.last_sent_at:
            completion.fail(self.product, locked, now=now, actor=payment.provider, reason=reason)

    @transaction.atomic
    def _claim_due(self, now: datetime) -> list[P]:
        """Takes due payments and sets their next time, so that a crash only delays the query."""
        rows = self.product.model._default_manager
        waiting = rows.filter(next_action_at__lte=now).order_by("next_action_at")
        claimed = list(waiting.select_for_update(skip_locked=True, no_key=True)[:CLAIM_SIZE])
        for payment in claimed:
            payment.attempts += 1
            payment.next_action_at = next_query_at(payment, now)
            payment.needs_operator = payment.needs_operator or is_in_doubt_too_long(payment, now)
        rows.bulk_update(claimed, ["attempts", "next_action_at", "needs_operator"])
        return claimed

    def _put_back(self, payments: Sequence[P], at: datetime) -> None:
        """Undoes the claim. The payments become due at the time `at`."""
        for payment in payments:
            untouched = self.product.model._default_manager.filter(
                pk=payment.pk, next_action_at=payment.next_action_at
            )
            untouched.update(attempts=F("attempts") - 1, next_action_at=at)

    def _process(self, payment: P, now: datetime) -> None:
        if payment.status == Status.PENDING:
            self.send(payment_id=payment.pk, now=now)
        else:
            # A payment that has ended is due only after a hint of the rail. It is never sent again.
            # A rail that does not respond to queries is left alone for a while.
            if breaker.allow(self.query_circuit(payment.provider)):
                self.query(payment=payment, now=now)
            else:
                pause = timedelta(seconds=settings.PROVIDER_BREAKER_SECONDS)
                self._put_back([payment], now + pause)

    def _method(self, payment: P) -> str:
        """By which the health of its account is counted: the network, if there are several."""
        return getattr(payment, "network", "") or self.product.name

    def _is_known(self, payment: P, now: datetime) -> bool:
        """Applies the rail's report. False if the rail does not know the reference."""
        try:
            update = self.product.port(payment.provider).query(payment.known)
        except ports.ProviderError:
            self._flag_doubt(payment)
            return True
        if update.state == State.UNKNOWN:
            return False
        self._apply_own(payment, update, now)
        return True

    @transaction.atomic
    def _flag_doubt(self, payment: P) -> None:
        """The rail refused the repetition and does not show what became of the first call."""
        locked = self.lock(payment.pk)
        if locked.status == Status.PROCESSING:
            locked.needs_operator = True
            locked.save(update_fields=["needs_operator", "updated_at"])

    def _apply_own(self, payment: P, update: ports.OutgoingUpdate, now: datetime) -> None:
        """If the response is about another reference than the payment's, nothing changes."""
        if update.reference != payment.reference_at_rail:
            log.error("outgoing.answer_about_another", payment=payment.pk, theirs=update.reference)
            return
        update = replace(update, reference=payment.provider_reference)
        try:
            self.apply_update(provider=payment.provider, update=update, now=now)
        except UnknownReference:
            self._flag_report_of_former(payment, update)

    @transaction.atomic
    def _flag_report_of_former(self, payment: P, update: ports.OutgoingUpdate) -> None:
        """The payment moved during the query of its account: it may be paid twice."""
        if update.state != State.FAILED:
            completion.flag_report_of_another(self.lock(payment.pk), payment.provider)

    def _lock_by_reference(self, provider: str, reference: str) -> P:
        model = self.product.model
        if not is_id(reference, model.REFERENCE_PREFIX):
            raise UnknownReference
        return self._lock_at(provider, provider_reference=reference)

    def _lock_by_provider_id(self, provider: str, provider_id: str) -> P:
        if not provider_id:
            raise UnknownReference
        return self._lock_at(provider, provider_id=provider_id)

    def _lock_at(self, provider: str, **condition: str) -> P:
        found = self.product.model._default_manager.filter(provider=provider, **condition)
        payment_id = found.values_list("pk", flat=True).first()
        if payment_id is None:
            raise UnknownReference
        locked = self.lock(payment_id)
        if locked.provider != provider:
            raise UnknownReference  # it moved during the wait for the lock
        return locked
