"""Whatever the rail says, in whatever order: one end, one execution, books that add up."""

from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.db import connection, transaction
from django.db.models import Sum
from django.test import Client
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from payments.core.errors import NotAllowed, ServiceError
from payments.core.models import Transition
from payments.ledger import recipes
from payments.ledger import services as ledger
from payments.ledger.models import Entry
from payments.outgoing.creation import PaymentRequest
from payments.payout.models import Payout
from payments.payout.services import catalogue, payouts
from payments.payout.services.engine import engine
from payments.providers.ports import OutgoingState, OutgoingUpdate
from payments.rates import services as rates
from payments.simulator import control, messages, store
from payments.simulator.callbacks import signed_headers
from payments.simulator.magic import OUTGOING_BY_KEY, OutgoingProduct
from payments.simulator.records import NotPossible
from tests.support import outgoing_payments
from tests.support.factories import MerchantFactory, issue_key

START = datetime(2026, 3, 2, 12, tzinfo=UTC)
FUNDS = {"COPM": Decimal(400_000), "USDT": Decimal(60)}
ENDS = ("COMPLETED", "FAILED", "REFUNDED")
SAID = (
    OutgoingState.PENDING,
    OutgoingState.COMPLETED,
    OutgoingState.FAILED,
    OutgoingState.RETURNED,
)
NUMBER = st.integers(0, 3)

create = st.tuples(
    st.just("create"),
    st.fixed_dictionaries(
        {
            "currency": st.sampled_from(["COPM", "COPM", "USDT"]),
            "amount": st.sampled_from([Decimal(1000), Decimal(50_000), Decimal("99999.99")]),
            "document": st.sampled_from(["79123456", *OUTGOING_BY_KEY[OutgoingProduct.PAYOUT]]),
            "key": st.integers(0, 9),
        }
    ),
)
# What a rail may decide, and what none should say: lies of its callbacks, with a good signature.
decide = st.tuples(st.just("decide"), NUMBER, st.sampled_from(SAID[1:]))
say = st.tuples(st.just("say"), NUMBER, st.sampled_from(SAID), st.booleans())
resolve = st.tuples(st.just("resolve"), NUMBER, st.sampled_from(ENDS))
act = st.tuples(st.just("act"), st.sampled_from([0, 5, 40, 700, 4000, 90_000]))
honest = st.lists(st.one_of(create, create, decide, act), min_size=2, max_size=16)
anything = st.lists(st.one_of(create, create, decide, say, resolve, act), min_size=2, max_size=20)


class World:
    """One merchant, its payouts, a moved clock."""

    def __init__(self) -> None:
        self.now = START
        rates.load_default_rates(now=START)
        catalogue.load_catalogue(now=START)
        self.merchant = MerchantFactory()
        self.key, _ = issue_key(self.merchant, ("payout:create",))
        with transaction.atomic():
            for currency, amount in FUNDS.items():
                recipes.sandbox_credited(
                    merchant_id=self.merchant.pk,
                    currency=currency,
                    amount=amount,
                    reference=currency,
                    now=START,
                )

    def run(self, steps: list[tuple[Any, ...]]) -> None:
        for name, *arguments in steps:
            with time_machine.travel(self.now, tick=False):
                getattr(self, name)(*arguments)
            self.check()

    def create(self, values: dict[str, Any]) -> None:
        fields = {
            "amount": values["amount"],
            "currency": values["currency"],
            "recipient_name": "Juan Pérez",
            "recipient_doc_type": "CC",
            "recipient_doc_number": values["document"],
            "network": "BANK",
            "bank": "bancolombia",
            "account_type": "SAVINGS",
            "account_number": "12345678901",
            "key_type": None,
            "key_value": None,
            "description": "",
        }
        try:
            request = PaymentRequest(
                merchant=self.merchant,
                requester=self.key,
                idempotency_key=f"k-{values['key']}",
                wanted=payouts.NewPayout(**fields),
            )
            payouts.create_payout(request, now=self.now)
        except ServiceError as error:
            if error.code not in ("INSUFFICIENT_BALANCE", "IDEMPOTENCY_KEY_REUSED"):
                raise

    def decide(self, number: int, state: OutgoingState) -> None:
        """The rail decides, and its callback says so."""
        if payout := self.payout(number):
            with suppress(control.UnknownReference, NotPossible):
                control.resolve(payout.provider_reference, state)

    def say(self, number: int, state: OutgoingState, is_amount_right: bool) -> None:
        """A callback says something, true or not; twice."""
        if payout := self.payout(number):
            update = OutgoingUpdate(
                reference=payout.provider_reference,
                provider_id="simpo_said",
                state=state,
                amount=payout.amount + (0 if is_amount_right else Decimal("0.01")),
                occurred_at=self.now,
            )
            body = messages.body_of(update, OutgoingProduct.PAYOUT)
            for _ in range(2):
                response = Client().post(
                    "/callbacks/payout/simulator",
                    body,
                    content_type="application/json",
                    headers=signed_headers(body, self.now),
                )
                assert response.status_code == 200

    def resolve(self, number: int, outcome: str) -> None:
        """An operator decides, rightly or not."""
        if payout := self.payout(number):
            with suppress(NotAllowed):
                outgoing_payments.resolve(engine, payout, outcome, now=self.now)

    def act(self, seconds: int) -> None:
        """Time passes, and the scanner runs."""
        self.now += timedelta(seconds=seconds)
        with time_machine.travel(self.now, tick=False):
            engine.process_due(now=self.now)

    def payout(self, number: int) -> Payout | None:
        found = list(Payout.objects.order_by("created_at", "pk"))
        return found[number % len(found)] if found else None

    def check(self) -> None:
        report = ledger.verify()
        assert not report.problems, report.problems
        rows = list(Payout.objects.all())
        executed = store.executions_by_payment()
        assert all(executed.get(row.pk, 0) <= 1 for row in rows)
        for currency in FUNDS:
            self.check_balance(currency)
        for row in rows:
            self.check_end(row)
        moves = Counter(Transition.objects.values_list("subject_id", "to_state"))
        assert all(times == 1 for times in moves.values())

    def check_balance(self, currency: str) -> None:
        """Held is what is under way, and available what did not go."""
        payouts_ = Payout.objects.filter(currency=currency)

        def debits(*statuses: str) -> Decimal:
            found = payouts_.filter(status__in=statuses)
            return found.aggregate(total=Sum("debit"))["total"] or Decimal(0)

        balance = ledger.balances(self.merchant.pk)[currency]
        held = debits("PENDING", "PROCESSING")
        assert balance["held"] == held
        assert balance["available"] == FUNDS[currency] - held - debits("COMPLETED")

    def check_end(self, payout: Payout) -> None:
        kinds = set(Entry.objects.filter(subject_id=payout.pk).values_list("kind", flat=True))
        expected = {
            "PENDING": set(),
            "PROCESSING": set(),
            "FAILED": {"payout_released"},
            "COMPLETED": {"payout_completed"},
            "REFUNDED": {"payout_returned"},
        }[payout.status]
        if payout.completed_at is not None:
            expected = expected | {"payout_completed"}
        assert kinds == {"payout_reserved", *expected}

    def check_truth(self) -> None:
        """If reports are true, our status is what the rail did, and in the end all is settled."""
        executed = store.executions_by_payment()
        for payout in Payout.objects.all():
            record = store.outgoing.by_reference(payout.provider_reference)
            if payout.status == "PROCESSING":
                assert record is None or record.state is OutgoingState.PENDING
            else:
                assert executed.get(payout.pk, 0) == (payout.status in ("COMPLETED", "REFUNDED"))
        assert not Payout.objects.filter(status="PENDING").exists()


def relaxed(examples: int) -> Any:
    return hypothesis_settings(max_examples=examples)


class TestSequences(TestCase):
    @pytest.fixture(autouse=True)
    def _quiet(self, settings: Any) -> None:
        settings.PROVIDER_BREAKER_FAILURES = 1_000_000
        settings.DOORBELL = False

    @relaxed(15)
    @given(anything)
    def test_the_books_add_up_whatever_anybody_says(self, steps: list[tuple[Any, ...]]) -> None:
        assert connection.in_atomic_block  # rolled back after each example
        World().run(steps)

    @relaxed(15)
    @given(honest)
    def test_with_an_honest_rail_our_status_is_the_truth(self, steps: list[Any]) -> None:
        world = World()
        world.run([*steps, ("act", 4000), ("act", 4000), ("act", 4000), ("act", 4000)])
        world.check_truth()
