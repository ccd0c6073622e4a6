"""Payments over the Direct API, from the shop's call to the books: never twice, never lost."""

import threading
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection

from merchants.models import Merchant
from payments.collect.models import Charge, Order, UnmatchedFunds
from payments.collect.services.charges import reconciliation
from payments.collect.services.endings import expiry
from payments.core import clock
from payments.core.models import Transition
from payments.providers.ports import ChargeStatus
from payments.simulator import control, store
from tests.support.charges import books_are_clean, create, events_of, start, status_of
from tests.support.factories import MerchantFactory
from tests.support.fixtures import ApiClient
from tests.support.funds import available

pytestmark = pytest.mark.django_db
FIELDS = {
    "pse": {"bankCode": "1007", "personType": "NATURAL"},
    "push_wallet": {"phone": "3001234567"},
}
METHODS = ["pse", "bank_redirect", "push_wallet", "breb_key"]
DEBITS = METHODS[:3]
PAID = ChargeStatus.SUCCEEDED


@pytest.fixture
def order(api: ApiClient) -> Order:
    return create(api)


def pay(api: ApiClient, order: Order, method: str = "pse", **changes: Any) -> Any:
    body = {"method": method, "fields": FIELDS.get(method, {}), **changes}
    return api.post(f"/collect/{order.pk}/pay", body)


def paying(api: ApiClient, order: Order, method: str = "pse", **changes: Any) -> Charge:
    answer = pay(api, order, method, **changes)
    assert answer.status_code == 200, answer.content
    return Charge.objects.get(provider_id=answer.body["data"]["transactionId"])


def code_of(answer: Any) -> str:
    assert answer.status_code != 200, answer.content
    return str(answer.body["error"]["code"])


# --- The whole way, by each method ------------------------------------------------------------
@pytest.mark.parametrize("method", METHODS)
def test_each_flow_starts_a_charge_that_the_rail_settles(
    api: ApiClient, order: Order, merchant: Merchant, method: str
) -> None:
    charge = paying(api, order, method)
    control.resolve(charge.pk, PAID)

    assert status_of(order) == "COMPLETED"
    assert order.selected_method == charge.method
    assert events_of(order) == ["payment.completed"]
    assert available(merchant) == 50000
    assert books_are_clean()


@pytest.mark.parametrize("method", DEBITS)
def test_a_refused_debit_fails_the_order(api: ApiClient, order: Order, method: str) -> None:
    control.decide(paying(api, order, method).pk, ChargeStatus.FAILED)
    assert status_of(order) == "FAILED"
    assert events_of(order) == ["payment.failed"]


@pytest.mark.parametrize("method", DEBITS)
def test_a_dismissed_debit_leaves_the_order_to_be_paid(
    api: ApiClient, order: Order, method: str
) -> None:
    control.decide(paying(api, order, method).pk, ChargeStatus.ABANDONED)
    assert status_of(order) == "PROCESSING"
    control.resolve(paying(api, order, "breb_key").pk, PAID)
    assert status_of(order) == "COMPLETED"
    assert events_of(order) == ["payment.completed"]


def test_a_key_is_paid_in_parts(api: ApiClient, order: Order, merchant: Merchant) -> None:
    charge = paying(api, order, "breb_key")
    control.deposit(charge.pk, Decimal(20000))
    assert status_of(order) == "WAITING_TRANSFER"
    control.deposit(charge.pk, Decimal(30000))
    assert available(merchant) == 0

    # The rest is below no minimum but its own: what a method needs is measured on what is missing.
    answer = api.get(f"/collect/{order.pk}/methods")
    assert answer.body["data"] == []
    control.deposit(charge.pk, Decimal(25))
    assert status_of(order) == "COMPLETED"
    assert available(merchant) == 50000
    assert books_are_clean()


def test_sandbox_settles_the_open_charge(api: ApiClient) -> None:
    for method in METHODS:
        for status in ("COMPLETED", "FAILED", "EXPIRED"):
            order = create(api)
            paying(api, order, method)
            answer = api.post(f"/sandbox/collect/{order.pk}", {"status": status})
            assert answer.body["data"]["status"] == status, (method, status)
            assert order.charges.count() == 1


def test_the_rail_is_told_what_the_shop_knows(api: ApiClient, order: Order) -> None:
    charge = paying(api, order, "push_wallet", payer={"name": "Luz"})
    record = store.charges.by_reference(charge.pk)
    assert record is not None
    assert (record.direct_method, record.flow, record.amount) == ("push_wallet", "PUSH", 50025)
    transition = Transition.objects.get(subject_id=order.pk)
    assert (transition.reason_code, transition.reason) == ("started", "push_wallet")


# --- A retry is another charge: contract, Collections, rule 3 ----------------------------------
@pytest.mark.parametrize("method", METHODS)
def test_a_second_success_belongs_to_no_order_and_is_kept(
    api: ApiClient, order: Order, merchant: Merchant, method: str
) -> None:
    first, second = paying(api, order, method), paying(api, order, method)
    control.resolve(second.pk, PAID)
    control.resolve(first.pk, PAID)

    assert status_of(order) == "COMPLETED"
    assert events_of(order) == ["payment.completed"]
    assert available(merchant) == 50000
    funds = UnmatchedFunds.objects.get()
    assert (funds.charge, funds.reason, funds.amount) == (first, "SECOND_SUCCESS", 50025)
    assert books_are_clean()


@pytest.mark.parametrize("method", METHODS)
def test_second_charge_queries_first_whether_the_last_one_was_paid(
    api: ApiClient, order: Order, method: str
) -> None:
    """Its callback may be lost: no payer is asked to approve what they have paid."""
    order.customer_document = "9999000010"  # callback-lost
    order.save()
    first = paying(api, order, "push_wallet")
    control.decide(first.pk, PAID)
    assert status_of(order) == "PROCESSING"

    assert code_of(pay(api, order, method)) == "ORDER_NOT_PAYABLE"
    assert status_of(order) == "COMPLETED"
    assert order.charges.count() == 1


def test_a_shop_does_not_wait_for_many_answers_of_a_slow_rail(
    api: ApiClient, order: Order, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = [paying(api, order, "push_wallet") for _ in range(4)]
    asked: list[str] = []
    monkeypatch.setattr(
        reconciliation, "query_provider", lambda *, charge, now: asked.append(charge.pk)
    )
    pay(api, order, "push_wallet")
    assert asked == [charge.pk for charge in reversed(tries)]
    settings.PROVIDER_TIMEOUT_SECONDS = 0
    assert code_of(pay(api, order, "breb_key")) == "ORDER_NOT_PAYABLE"
    assert len(asked) == len(tries) + 1


@pytest.mark.parametrize("debit", DEBITS)
def test_a_key_is_not_given_while_a_debit_may_be_paid(
    api: ApiClient, order: Order, debit: str
) -> None:
    charge = paying(api, order, debit)
    assert code_of(pay(api, order, "breb_key")) == "ORDER_NOT_PAYABLE"
    assert order.charges.count() == 1
    # Another debit may: the payer who approves one sees it, and a second success is kept.
    assert pay(api, order, "pse").status_code == 200

    for open_charge in order.charges.filter(status="PENDING"):
        control.decide(open_charge.pk, ChargeStatus.ABANDONED)
    assert pay(api, order, "breb_key").status_code == 200
    assert charge.order_id == order.pk


def test_a_debit_may_be_tried_while_a_key_waits(
    api: ApiClient, order: Order, merchant: Merchant
) -> None:
    key = paying(api, order, "breb_key")
    debit = paying(api, order, "bank_redirect")
    assert status_of(order) == "PROCESSING"
    control.deposit(key.pk, Decimal(20000))
    assert status_of(order) == "PROCESSING"
    control.decide(debit.pk, PAID)

    assert status_of(order) == "COMPLETED"
    assert available(merchant) == 50000
    assert UnmatchedFunds.objects.get().amount == 20000
    assert books_are_clean()


def test_one_failed_try_does_not_fail_an_order_with_another_at_a_wallet(
    api: ApiClient, order: Order
) -> None:
    wallet, bank = paying(api, order, "push_wallet"), paying(api, order, "bank_redirect")
    control.decide(bank.pk, ChargeStatus.FAILED)
    assert status_of(order) == "PROCESSING"
    control.decide(wallet.pk, PAID)
    assert status_of(order) == "COMPLETED"


def test_charges_of_an_order_are_limited(api: ApiClient, order: Order, settings: Any) -> None:
    settings.COLLECT_MAX_CHARGES = 3
    assert [pay(api, order).status_code for _ in range(4)] == [200, 200, 200, 400]
    assert code_of(pay(api, order)) == "ORDER_NOT_PAYABLE"


def test_our_page_and_the_shop_pay_the_same_order(
    api: ApiClient, order: Order, merchant: Merchant
) -> None:
    page = start(order)
    shop = paying(api, order)
    assert page.pk != shop.pk
    control.decide(page.pk, PAID)
    assert code_of(pay(api, order)) == "ORDER_NOT_PAYABLE"
    control.decide(shop.pk, PAID)
    assert available(merchant) == 50000
    assert UnmatchedFunds.objects.get().reason == "SECOND_SUCCESS"


# --- Doubtful starts --------------------------------------------------------------------------
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("document", ["9999000005", "9999000006"], ids=["after", "before"])
def test_a_lost_answer_is_queried_and_the_charge_is_not_started_again(
    api: ApiClient, method: str, document: str
) -> None:
    order = create(api, customerDocNumber=document)
    assert code_of(pay(api, order, method)) == "SERVICE_UNAVAILABLE"
    (doubtful,) = order.charges.all()

    assert paying(api, order, method).pk == doubtful.pk
    assert order.charges.count() == 1


def test_after_a_doubtful_push_no_key_is_given(api: ApiClient) -> None:
    """The app may have rung: its owner could approve while another person pays to the key."""
    order = create(api, customerDocNumber="9999000005")
    pay(api, order, "push_wallet")
    assert code_of(pay(api, order, "breb_key")) == "ORDER_NOT_PAYABLE"
    assert order.charges.get().status == "PENDING"  # the rail was asked, and knows it


def test_another_return_url_is_another_charge(api: ApiClient) -> None:
    order = create(api, customerDocNumber="9999000005")
    pay(api, order, returnUrl="https://tienda.example/a")
    pay(api, order, returnUrl="https://tienda.example/b")
    assert sorted(order.charges.values_list("return_url", flat=True)) == [
        "https://tienda.example/a",
        "https://tienda.example/b",
    ]


def test_the_answer_that_came_after_its_callback_is_kept(api: ApiClient) -> None:
    order = create(api, customerDocNumber="9999000005")
    pay(api, order, "breb_key")
    charge = order.charges.get()
    control.deposit(charge.pk, Decimal(20000))
    charge.refresh_from_db()
    assert (charge.status, charge.key_value, charge.is_answered) == ("RECEIVED", "", False)

    from payments.collect.services.charges import charge_initiation

    charge_initiation.start_at_provider(charge=charge, now=clock.now(), is_first=False)
    charge.refresh_from_db()
    assert charge.status == "RECEIVED"
    assert charge.key_value.startswith("@SIM-")
    assert charge.received == 20000


# --- The clock --------------------------------------------------------------------------------
def pass_the_deadline(order: Order) -> str:
    now = clock.now()
    Order.objects.filter(pk=order.pk).update(expires_at=now, expire_check_at=now)
    expiry.expire_due(now=now)
    return status_of(order)


@pytest.mark.parametrize("method", DEBITS)
def test_a_payer_at_a_bank_or_wallet_is_never_cut_off(
    api: ApiClient, order: Order, method: str
) -> None:
    charge = paying(api, order, method)
    assert pass_the_deadline(order) == "PROCESSING"
    control.decide(charge.pk, PAID)
    assert status_of(order) == "COMPLETED"


def test_money_to_a_key_after_the_end_is_kept(
    api: ApiClient, order: Order, merchant: Merchant
) -> None:
    charge = paying(api, order, "breb_key")
    assert pass_the_deadline(order) == "EXPIRED"
    control.deposit(charge.pk, Decimal(50025))

    assert status_of(order) == "EXPIRED"
    assert events_of(order) == []
    assert available(merchant) == 0
    assert UnmatchedFunds.objects.get().reason == "LATE"
    assert books_are_clean()


def test_charge_without_a_callback_is_queried(api: ApiClient) -> None:
    order = create(api, customerDocNumber="9999000010")
    control.decide(paying(api, order, "push_wallet").pk, PAID)
    assert status_of(order) == "PROCESSING"
    reconciliation.reconcile_due(now=clock.now() + timedelta(seconds=30))
    assert status_of(order) == "COMPLETED"


# --- Several at once --------------------------------------------------------------------------
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("method", METHODS)
def test_many_clicks_at_once_are_paid_once(method: str) -> None:
    merchant = MerchantFactory()
    api = ApiClient(merchant)
    order = create(api)
    barrier, answers = threading.Barrier(8), []

    def click() -> None:
        barrier.wait()
        answers.append(pay(api_of(merchant, api), order, method))
        connection.close()

    threads = [threading.Thread(target=click) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {answer.status_code for answer in answers} == {200}
    shown = {answer.body["data"]["transactionId"] for answer in answers}
    charges = list(order.charges.all())
    assert {charge.provider_id for charge in charges} == shown
    for charge in charges:
        control.resolve(charge.pk, PAID)

    assert status_of(order) == "COMPLETED"
    assert events_of(order) == ["payment.completed"]
    assert available(merchant) == 50000
    assert UnmatchedFunds.objects.count() == len(charges) - 1
    assert books_are_clean()


def api_of(merchant: Merchant, api: ApiClient) -> ApiClient:
    """A client of one's own, with the same key: test clients are not shared by threads."""
    client = ApiClient()
    client.headers = dict(api.headers)
    return client
