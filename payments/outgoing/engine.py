"""Sends payments, and finds out what became of them. Unknown is never failed.

Commit the intent (PROCESSING, with a reference that never changes), call, commit the answer. A
doubtful answer is asked about; the same reference is sent again only after the provider has said
that it knows nothing of it.
"""

import time
from datetime import datetime, timedelta
from typing import Generic

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F

from payments.core import states
from payments.core.ids import is_id
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
    """The engine of one product. Keeps nothing between calls: due times are its memory."""

    def __init__(self, product: Product[P]) -> None:
        self.product = product

    # --- Doors ----------------------------------------------------------------------------------

    def send(self, *, payment_id: str, now: datetime) -> None:
        """Hands a PENDING payment to its rail; does nothing when another worker was faster."""
        clock = RequestClock(now)
        payment = self._commit_intent(payment_id, clock)
        if payment is not None:
            self.call(payment=payment, now=clock.now())

    def act_due(self, *, now: datetime, limit: int = 200) -> int:
        """Sends or asks about every payment whose time has come, for a while. Returns how many.

        A few are claimed at a time; one that fails comes again later and holds up no other.
        """
        done = 0
        started = time.monotonic()
        while done < limit and time.monotonic() - started < settings.SCANNER_BUDGET_SECONDS:
            claimed = self._claim_due(now)
            for number, payment in enumerate(claimed):
                # Each call may take its time: the settling of the next counts from its own start.
                passed = time.monotonic() - started
                if passed > settings.SCANNER_BUDGET_SECONDS:
                    self._put_back(claimed[number:], now)
                    break
                try:
                    self._process(payment, now + timedelta(seconds=passed))
                except Exception:
                    log.exception("outgoing.not_advanced", payment=payment.pk)
            done += len(claimed)
            if len(claimed) < CLAIM_SIZE:
                break
        return done

    def call(self, *, payment: P, now: datetime, timeout: float | None = None) -> None:
        """Calls the rail with a PROCESSING payment, the first time or again, and commits the
        answer. Never inside a transaction.

        `timeout` in seconds, PROVIDER_TIMEOUT_SECONDS by default. A doubt is not raised: the
        payment stays PROCESSING.
        """
        limit = settings.PROVIDER_TIMEOUT_SECONDS if timeout is None else timeout
        clock = RequestClock(now)
        try:
            port = self.product.port(payment.provider)
            with breaker.guard(self.product.circuit(payment.provider)):
                update = port.send(self.product.request(payment), limit)
        except ports.ProviderRefused as error:
            is_repetition = payment.last_sent_at != payment.sent_at
            if is_repetition and self._is_known(payment, clock.now()):
                return  # it refused the second call because the first had arrived
            self._refused(payment, error.reason, clock.now())
        except (ports.ProviderError, registry.UnknownProvider) as error:
            # Doubtful, or not reached: either way the rail is asked before anything is sent again.
            log.warning("outgoing.send_doubtful", payment=payment.pk, error=type(error).__name__)
        except Exception:
            # An adapter's own mistake, perhaps after the request had left: a doubt like the others.
            log.exception("outgoing.send_broke", payment=payment.pk)
        else:
            self._apply_own(payment, update, clock.now())

    def query(self, *, payment: P, now: datetime) -> None:
        """Asks the rail about a PROCESSING payment and applies the answer."""
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

    def min_seconds_to_call(self) -> float:
        """With less time than this left of a request's budget no rail is called: what our own
        waits have used up would count as the rail's failure."""
        return float(settings.OUTGOING_BUDGET_SECONDS) / 5

    @transaction.atomic
    def apply_update(self, *, provider: str, update: ports.OutgoingUpdate, now: datetime) -> P:
        """Brings payment and books to what the provider says. Repeats change nothing.

        Raises UnknownReference. What contradicts an end that is on the books changes nothing
        either, and waits for an operator.
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

    # --- Transactions ---------------------------------------------------------------------------

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
            reason="handed to the rail",
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
        now = clock.now()  # after the question and the wait for the lock
        settled_at = (locked.last_sent_at or now) + SETTLING
        if locked.status != Status.PROCESSING or now < settled_at:
            return None
        locked.last_sent_at = now
        locked.save(update_fields=["last_sent_at", "updated_at"])
        return locked

    @transaction.atomic
    def _refused(self, payment: P, reason: str, now: datetime) -> None:
        locked = self.lock(payment.pk)
        # Another call that began since then has the word.
        if locked.status == Status.PROCESSING and locked.last_sent_at == payment.last_sent_at:
            completion.fail(self.product, locked, now=now, actor=payment.provider, reason=reason)

    @transaction.atomic
    def _claim_due(self, now: datetime) -> list[P]:
        """Takes due payments and sets their next time at once: a crash only delays the question."""
        rows = self.product.model._default_manager
        due = rows.filter(next_action_at__lte=now).order_by("next_action_at")
        claimed = list(due.select_for_update(skip_locked=True, no_key=True)[:CLAIM_SIZE])
        for payment in claimed:
            payment.attempts += 1
            payment.next_action_at = _next_question(payment, now)
            payment.needs_operator = payment.needs_operator or _in_doubt_too_long(payment, now)
        rows.bulk_update(claimed, ["attempts", "next_action_at", "needs_operator"])
        return claimed

    def _put_back(self, payments: list[P], at: datetime) -> None:
        """Claimed, and not asked about after all: as if it had not been claimed, and due `at`."""
        for payment in payments:
            untouched = self.product.model._default_manager.filter(
                pk=payment.pk, status__in=OPEN, next_action_at=payment.next_action_at
            )
            untouched.update(attempts=F("attempts") - 1, next_action_at=at)

    # --- Steps ----------------------------------------------------------------------------------

    def _process(self, payment: P, now: datetime) -> None:
        if payment.status == Status.PENDING:
            self.send(payment_id=payment.pk, now=now)
        elif payment.status == Status.PROCESSING:
            # A rail that answers no questions is left alone for a while, so that those of other
            # products find a worker; its payments keep their turn.
            if breaker.allow(self._query_circuit(payment)):
                self.query(payment=payment, now=now)
            else:
                pause = timedelta(seconds=settings.PROVIDER_BREAKER_SECONDS)
                self._put_back([payment], now + pause)

    def _query_circuit(self, payment: P) -> str:
        """An answered question says nothing of sending: it has a circuit of its own."""
        return f"{self.product.circuit(payment.provider)}:query"

    def _may_send(self, payment: P) -> bool:
        try:
            self.product.port(payment.provider)
        except registry.UnknownProvider:
            return False
        return self.product.may_send(payment)

    def _is_known(self, payment: P, now: datetime) -> bool:
        """Whether the rail knows the reference, or cannot say; what it says is applied."""
        try:
            update = self.product.port(payment.provider).query(payment.provider_reference)
        except ports.ProviderError:
            return True
        if update.state == State.UNKNOWN:
            return False
        self._apply_own(payment, update, now)
        return True

    def _apply_own(self, payment: P, update: ports.OutgoingUpdate, now: datetime) -> None:
        """An answer about another reference than we asked for ends nobody's payment."""
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
    """The moment that was passed in, going on: calls and locks take their time."""

    def __init__(self, now: datetime) -> None:
        self._began, self._started = now, time.monotonic()

    def now(self) -> datetime:
        """What the clock says by now."""
        return self._began + timedelta(seconds=time.monotonic() - self._started)


def record_provider_ids(payment: OutgoingPayment, update: ports.OutgoingUpdate) -> None:
    """The names that the rail has for it, the first time that it tells them."""
    told = {"provider_id": update.provider_id[:100], "authorization": update.authorization[:40]}
    news = {name: text for name, text in told.items() if text and not getattr(payment, name)}
    for name, text in news.items():
        setattr(payment, name, text)
    if news:
        payment.save(update_fields=[*news, "updated_at"])


def _next_question(payment: OutgoingPayment, now: datetime) -> datetime | None:
    if payment.has_ended:
        return None
    delays = settings.OUTGOING_RECONCILE_DELAYS
    # What was not handed over yet waits for no rail: a worker that dies must not make it wait long.
    asked = payment.attempts - 1 if payment.status == Status.PROCESSING else 0
    return now + timedelta(seconds=delays[min(asked, len(delays) - 1)])


def _in_doubt_too_long(payment: OutgoingPayment, now: datetime) -> bool:
    """After a day an operator looks, too; the funds stay held and the rail is asked on.

    So it is with what could not be handed to any rail: it was created or approved at `updated_at`,
    which claims leave alone.
    """
    limit = timedelta(seconds=settings.OUTGOING_OPERATOR_AFTER_SECONDS)
    return now - (payment.sent_at or payment.updated_at) > limit
