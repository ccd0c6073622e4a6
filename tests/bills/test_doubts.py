"""What becomes of a payment when the rail is slow, silent or says no. Unknown is never failed."""

import time
from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
import time_machine
from django.db import OperationalError
from django.test import Client

from merchants.models import Merchant
from payments.bills import tasks
from payments.bills.models import BillPayment
from payments.bills.services.engine import engine
from payments.core import clock
from payments.ledger import services as ledger
from payments.outgoing import creation
from payments.providers.ports import (
    OutgoingState,
    OutgoingUpdate,
    ProviderRefused,
    ProviderTimeout,
)
from payments.simulator import callbacks, control, messages, store
from payments.simulator.bills import SimulatorBills
from payments.simulator.magic import OutgoingProduct
from tests.contract.answers import assert_refused
from tests.support import bills
from tests.support.bills import FEE, FUNDS, advance, owed, pay, pay_owed, payment_of, reference
from tests.support.fixtures import ApiClient
from tests.support.funds import balance, fund
from tests.support.outgoing_payments import call_back, refusal, resolve

NOW = clock.now
tell = partial(call_back, OutgoingProduct.BILL)


@pytest.fixture(autouse=True)
def funds(merchant: Merchant) -> None:
    fund(merchant, FUNDS)


def begin(api: ApiClient, magic: str, key: str | None = None) -> BillPayment:
    with bills.impatient():
        return payment_of(pay_owed(api, reference(magic), key))


@pytest.mark.parametrize(
    ("magic", "answer", "end", "executions"),
    [
        ("clean", "completed", "completed", 1),
        ("refused", "failed", "failed", 0),
        ("slow", "processing", "completed", 1),
        ("answer-lost-after", "processing", "completed", 1),
        ("answer-lost-before", "processing", "completed", 1),
        ("error-after", "processing", "completed", 1),
        ("query-unavailable", "processing", "completed", 1),
        ("returned-later", "completed", "refunded", 1),
        ("completed-later", "processing", "completed", 1),
        ("failed-later", "processing", "failed", 0),
        ("unavailable", "processing", "completed", 1),
        ("callback-repeated", "processing", "completed", 1),
        ("callback-lost", "processing", "completed", 1),
    ],
)
def test_each_behaviour_of_a_rail_comes_to_one_end(
    api: ApiClient, merchant: Merchant, magic: str, answer: str, end: str, executions: int
) -> None:
    bill = reference(magic)
    (product,) = owed(api, bill)
    with bills.impatient():
        response = pay(api, bill, product["amount"], "k-1")
    payment = payment_of(response)
    assert response.body["data"]["status"] == answer
    total = product["amount"] + FEE
    if answer == "processing":
        assert balance(merchant) == (FUNDS - total, total)
        assert response.body["data"]["ticket"] is None
        assert response.body["data"]["completedAt"] is None

    for minute in range(13):
        with time_machine.travel(NOW() + timedelta(minutes=minute)):
            advance(minutes=1)
            control.wake()

    again = pay(api, bill, product["amount"], "k-1")
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.body["data"]["status"] == end
    assert store.executions(payment.pk) == executions
    assert len(store.outgoing.by_payment_id(payment.pk)) <= 1
    is_charged = end == "completed"
    assert balance(merchant) == (FUNDS - (total if is_charged else 0), 0)
    assert (again.body["data"]["ticket"] is not None) == is_charged
    assert not ledger.verify().problems


def test_a_slow_rail_is_answered_for_within_the_budget(api: ApiClient, settings: Any) -> None:
    settings.OUTGOING_BUDGET_SECONDS = 2
    bill = reference("slow")
    (product,) = owed(api, bill)
    began = time.monotonic()
    response = pay(api, bill, product["amount"], "k-1")

    assert 1.5 < time.monotonic() - began < 9  # without the budget: ten
    assert response.status_code == 201
    assert response.body["data"]["status"] == "processing"
    with time_machine.travel(NOW() + timedelta(seconds=25)):
        tasks.process_due()
        assert pay(api, bill, product["amount"], "k-1").body["data"]["status"] == "completed"


def test_a_slow_check_leaves_time_to_pay(
    api: ApiClient, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.OUTGOING_BUDGET_SECONDS = 8
    given = {}
    check, send = SimulatorBills.check, SimulatorBills.send

    def slow_check(self: Any, code: str, bill: str, timeout: float) -> Any:
        given["check"] = timeout
        time.sleep(1)
        return check(self, code, bill, timeout)

    def timed_send(self: Any, request: Any, timeout: float) -> Any:
        given["send"] = timeout
        return send(self, request, timeout)

    bill = reference()
    (product,) = owed(api, bill)
    monkeypatch.setattr(SimulatorBills, "check", slow_check)
    monkeypatch.setattr(SimulatorBills, "send", timed_send)
    payment = payment_of(pay(api, bill, product["amount"]))

    assert given["check"] == 4
    assert 3 < given["send"] <= 7
    # The call began when it began: no operator may decide before it has settled.
    assert payment.last_sent_at - payment.created_at >= timedelta(seconds=1)


def test_a_refusal_by_the_rail_says_why_and_gives_the_money_back(
    api: ApiClient, merchant: Merchant
) -> None:
    response = pay_owed(api, reference("refused"))

    assert response.status_code == 201
    data = response.body["data"]
    assert (data["status"], data["ticket"], data["completedAt"]) == ("failed", None, None)
    assert data["failureReason"] == "REFUSED_BY_PROVIDER"
    assert balance(merchant) == (FUNDS, 0)


def test_after_a_refusal_the_bill_may_be_paid_with_another_key(
    api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    bill = reference()

    def refuse(*_: Any) -> None:
        raise ProviderRefused("LIMIT_EXCEEDED")

    with monkeypatch.context() as patch:
        patch.setattr(SimulatorBills, "send", refuse)
        failed = pay_owed(api, bill, "k-1")
    assert failed.body["data"]["status"] == "failed"
    assert (
        pay(api, bill, failed.body["data"]["amountCop"], "k-1").body["data"]["status"] == "failed"
    )
    assert pay_owed(api, bill, "k-2").body["data"]["status"] == "completed"


def test_a_bill_in_doubt_is_not_paid_again(
    api: ApiClient, stranger_api: ApiClient, stranger: Merchant
) -> None:
    """However it is spelled, and for every payer."""
    fund(stranger, FUNDS)
    payment = begin(api, "pending")
    bill = payment.bill_reference

    for other, spelling in ((api, bill), (stranger_api, f"{bill[:4]}-{bill[4:]} ")):
        response = pay_owed(other, spelling)
        assert refusal(response) == (400, "NO_PENDING_BILL")
    assert BillPayment.objects.count() == 1
    assert balance(stranger) == (FUNDS, 0)


def test_a_bill_that_came_back_is_owed_again(api: ApiClient, merchant: Merchant) -> None:
    payment = begin(api, "ordinary")
    control.resolve(payment.provider_reference, OutgoingState.RETURNED)
    payment.refresh_from_db()

    assert payment.status == "REFUNDED"
    assert balance(merchant) == (FUNDS, 0)
    data = api.get(f"/bills/payments/{payment.pk}").body["data"]
    assert (data["status"], data["ticket"]) == ("refunded", None)
    assert data["completedAt"]
    assert pay_owed(api, payment.bill_reference).body["data"]["status"] == "completed"


def test_a_request_that_dies_after_the_hold_is_finished_by_the_scanner(
    api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    bill = reference()
    (product,) = owed(api, bill)
    with monkeypatch.context() as patch:
        patch.setattr(engine, "call", lambda **_: 1 / 0)
        assert pay(api, bill, product["amount"], "k-1").status_code == 500
    total = product["amount"] + FEE
    assert balance(merchant) == (FUNDS - total, total)

    advance(minutes=5)
    assert pay(api, bill, product["amount"], "k-1").body["data"]["status"] == "completed"
    assert store.executions(BillPayment.objects.get().pk) == 1
    assert balance(merchant) == (FUNDS - total, 0)


def test_nothing_is_sent_twice_while_a_call_may_be_under_way(api: ApiClient) -> None:
    payment = begin(api, "answer-lost-before")
    advance(minutes=0.3)
    assert store.calls(payment.provider_reference, "send") == 1
    advance(minutes=5)
    assert store.calls(payment.provider_reference, "send") == 2
    assert store.executions(payment.pk) == 1


def test_a_timeout_is_never_a_failure(
    api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silence(*_: Any) -> None:
        raise ProviderTimeout("silence")

    bill = reference()
    (product,) = owed(api, bill)
    monkeypatch.setattr(SimulatorBills, "send", silence)
    monkeypatch.setattr(SimulatorBills, "query", silence)
    payment = payment_of(pay(api, bill, product["amount"]))
    for hours in range(1, 27):
        engine.process_due(now=NOW() + timedelta(hours=hours))

    payment.refresh_from_db()
    assert (payment.status, payment.needs_operator) == ("PROCESSING", True)
    assert balance(merchant)[1] == product["amount"] + FEE


@pytest.mark.parametrize("outcome", ["COMPLETED", "FAILED", "REFUNDED"])
def test_operator_resolves_a_doubtful_bill_payment_by_hand(
    api: ApiClient, merchant: Merchant, outcome: str
) -> None:
    payment = begin(api, "pending")
    resolve(engine, payment, outcome, now=NOW() + timedelta(minutes=2))
    left = payment.debit if outcome == "COMPLETED" else 0
    assert balance(merchant) == (FUNDS - left, 0)
    data = api.get(f"/bills/payments/{payment.pk}").body["data"]
    assert data["status"] == outcome.lower()
    if outcome == "COMPLETED":
        assert data["ticket"]["authorization"] is None
        assert data["failureReason"] is None
    else:
        assert data["failureReason"] == "DECIDED_BY_OPERATOR"
    assert not ledger.verify().problems


class TestCallbacks:
    def message(
        self, payment: BillPayment, product: OutgoingProduct = OutgoingProduct.BILL, **changes: Any
    ) -> tuple[bytes, dict[str, str]]:
        """A signed message that it is paid."""
        update = {
            "reference": payment.provider_reference,
            "provider_id": "simbi_1",
            "state": OutgoingState.COMPLETED,
            "occurred_at": NOW(),
            "amount": payment.amount,
            "authorization": "123456",
            **changes,
        }
        body = messages.body_of(OutgoingUpdate(**update), product)
        return body, callbacks.signed_headers(body, NOW())

    def test_signed_callback_of_the_provider_is_accepted(
        self, api: ApiClient, merchant: Merchant
    ) -> None:
        payment = begin(api, "pending")
        body, headers = self.message(payment)

        assert [tell(body, headers) for _ in range(64)] == [200] * 64
        data = api.get(f"/bills/payments/{payment.pk}").body["data"]
        assert (data["status"], data["ticket"]["authorization"]) == ("completed", "123456")
        assert balance(merchant) == (FUNDS - payment.debit, 0)
        assert not ledger.verify().problems

    def test_forged_callback_is_401_and_changes_nothing(self, api: ApiClient) -> None:
        payment = begin(api, "pending")
        body, headers = self.message(payment)

        assert tell(body.replace(b"COMPLETED", b"FAILED"), headers) == 401
        assert tell(body, {}) == 401
        assert tell(body, callbacks.signed_headers(body, NOW() - timedelta(minutes=6))) == 401
        assert tell(body, headers, provider="acme") == 404
        payment.refresh_from_db()
        assert payment.status == "PROCESSING"

    def test_callback_about_another_product_is_404(self, api: ApiClient) -> None:
        payment = begin(api, "pending")
        assert tell(*self.message(payment, OutgoingProduct.PAYOUT)) == 401

    def test_callback_about_no_payment_of_ours_is_taken(self, api: ApiClient) -> None:
        payment = begin(api, "pending")
        for unknown in ("bor_" + "0" * 26, "por_" + "0" * 26, payment.pk, "", "x" * 500):
            assert tell(*self.message(payment, reference=unknown)) == 200

    def test_another_amount_waits_for_an_operator(self, api: ApiClient) -> None:
        payment = begin(api, "pending")
        tell(*self.message(payment, amount=payment.amount + Decimal("0.01")))
        payment.refresh_from_db()
        assert (payment.status, payment.needs_operator) == ("PROCESSING", True)

    def test_callback_url_takes_only_a_post(self, api: ApiClient) -> None:
        client = Client(raise_request_exception=False)
        assert client.get("/callbacks/bill/simulator").status_code == 405


def test_the_database_away_is_503_and_holds_nothing(
    api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any) -> None:
        raise OperationalError("gone")

    bill = reference()
    (product,) = owed(api, bill)
    with monkeypatch.context() as patch:
        patch.setattr(creation, "_save_with_hold", away)
        assert_refused(pay(api, bill, product["amount"], "k-1"), 503, "SERVICE_UNAVAILABLE")
    assert balance(merchant) == (FUNDS, 0)
    assert pay(api, bill, product["amount"], "k-1").status_code == 201


def test_a_request_without_time_makes_no_call(
    api: ApiClient, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waited for its balance for too long: the scanner sends it, once."""
    bill = reference()
    (product,) = owed(api, bill)
    save = creation._save_with_hold

    def slow(*args: Any) -> None:
        save(*args)
        settings.OUTGOING_BUDGET_SECONDS = 0

    with monkeypatch.context() as patch:
        patch.setattr(creation, "_save_with_hold", slow)
        payment = payment_of(pay(api, bill, product["amount"], "k-1"))
    assert payment.status == "PROCESSING"
    assert store.calls(payment.provider_reference, "send") == 0
    advance(minutes=5)
    payment.refresh_from_db()
    assert payment.status == "COMPLETED"
    assert store.calls(payment.provider_reference, "send") == 1
