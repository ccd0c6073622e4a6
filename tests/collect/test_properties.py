"""Whatever happens to orders, in whatever order: one final state, never more refunded than paid,
books that add up, one event of each fact.
"""

from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import count
from typing import Any

import pytest
import time_machine
from django.db import connection, transaction
from hypothesis import event, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from payments.collect.models import Charge, Dispute, Order, Refund
from payments.collect.services.charges import charge_creation, charge_updates, reconciliation
from payments.collect.services.disputes import dispute_decisions, dispute_updates
from payments.collect.services.endings import cancellation, expiry
from payments.collect.services.orders import order_creation
from payments.collect.services.refunds import refund_approvals, refund_requests
from payments.collect.services.refunds.refund_engine import engine
from payments.core.errors import ServiceError
from payments.core.models import Transition
from payments.ledger import recipes
from payments.ledger import services as ledger
from payments.ledger.models import Account
from payments.providers import ports
from payments.providers.ports import DisputeKind, DisputeState, OutgoingState
from payments.rates import services as rates
from payments.simulator import control, store
from payments.simulator.magic import OutgoingProduct
from tests.support import invariants
from tests.support.charges import FIELDS
from tests.support.factories import MerchantFactory
from tests.support.refunds import AFTER, DOCUMENTS
from webhooks.models import Event

pytestmark = pytest.mark.slow

START = datetime(2026, 3, 2, 12, tzinfo=UTC)
FUNDS = Decimal(20_000)  # less than one order: refunds and disputes meet an empty balance
FINAL = ("COMPLETED", "FAILED", "EXPIRED")
NUMBER = st.integers(0, 2)
AMOUNTS = st.sampled_from([None, Decimal(1), Decimal(20_000), Decimal("25000.5"), Decimal(50_025)])
RAILS = st.sampled_from(["PSE", "PSE", "BANK_TRANSFER"])
SAID = ("SUCCEEDED", "SUCCEEDED", "FAILED", "ABANDONED", "RECEIVED", "PENDING")

STEPS = {
    "create": st.tuples(st.sampled_from(["79123456", *DOCUMENTS.values()])),
    "start": st.tuples(NUMBER, RAILS),
    "say": st.tuples(
        NUMBER, st.sampled_from(SAID), st.sampled_from([1, 20_000, 50_025, 60_000]), st.booleans()
    ),
    "pay": st.tuples(NUMBER, RAILS),
    "cancel": st.tuples(NUMBER),
    "refund": st.tuples(NUMBER, AMOUNTS, st.integers(0, 9)),
    "approve": st.tuples(NUMBER),
    "reject": st.tuples(NUMBER),
    "answer": st.tuples(NUMBER, st.sampled_from(["COMPLETED", "FAILED", "RETURNED"])),
    "lie": st.tuples(NUMBER, st.sampled_from(["COMPLETED", "FAILED", "RETURNED"]), st.booleans()),
    "contest": st.tuples(
        NUMBER,
        st.integers(0, 2),
        st.sampled_from(list(DisputeKind)),
        st.sampled_from(list(DisputeState)),
        st.sampled_from([Decimal(30_000), Decimal(50_025)]),
    ),
    "contest_by_hand": st.tuples(NUMBER, AMOUNTS),
    "decide": st.tuples(
        NUMBER, st.sampled_from(["WON", "LOST"]), st.sampled_from([None, None, Decimal(20_000)])
    ),
    "acknowledge": st.tuples(NUMBER, st.booleans()),
    "wait": st.tuples(st.sampled_from([1, 30, 700, 4000, 90_000])),
}
OFTEN = [*STEPS, *["pay"] * 5, *["refund"] * 4, *["approve"] * 3, "answer", *["contest"] * 3]
step = st.sampled_from(OFTEN).flatmap(lambda name: st.tuples(st.just(name), STEPS[name]))
stories = st.lists(step, min_size=8, max_size=30)

# One payment: refunds of it in flight while the payer's bank claims the same money, which go, or
# come to nothing after all.
ONE = st.just(0)
CROSSED = {
    "refund": st.tuples(ONE, AMOUNTS, st.integers(0, 9)),
    "approve": st.tuples(NUMBER),
    "reject": st.tuples(NUMBER),
    "lie": st.tuples(NUMBER, st.sampled_from(["FAILED", "RETURNED"]), st.just(True)),
    "contest": st.tuples(
        ONE,
        st.integers(0, 1),
        st.just(DisputeKind.CHARGEBACK),
        st.sampled_from(list(DisputeState)),
        st.sampled_from([Decimal(30_000), Decimal(50_025)]),
    ),
    "decide": STEPS["decide"],
}
crossed = st.sampled_from([*CROSSED, "refund", "contest", "contest"]).flatmap(
    lambda name: st.tuples(st.just(name), CROSSED[name])
)
crossings = st.lists(crossed, min_size=4, max_size=12)


class World:
    """One merchant, a few orders, a moved clock."""

    def __init__(self) -> None:
        self.now = START
        rates.load_default_rates(now=START)
        self.merchant = MerchantFactory(event_kinds=[*AFTER, "payment.expired"])
        self.serial = count()
        self.ends: dict[str, str] = {}
        with transaction.atomic():
            recipes.sandbox_credited(
                merchant_id=self.merchant.pk,
                currency="COPM",
                amount=FUNDS,
                reference="funds",
                now=START,
            )

    def run(self, story: list[tuple[str, tuple[Any, ...]]]) -> None:
        with time_machine.travel(self.now, tick=False):
            self.create("79123456")
        for name, arguments in story:
            self.now += timedelta(milliseconds=1)
            with time_machine.travel(self.now, tick=False), suppress(ServiceError):
                getattr(self, name)(*arguments)
            self.check()
        invariants._balances_are_what_happened(self.merchant.pk)
        invariants._nothing_is_returned_twice()
        invariants._one_end_per_payment(OutgoingProduct.REFUND, Refund)

    # --- What may happen ------------------------------------------------------------------------

    def create(self, document: str) -> None:
        if Order.objects.count() < 3:
            order_creation.create_order(
                merchant=self.merchant,
                new_order=order_creation.NewOrder(
                    reference=f"P-{next(self.serial)}",
                    amount=Decimal(50_000),
                    currency="COP",
                    description="",
                    customer_name="María Fernanda Ñáñez",
                    customer_email="maria@example.com",
                    customer_doc_type="CC",
                    customer_doc_number=document,
                    expiration_minutes=60,
                    callback_url=None,
                    allowed_methods=None,
                    metadata="{}",
                ),
                now=self.now,
            )

    def start(self, number: int, rail: str) -> Charge:
        order = self.nth(Order, number)
        return charge_creation.start_charge(
            order=order,
            choice=charge_creation.PaymentChoice(
                method=rail,
                payer=charge_creation.payer_of(order),
                fields={**FIELDS[rail]},
                return_url=order.collect_url,
            ),
            now=self.now,
        )

    def pay(self, number: int, rail: str) -> None:
        """The payer pays all of it, and the rail's callback says so."""
        charge = self.start(number, rail)
        with suppress(control.NotPossible):
            control.resolve(charge.pk, ports.ChargeStatus.SUCCEEDED)

    def say(self, number: int, status: str, received: int, is_confirmed: bool) -> None:
        """The rail says something of any try, late or untrue; twice."""
        charge = self.nth(Charge, number)
        has_money = status in ("SUCCEEDED", "RECEIVED")
        update = ports.ChargeUpdate(
            reference=charge.pk,
            provider_id=charge.provider_id,
            status=ports.ChargeStatus(status),
            received=Decimal(received if has_money else 0),
            currency=charge.currency,
            occurred_at=self.now,
            is_confirmed=is_confirmed,
        )
        for _ in range(2):
            charge_updates.apply_charge_update(provider="simulator", update=update, now=self.now)

    def cancel(self, number: int) -> None:
        cancellation.cancel_order(
            order=self.nth(Order, number), now=self.now, actor="merchant", reason="changed my mind"
        )

    def refund(self, number: int, amount: Decimal | None, key: int) -> None:
        refund_requests.request_refund(
            order=self.nth(Order, number),
            new_refund=refund_requests.NewRefund(reason="cold", amount=amount),
            requester=refund_requests.Operator("backend"),
            idempotency_key=f"k-{key}",
            now=self.now,
        )

    def approve(self, number: int) -> None:
        refund = self.nth(Refund, number)
        refund_approvals.approve(refund=refund, actor="ana", reason="seen", now=self.now)
        engine.send(payment_id=refund.pk, now=self.now)

    def reject(self, number: int) -> None:
        refund = self.nth(Refund, number)
        refund_approvals.reject(refund=refund, actor="ana", reason="warm", now=self.now)

    def answer(self, number: int, state: str) -> None:
        """The rail decides about a return, and its callback says so."""
        reference = self.nth(Refund, number).provider_reference
        with suppress(control.UnknownReference, control.NotPossible):
            control.resolve(reference, OutgoingState(state))

    def lie(self, number: int, state: str, is_amount_right: bool) -> None:
        """What an honest rail would not say."""
        refund = self.nth(Refund, number)
        update = ports.OutgoingUpdate(
            reference=refund.provider_reference,
            provider_id="simre_said",
            state=OutgoingState(state),
            amount=refund.amount + (0 if is_amount_right else Decimal("0.01")),
            occurred_at=self.now,
        )
        for _ in range(2):
            engine.apply_update(provider="simulator", update=update, now=self.now)

    def contest(
        self, number: int, case: int, kind: DisputeKind, state: DisputeState, amount: Decimal
    ) -> None:
        charge = self.nth(Charge, number)
        update = ports.DisputeUpdate(
            reference=f"case-{case}-{charge.pk}",
            charge_reference=charge.pk,
            kind=kind,
            state=state,
            amount=amount,
            currency="COP",
            reason="unknown to me",
            occurred_at=self.now,
        )
        for _ in range(2):
            dispute_updates.apply_dispute_update(provider="simulator", update=update, now=self.now)

    def contest_by_hand(self, number: int, amount: Decimal | None) -> None:
        dispute_decisions.open_by_operator(
            order=self.nth(Order, number),
            claim=dispute_decisions.NewDispute(
                kind="CHARGEBACK", amount=amount or Decimal(30_000), reason="a letter"
            ),
            actor="ana",
            now=self.now,
        )

    def decide(self, number: int, outcome: str, amount: Decimal | None) -> None:
        dispute_decisions.record_decision(
            dispute=self.nth(Dispute, number),
            decision=dispute_decisions.BankDecision(
                outcome=outcome, proof="letter", reason="as written", amount=amount
            ),
            actor="beto",
            now=self.now,
        )

    def acknowledge(self, number: int, is_loss: bool) -> None:
        dispute = self.nth(Dispute, number)
        dispute_decisions.acknowledge(
            dispute=dispute,
            finding=dispute_decisions.Finding(reason="seen", is_loss=is_loss),
            actor="ana",
            now=self.now,
        )

    def wait(self, seconds: int) -> None:
        """Time passes, and the scanners run."""
        self.now += timedelta(seconds=seconds)
        with time_machine.travel(self.now, tick=False):
            expiry.expire_due(now=self.now)
            reconciliation.reconcile_due(now=self.now)
            engine.process_due(now=self.now)

    def nth(self, model: Any, number: int) -> Any:
        rows = list(model.objects.order_by("pk"))
        if not rows:
            raise ServiceError("there is none yet")
        return rows[number % len(rows)]

    # --- What always holds ----------------------------------------------------------------------

    def check(self) -> None:
        report = ledger.verify()
        assert not report.problems, report.problems
        assert not Account.objects.filter(balance__lt=0).exists()
        told = Counter(Event.objects.values_list("subject_id", "kind"))
        for order in Order.objects.all():
            self.check_end(order)
            self.check_returns(order)
            self.check_events(
                order, Counter({kind: n for (pk, kind), n in told.items() if pk == order.pk})
            )
        moves = Counter(Transition.objects.values_list("subject_id", "to_state"))
        ends = {*FINAL, "REFUNDED", "WON", "LOST"}
        assert all(times == 1 for (_, state), times in moves.items() if state in ends)
        executed = store.executions_by_payment()
        assert all(executed.get(pk, 0) <= 1 for pk in Refund.objects.values_list("pk", flat=True))

    def check_end(self, order: Order) -> None:
        """A final state is for ever."""
        if order.pk in self.ends:
            assert order.status == self.ends[order.pk]
        elif order.status in FINAL:
            self.ends[order.pk] = order.status
            event(f"an order ends {order.status}")

    def check_returns(self, order: Order) -> None:
        """No claim is paid twice, the merchant keeps nothing that is claimed, and the order says
        how much went back.
        """
        if order.disputes.exists() or order.refunds.exists():
            invariants.each_part_is_taken_once(order)
        back = order.refunds.filter(status="COMPLETED").values_list("amount", flat=True)
        assert order.refunded_amount == sum(back, Decimal(0))
        for dispute in order.disputes.all():
            assert dispute.held <= dispute.amount <= dispute.claimed

    def check_events(self, order: Order, told: Counter[str]) -> None:
        """One of each fact, and none of what did not happen."""
        rows, cases = list(order.refunds.all()), list(order.disputes.all())
        completed = sum(row.completed_at is not None for row in rows)
        whole = told["payment.refunded"] + told["payment.partially_refunded"]
        assert whole == completed
        expected = {
            "payment.completed": order.status == "COMPLETED",
            "payment.confirmed": order.confirmed_at is not None,
            "payment.failed": order.status == "FAILED",
            "payment.expired": order.status == "EXPIRED" and order.cancelled_at is None,
            "payment.cancelled": order.cancelled_at is not None,
            "refund.requested": len(rows),
            "refund.approved": sum(row.approved_at is not None for row in rows),
            "refund.rejected": sum(row.rejected_at is not None for row in rows),
            "refund.completed": completed,
        }
        assert {kind: told[kind] for kind in expected} == expected
        # Of money that has not paid the order the merchant hears nothing.
        theirs = [case for case in cases if is_of_merchant(case)]
        claimed = [
            {case.pk for case in some if case.kind == "CHARGEBACK" or case.status == "LOST"}
            for some in (theirs, cases)
        ]
        assert len(claimed[0]) <= told["payment.chargeback"] <= len(claimed[1])
        assert told["payment.disputed"] >= sum(case.kind == "DISPUTE" for case in theirs)
        assert told["payment.disputed"] <= len(cases)
        for kind in ("refund.completed", "payment.chargeback"):
            if told[kind]:
                event(kind)


def is_of_merchant(case: Dispute) -> bool:
    """Whether it was against money that had paid the order by then."""
    order, root = case.order, invariants.root_of(case)
    is_paid = order.paid_at is not None and order.paid_at < case.opened_at
    return is_paid and (root is None or root in invariants.paid_by_try(order))


class TestStories(TestCase):
    @pytest.fixture(autouse=True)
    def _quiet(self, settings: Any) -> None:
        settings.PROVIDER_BREAKER_FAILURES = 1_000_000
        settings.DOORBELL = False

    @hypothesis_settings(max_examples=20)
    @given(stories)
    def test_invariants_hold_after_any_sequence_of_actions(
        self, story: list[tuple[str, tuple[Any, ...]]]
    ) -> None:
        assert connection.in_atomic_block  # rolled back after each example
        World().run(story)

    @hypothesis_settings(max_examples=20)
    @given(crossings)
    def test_invariants_hold_when_the_bank_claims_what_is_being_refunded(
        self, story: list[tuple[str, tuple[Any, ...]]]
    ) -> None:
        World().run([("pay", (0, "PSE")), ("refund", (0, None, 0)), *story])
