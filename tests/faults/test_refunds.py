"""Refunds under concurrency: never more than was paid, one return each, one event of each fact."""

import random
from collections import Counter
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from django.db import transaction

from merchants.models import Merchant
from payments.collect.models import Charge, Dispute, Order, Refund
from payments.collect.services.disputes import dispute_decisions, dispute_updates
from payments.collect.services.errors import DisputeClosed
from payments.collect.services.refunds import refund_approvals
from payments.collect.services.refunds.refund_engine import engine
from payments.core import clock
from payments.core.errors import NotAllowed
from payments.ledger import services as ledger
from payments.providers.ports import DisputeKind, DisputeState, DisputeUpdate
from payments.simulator import store
from tests.faults import scaled
from tests.support.concurrency import run_concurrently
from tests.support.factories import MerchantFactory
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.invariants import check_invariants
from tests.support.refunds import AFTER, ask, asked, paid, told

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.faults]


@pytest.fixture
def merchant() -> Merchant:
    return MerchantFactory(event_kinds=list(AFTER))


@pytest.fixture
def api(merchant: Merchant, settings: Any) -> ApiClient:
    settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, "1000000/m")
    settings.PROVIDER_BREAKER_FAILURES = 1_000_000
    settings.DOORBELL = False
    return ApiClient(merchant)


def the_bank_says(charge: Charge, case: str, state: str) -> Dispute:
    """About all of what that charge brought."""
    update = DisputeUpdate(
        reference=case,
        charge_reference=charge.pk,
        kind=DisputeKind.CHARGEBACK,
        state=DisputeState(state),
        amount=charge.amount,
        currency="COP",
        occurred_at=clock.now(),
    )
    return dispute_updates.apply_dispute_update(
        provider="simulator", update=update, now=clock.now()
    )


def asking(api: ApiClient, order: Order, key: str, **body: Any) -> Any:
    """POST /collect/{id}/refunds, to be called in any thread."""
    return lambda: ask(ApiClient(None, **api.headers), order, key, **body)


def codes(answers: list[Any]) -> Counter[str]:
    return Counter(
        str(a.status_code) if a.status_code < 300 else a.body["error"]["code"] for a in answers
    )


def test_two_refunds_race_for_what_remains(api: ApiClient, merchant: Merchant) -> None:
    """Exactly one wins, also where each alone would fit."""
    fund(merchant, 10_000_000)
    size = scaled(100)
    for number in range(size):
        order = paid(api)
        asked(api, order, f"first-{number}", amount=20_000)
        rest = [asking(api, order, f"{number}-{n}", amount=30_025) for n in range(2)]
        assert codes(run_concurrently(rest)) == {"201": 1, "AMOUNT_ABOVE_LIMIT": 1}
    print(f"{size} races for the rest: {size} won, 0 took more than was paid")
    check_invariants([merchant.pk])


def test_sixteen_refunds_of_a_part(api: ApiClient, merchant: Merchant) -> None:
    """50,025 holds five parts of 10,000, with more requests at the same instant."""
    fund(merchant, 1_000_000)
    order = paid(api)
    answers = run_concurrently([asking(api, order, f"k-{n}", amount=10_000) for n in range(16)])
    assert codes(answers) == {"201": 5, "AMOUNT_ABOVE_LIMIT": 11}
    assert ledger.balances(merchant.pk)["COPM"]["held"] == 50_000
    check_invariants([merchant.pk])


def test_one_key_is_one_refund(api: ApiClient, merchant: Merchant) -> None:
    fund(merchant, 1_000_000)
    order = paid(api)
    answers = run_concurrently([asking(api, order, "one")] * 16)
    assert codes(answers) == {"201": 16}
    assert len({a.body["data"]["id"] for a in answers}) == Refund.objects.count() == 1
    assert [kind for kind, _ in told(order)].count("refund.requested") == 1
    check_invariants([merchant.pk])


def test_concurrent_refunds_never_overdraw_the_balance(api: ApiClient, merchant: Merchant) -> None:
    """Ten orders, a balance for seven: each part is held once, and nothing falls below zero."""
    orders = [paid(api) for _ in range(10)]  # 500,000 in the balance
    answers = run_concurrently(
        [asking(api, order, f"{order.pk}-{n}", amount=25_000) for order in orders for n in "ab"]
    )
    assert codes(answers) == {"201": 20}
    more = run_concurrently([asking(api, order, f"{order.pk}-c", amount=25) for order in orders])
    assert codes(more) == {"INSUFFICIENT_BALANCE": 10}
    assert ledger.balances(merchant.pk)["COPM"] == {"available": 0, "held": 500_000}
    check_invariants([merchant.pk])


def test_approve_and_reject_at_the_same_instant(api: ApiClient, merchant: Merchant) -> None:
    fund(merchant, 10_000_000)
    size = scaled(100)
    wins: Counter[str] = Counter()
    for number in range(size):
        order = paid(api)
        refund = asked(api, order, f"k-{number}")
        act = {"refund": refund, "actor": "ana", "reason": "race", "now": clock.now()}
        acts = [partial(refund_approvals.approve, **act), partial(refund_approvals.reject, **act)]
        results = run_concurrently(acts)
        assert sum(result is None for result in results) == 1, results
        send = partial(engine.send, payment_id=refund.pk, now=clock.now())
        assert run_concurrently([send] * 2) == [None, None]
        refund.refresh_from_db()
        wins[refund.status] += 1
        left = store.executions(refund.pk)
        assert left == (refund.status == "COMPLETED")
    print(f"{size} races of approval and rejection: {dict(wins)}, each sent at most once")
    check_invariants([merchant.pk])


def test_a_refund_and_a_dispute_race_for_the_payment(api: ApiClient, merchant: Merchant) -> None:
    fund(merchant, 10_000_000)
    size = scaled(100)
    for number in range(size):
        order = paid(api)
        contest = partial(
            dispute_decisions.open_by_operator,
            order=order,
            claim=dispute_decisions.NewDispute(
                kind="CHARGEBACK", amount=Decimal(50_025), reason="race"
            ),
            actor="ana",
            now=clock.now(),
        )
        acts = [asking(api, order, f"k-{number}", amount=1000), contest]
        random.Random(number).shuffle(acts)
        run_concurrently(acts)
        assert Refund.objects.filter(order=order).count() == (
            1 - Dispute.objects.filter(order=order).count()
        )
    check_invariants([merchant.pk])


def test_the_rail_and_an_operator_decide_at_once(api: ApiClient, merchant: Merchant) -> None:
    """The first one has decided; the other contradicts or comes too late, and nothing moves."""
    fund(merchant, 10_000_000)
    size = scaled(100)
    ends: Counter[tuple[str, bool]] = Counter()
    for number in range(size):
        charge = Charge.objects.get(order=paid(api))
        told = partial(the_bank_says, charge, f"case-{number}")
        dispute = told("OPEN")
        by_hand = partial(
            dispute_decisions.record_decision,
            dispute=dispute,
            decision=dispute_decisions.BankDecision(outcome="WON", proof="letter", reason="race"),
            actor="ana",
            now=clock.now(),
        )
        acts = [by_hand, partial(told, "LOST")] * 2
        random.Random(number).shuffle(acts)
        results = run_concurrently(acts)
        refused = [result for result in results if isinstance(result, Exception)]
        assert all(isinstance(error, DisputeClosed) for error in refused), refused
        dispute.refresh_from_db()
        assert len(refused) == (1 if dispute.status == "WON" else 2)
        # The rail's word against the operator's: an operator has to look.
        assert dispute.needs_operator == (dispute.status == "WON")
        ends[dispute.status, dispute.needs_operator] += 1
    print(f"{size} races of rail and operator: {dict(ends)}, each decided once")
    check_invariants([merchant.pk])


def test_a_refund_is_decided_while_the_bank_claims_the_money(
    api: ApiClient, merchant: Merchant
) -> None:
    """In any order: no claim is paid twice, and the merchant keeps nothing that the bank took."""
    fund(merchant, 10_000_000)
    size = scaled(100)
    for number in range(size):
        order = paid(api)
        charge = Charge.objects.get(order=order)
        refund = asked(api, order, f"k-{number}")
        told = partial(the_bank_says, charge, f"case-{number}")
        act = {"refund": refund, "actor": "ana", "reason": "race", "now": clock.now()}
        decide = refund_approvals.approve if number % 2 else refund_approvals.reject
        acts = [partial(decide, **act), partial(told, "OPEN"), partial(told, "LOST")]
        random.Random(number).shuffle(acts)
        refused = [result for result in run_concurrently(acts) if isinstance(result, Exception)]
        assert all(isinstance(error, NotAllowed) for error in refused), refused
        told("LOST")
        refund.refresh_from_db()
        dispute = Dispute.objects.get(order=order)
        assert dispute.status == "LOST"
        if refund.status == "PENDING" and refund.needs_approval:
            refund_approvals.reject(**act)
            refund.refresh_from_db()
            dispute.refresh_from_db()
        went_back = refund.amount if refund.status != "FAILED" else 0
        assert dispute.amount == dispute.claimed - went_back
        assert dispute.shortfall == went_back
    print(f"{size} refunds that the bank claimed at the same time: 0 kept by the merchant")
    check_invariants([merchant.pk])


def test_many_disputes_on_one_balance(api: ApiClient, merchant: Merchant) -> None:
    """Each holds what is there; together never more than there is."""
    orders = [paid(api) for _ in range(8)]
    with transaction.atomic():
        ledger.post(
            kind="test",
            subject_id="po_1",
            idempotency_key="spent",
            lines=[
                ledger.PostingLine(ledger.available(merchant.pk, "COPM"), Decimal(-150_000)),
                ledger.PostingLine(ledger.sandbox("COPM"), Decimal(150_000)),
            ],
            now=clock.now(),
        )
    results = run_concurrently(
        [
            partial(
                dispute_decisions.open_by_operator,
                order=order,
                claim=dispute_decisions.NewDispute(
                    kind="DISPUTE", amount=Decimal(50_025), reason="race"
                ),
                actor="ana",
                now=clock.now(),
            )
            for order in orders
        ]
    )
    assert all(isinstance(result, Dispute) for result in results), results
    held = sum(Dispute.objects.values_list("held", flat=True), Decimal(0))
    assert held == 250_000
    assert ledger.balances(merchant.pk)["COPM"] == {"available": 0, "held": 250_000}
    outcomes = ("WON", "LOST")
    run_concurrently(
        [
            partial(
                dispute_decisions.record_decision,
                dispute=result,
                decision=dispute_decisions.BankDecision(
                    outcome=outcomes[number % 2], proof="letter", reason="race"
                ),
                actor="beto",
                now=clock.now(),
            )
            for number, result in enumerate(results)
            if isinstance(result, Dispute)
        ]
    )
    assert ledger.balances(merchant.pk)["COPM"]["held"] == 0
    lost = Dispute.objects.filter(status="LOST")
    assert lost.count() == 4
    assert not ledger.verify().problems
