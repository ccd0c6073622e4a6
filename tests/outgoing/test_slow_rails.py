"""A slow or silent rail: what it does to its own payments, and what it must not do to others."""

import time
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from merchants.models import Merchant
from payments.bills.models import Agreement, BillPayment
from payments.core import clock, due
from payments.outgoing.engine import SETTLING
from payments.payout.models import Payout
from payments.payout.services.engine import engine
from payments.providers import ports
from payments.simulator.outgoing import SimulatorPayout
from tests.support import bills
from tests.support.factories import payout_body
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.outgoing_payments import refusal
from tests.support.payouts import send

pytestmark = pytest.mark.django_db
Doubtful = ports.ProviderTimeout


@pytest.fixture(autouse=True)
def _funds(merchant: Merchant, settings: Any) -> None:
    settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, "1000000/m")
    settings.DOORBELL = False
    fund(merchant, 5_000_000)


def in_doubt(api: ApiClient, count: int) -> list[Payout]:
    """Payouts that were sent and not answered, all due for a question."""
    lost = payout_body(recipientDocNumber="9999001004")
    for number in range(count):
        assert send(api, {**lost, "amount": 1000 + number}).status_code == 201
    engine.process_due(now=clock.now())
    return list(Payout.objects.filter(status="PROCESSING").order_by("next_action_at"))


def test_what_a_scan_had_no_time_for_keeps_its_turn(
    api: ApiClient, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a rail that hangs would send payments to the hourly step that it was never asked of."""
    settings.PROVIDER_BREAKER_FAILURES = 1000
    in_doubt(api, 3)
    asked: list[str] = []
    # Only the rail takes time: on a busy machine a scan would be over before its first question.
    watch = SimpleNamespace(monotonic=lambda: len(asked) * (settings.SCANNER_BUDGET_SECONDS + 1))
    monkeypatch.setattr(due, "time", watch)

    def hang(port: Any, known: ports.Known) -> None:
        asked.append(known.reference)
        raise Doubtful("nothing heard")

    monkeypatch.setattr(SimulatorPayout, "query", hang)
    now = clock.now() + timedelta(seconds=10)
    for _ in range(3):
        engine.process_due(now=now)

    assert len(set(asked)) == len(asked) == 3, "each was asked about once, none twice"


def test_a_rail_that_answers_no_questions_is_left_alone(
    api: ApiClient, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PROVIDER_BREAKER_FAILURES = 100  # all of them are sent
    in_doubt(api, 6)
    settings.PROVIDER_BREAKER_FAILURES = 2
    asked = []

    def silent(port: Any, known: ports.Known) -> None:
        asked.append(known.reference)
        raise Doubtful("nothing heard")

    monkeypatch.setattr(SimulatorPayout, "query", silent)
    now = clock.now() + timedelta(seconds=10)
    engine.process_due(now=now)

    assert len(asked) == 2
    spared = Payout.objects.exclude(provider_reference__in=asked)
    pause = now + timedelta(seconds=settings.PROVIDER_BREAKER_SECONDS)
    assert len(spared) == 4
    for payout in spared:
        assert pause <= payout.next_action_at < pause + timedelta(seconds=10)
    assert {payout.attempts for payout in spared} == {1}, "a question not asked is no attempt"


def test_a_call_begins_when_its_lock_is_held(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or else an operator could give back what a call, begun late, still sends."""
    assert send(api, payout_body()).status_code == 201
    lock = type(engine).lock

    def late(self: Any, payment_id: str) -> Any:
        time.sleep(0.3)
        return lock(self, payment_id)

    monkeypatch.setattr(type(engine), "lock", late)
    now = clock.now()
    engine.process_due(now=now)

    payout = Payout.objects.get()
    assert payout.last_sent_at is not None
    assert payout.last_sent_at >= now + timedelta(seconds=0.3)
    assert timedelta(0) < SETTLING


def test_an_adapter_that_breaks_leaves_a_doubt(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(port: Any, request: Any, timeout: float) -> None:
        raise KeyError("a field that the adapter expected")

    monkeypatch.setattr(SimulatorPayout, "send", broken)
    assert send(api, payout_body()).status_code == 201
    engine.process_due(now=clock.now())

    assert Payout.objects.get().status == "PROCESSING"


def test_a_silent_biller_keeps_no_payer_from_paying_another(api: ApiClient) -> None:
    silent = bills.reference("check-unavailable")
    for _ in range(6):
        assert bills.ask(api, silent).status_code == 503

    other = Agreement.objects.exclude(pk=bills.AGREEMENT).order_by("pk").first()
    assert other is not None
    assert bills.ask(api, bills.reference(), other.pk).status_code == 200


def test_two_agreements_of_one_biller_pay_a_bill_once(api: ApiClient) -> None:
    """The rail knows the biller by its code; ours may stand in the catalogue twice."""
    first = Agreement.objects.get(pk=bills.AGREEMENT)
    twin = Agreement.objects.create(
        pk=990_001, name="Copia", reference_label="Contrato", type="AGUA", codes=first.codes
    )
    bill = bills.reference("pending")
    (product,) = bills.owed(api, bill)
    assert bills.pay(api, bill, product["amount"]).status_code == 201

    response = bills.pay(api, bill, product["amount"], agreementId=twin.pk)

    assert refusal(response) == (400, "NO_PENDING_BILL")
    assert BillPayment.objects.count() == 1
