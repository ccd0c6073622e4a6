"""Money reaches an order: what a rail says, and what becomes of order, books and event."""

import json
from datetime import timedelta

import pytest

from merchants.models import Merchant
from payments.collect.models import Charge, Order, UnmatchedFunds
from payments.collect.services.charges import charge_creation, reconciliation
from payments.collect.services.endings import expiry
from payments.collect.services.errors import ChargeRefused, ProviderUnavailable
from payments.collect.services.orders import lookup
from payments.core import clock
from payments.providers import ports
from payments.simulator import control
from tests.support.charges import books_are_clean, create, events_of, say, start, status_of, tell
from tests.support.fixtures import ApiClient
from tests.support.funds import available
from webhooks.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def order(api: ApiClient) -> Order:
    return create(api)


def test_paid_order_is_completed_credited_and_published_once(
    api: ApiClient, order: Order, merchant: Merchant
) -> None:
    charge = start(order)
    assert status_of(order) == "PROCESSING"

    say(charge, "SUCCEEDED", 50025, trace_code="123")

    data = api.get(f"/collect/{order.pk}").body["data"]
    assert data["status"] == "COMPLETED"
    assert data["selectedMethod"] == "PSE"
    assert data["paidAt"] is not None
    assert available(merchant) == 50000
    assert events_of(order) == ["payment.completed"]
    assert books_are_clean()


def test_repeated_update_changes_nothing(order: Order, merchant: Merchant) -> None:
    charge = start(order)
    for _ in range(64):
        say(charge, "SUCCEEDED", 50025)

    assert available(merchant) == 50000
    assert events_of(order) == ["payment.completed"]
    assert not UnmatchedFunds.objects.exists()


def test_the_first_trace_code_stays(order: Order) -> None:
    charge = start(order, "BANK_TRANSFER")
    say(charge, "RECEIVED", 100, trace_code="T-1")
    say(charge, "SUCCEEDED", 50025, trace_code="T-2")
    charge.refresh_from_db()
    assert charge.trace_code == "T-1"


def test_a_chain_replaces_the_trace_code_unless_its_report_is_older_than_the_money(
    order: Order,
) -> None:
    charge = start(order, "CRYPTO")
    for received, given, expected in ((0, "a", "a"), (0, "", ""), (5, "b", "b"), (0, "c", "b")):
        say(charge, "RECEIVED", received, trace_code=given, replaces_trace_code=True)
        charge.refresh_from_db()
        assert charge.trace_code == expected


@pytest.mark.parametrize(
    ("method", "waiting"),
    [("PSE", "PROCESSING"), ("BANK_TRANSFER", "WAITING_TRANSFER"), ("CRYPTO", "WAITING_TRANSFER")],
)
def test_each_method_starts_and_settles(
    order: Order, merchant: Merchant, method: str, waiting: str
) -> None:
    charge = start(order, method)
    assert status_of(order) == waiting
    assert order.selected_method == method

    say(charge, "SUCCEEDED", charge.amount)
    assert status_of(order) == "COMPLETED"
    assert available(merchant) == 50000
    assert books_are_clean()


def test_a_refusal_fails_the_order(order: Order, merchant: Merchant) -> None:
    charge = start(order)
    say(charge, "FAILED", reason="INSUFFICIENT_FUNDS")

    assert status_of(order) == "FAILED"
    assert events_of(order) == ["payment.failed"]
    assert available(merchant) == 0


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("INSUFFICIENT_FUNDS", "INSUFFICIENT_FUNDS"),
        ("No tiene fondos, dice el banco", "REFUSED_BY_PROVIDER"),
        ("", None),
    ],
)
def test_event_of_a_refusal_says_why_and_names_the_trace_code(
    order: Order, said: str, told: str | None
) -> None:
    say(start(order), "ABANDONED")
    say(start(order), "FAILED", reason=said, trace_code="CUS-77")
    data = json.loads(bytes(Event.objects.get(kind="payment.failed").body))["data"]
    assert (data["traceCode"], data["failureReason"], data["attempts"]) == ("CUS-77", told, 2)


def test_order_tells_the_trace_code_the_reason_and_how_often_it_was_tried(
    api: ApiClient, order: Order
) -> None:
    def tries() -> tuple[object, ...]:
        one = api.get(f"/collect/{order.pk}").body["data"]
        (listed,) = api.get("/collect").body["data"]
        (found,) = api.get(f"/collect?reference={order.reference}").body["data"]
        names = ("traceCode", "failureReason", "attempts")
        rows = {tuple(row[name] for name in names) for row in (one, listed, found)}
        (same,) = rows
        return same

    assert tries() == (None, None, 0)
    say(start(order), "ABANDONED", trace_code="CUS-76")
    assert tries() == ("CUS-76", None, 1)
    charge = start(order)
    say(charge, "SUCCEEDED", charge.amount, trace_code="CUS-77")
    assert tries() == ("CUS-77", None, 2)
    data = json.loads(bytes(Event.objects.get(kind="payment.completed").body))["data"]
    assert (data["traceCode"], data["failureReason"], data["attempts"]) == ("CUS-77", None, 2)


def test_refused_order_tells_why(api: ApiClient, order: Order) -> None:
    say(start(order), "FAILED", reason="INSUFFICIENT_FUNDS", trace_code="CUS-78")
    told = api.get(f"/collect/{order.pk}").body["data"]
    assert (told["traceCode"], told["failureReason"]) == ("CUS-78", "INSUFFICIENT_FUNDS")


def test_abandoned_charge_leaves_the_payer_a_choice(order: Order) -> None:
    say(start(order), "ABANDONED")
    assert status_of(order) == "PROCESSING"

    start(order, "BANK_TRANSFER")
    assert status_of(order) == "WAITING_TRANSFER"


def test_a_payer_at_the_bank_cannot_switch_to_a_transfer(order: Order) -> None:
    start(order)
    order.refresh_from_db()

    with pytest.raises(charge_creation.OrderNotPayable):
        start(order, "BANK_TRANSFER")


def test_the_same_choice_twice_is_one_charge(order: Order) -> None:
    assert start(order).pk == start(order).pk
    assert Charge.objects.count() == 1


def test_an_older_refusal_does_not_cut_off_a_payer_at_another_bank(order: Order) -> None:
    first, second = start(order), start(order, bankCode="1051")
    say(first, "FAILED")
    assert status_of(order) == "PROCESSING"

    say(second, "SUCCEEDED", 50025)
    assert status_of(order) == "COMPLETED"


class TestParts:
    def test_the_rest_completes_the_order(self, order: Order, merchant: Merchant) -> None:
        charge = start(order, "BANK_TRANSFER")
        say(charge, "RECEIVED", 20000)
        assert status_of(order) == "WAITING_TRANSFER"
        assert lookup.missing_amount(order) == 30025
        assert available(merchant) == 0

        say(charge, "SUCCEEDED", 50025)
        assert status_of(order) == "COMPLETED"
        assert available(merchant) == 50000
        assert books_are_clean()

    def test_two_equal_parts_are_two_deposits(self, order: Order, merchant: Merchant) -> None:
        charge = start(order, "BANK_TRANSFER")
        for total in (20000, 40000, 40000):  # the last one only says it again
            assert tell(charge, "RECEIVED", total) == 200
        assert lookup.missing_amount(order) == 10025

        say(charge, "SUCCEEDED", 50025)
        assert status_of(order) == "COMPLETED"
        assert available(merchant) == 50000
        assert books_are_clean()

    def test_one_cent_less_is_not_the_whole(self, order: Order, merchant: Merchant) -> None:
        say(start(order), "SUCCEEDED", "50024.99")

        assert status_of(order) == "WAITING_TRANSFER"
        assert available(merchant) == 0

    def test_the_rest_may_come_by_another_method(self, order: Order, merchant: Merchant) -> None:
        say(start(order, "BANK_TRANSFER"), "RECEIVED", 20000)
        order.refresh_from_db()
        coins = start(order, "CRYPTO")
        assert coins.covers == 30025

        say(coins, "SUCCEEDED", coins.amount)
        assert status_of(order) == "COMPLETED"
        assert available(merchant) == 50000
        assert books_are_clean()

    def test_an_unpaid_end_hands_the_part_to_an_operator(self, order: Order) -> None:
        say(start(order, "BANK_TRANSFER"), "RECEIVED", 20000)
        Order.objects.update(expires_at=clock.now(), expire_check_at=clock.now())
        expiry.expire_due(now=clock.now())

        assert status_of(order) == "EXPIRED"
        funds = UnmatchedFunds.objects.get()
        assert (funds.reason, funds.amount) == ("PARTIAL_EXPIRED", 20000)
        assert books_are_clean()


class TestMoneyThatPaysNoOrder:
    def test_excess_of_a_payment_is_unmatched(self, order: Order, merchant: Merchant) -> None:
        say(start(order, "BANK_TRANSFER"), "SUCCEEDED", 60025)

        assert status_of(order) == "COMPLETED"
        assert available(merchant) == 50000
        funds = UnmatchedFunds.objects.get()
        assert (funds.reason, funds.amount) == ("EXCESS", 10000)
        assert books_are_clean()

    def test_second_success_is_unmatched(self, order: Order, merchant: Merchant) -> None:
        first, second = start(order), start(order, bankCode="1051")
        say(first, "SUCCEEDED", 50025)
        say(second, "SUCCEEDED", 50025)

        assert available(merchant) == 50000
        funds = UnmatchedFunds.objects.get()
        assert (funds.reason, funds.amount) == ("SECOND_SUCCESS", 50025)
        assert events_of(order) == ["payment.completed"]
        assert books_are_clean()

    @pytest.mark.parametrize("end", ["FAILED", "ABANDONED"])
    def test_money_after_the_end_is_unmatched(
        self, order: Order, merchant: Merchant, end: str
    ) -> None:
        charge = start(order)
        say(charge, end)
        Order.objects.filter(status="PROCESSING").update(
            expires_at=clock.now(), expire_check_at=clock.now()
        )
        expiry.expire_due(now=clock.now())
        final = status_of(order)
        say(charge, "SUCCEEDED", 50025)

        assert status_of(order) == final in ("FAILED", "EXPIRED")
        assert UnmatchedFunds.objects.get().reason == "LATE"
        assert available(merchant) == 0
        assert books_are_clean()

    def test_money_in_another_currency_is_unmatched(self, order: Order, merchant: Merchant) -> None:
        charge = start(order)
        for _ in range(2):
            say(charge, "SUCCEEDED", 12, currency="USDT")

        assert status_of(order) == "PROCESSING"
        funds = UnmatchedFunds.objects.get()
        assert (funds.reason, funds.currency, funds.amount) == ("CURRENCY", "USDT", 12)
        assert books_are_clean()


class TestCoins:
    def test_an_order_in_a_coin_credits_that_coin(self, api: ApiClient, merchant: Merchant) -> None:
        order = create(api, currency="USDT", amount=2000)
        charge = start(order, "CRYPTO", coin="USDT")
        assert charge.amount == 2001
        assert charge.quote_id is None

        say(charge, "SUCCEEDED", 2001)
        assert available(merchant, "USDT") == 2000
        assert books_are_clean()

    def test_seen_but_not_final_is_processing(self, order: Order) -> None:
        charge = start(order, "CRYPTO", coin="BTC")
        say(charge, "RECEIVED", 0, unconfirmed=charge.amount)
        assert status_of(order) == "PROCESSING"

        say(charge, "SUCCEEDED", charge.amount)
        assert status_of(order) == "COMPLETED"

    def test_after_the_quote_a_coin_is_worth_what_it_is_worth(
        self, order: Order, merchant: Merchant
    ) -> None:
        charge = start(order, "CRYPTO", coin="USDT")
        late = charge.quote_expires_at + timedelta(seconds=1)
        say(charge, "SUCCEEDED", "6.332278509", occurred_at=late)

        assert status_of(order) == "WAITING_TRANSFER"
        assert 24000 < lookup.missing_amount(order) < 26000
        assert books_are_clean()


class TestDoubtfulStart:
    """The provider did not answer in time: unknown is never failed, and never started twice."""

    LOST_AFTER, LOST_BEFORE, UNAVAILABLE = "9999000005", "9999000006", "9999000007"

    def doubtful(self, api: ApiClient, document: str) -> tuple[Order, Charge]:
        order = create(api, customerDocNumber=document)
        with pytest.raises(ProviderUnavailable):
            start(order)
        return order, Charge.objects.get()

    def pass_time(self) -> None:
        reconciliation.reconcile_due(now=clock.now() + timedelta(minutes=1))

    def test_lost_result_of_a_start_is_queried_again(self, api: ApiClient) -> None:
        order, charge = self.doubtful(api, self.LOST_AFTER)
        assert (charge.status, status_of(order)) == ("STARTING", "PENDING")

        self.pass_time()
        charge.refresh_from_db()
        assert charge.redirect_url
        assert (charge.status, status_of(order)) == ("PENDING", "PROCESSING")

    def test_choosing_again_after_a_doubtful_start_is_the_same_charge(self, api: ApiClient) -> None:
        order, charge = self.doubtful(api, self.LOST_AFTER)

        assert start(order).pk == charge.pk
        assert status_of(order) == "PROCESSING"
        assert Charge.objects.get().redirect_url

    def test_start_that_never_arrived_is_abandoned(self, api: ApiClient) -> None:
        order, charge = self.doubtful(api, self.LOST_BEFORE)
        self.pass_time()

        charge.refresh_from_db()
        assert (charge.status, status_of(order)) == ("ABANDONED", "PENDING")
        order.customer_document = "1020304050"
        assert start(order).pk != charge.pk
        assert status_of(order) == "PROCESSING"

    def test_a_provider_that_is_away_starts_nothing(self, api: ApiClient) -> None:
        order, charge = self.doubtful(api, self.UNAVAILABLE)
        assert (charge.status, status_of(order)) == ("ABANDONED", "PENDING")

    def test_a_refusal_at_the_start_leaves_the_order_as_it_was(self, api: ApiClient) -> None:
        order = create(api, customerDocNumber="9999000002")
        with pytest.raises(ChargeRefused):
            start(order)
        assert (Charge.objects.get().status, status_of(order)) == ("FAILED", "PENDING")

    def test_charge_with_a_lost_callback_is_queried(
        self, api: ApiClient, merchant: Merchant
    ) -> None:
        order = create(api, customerDocNumber="9999000010")
        charge = start(order)
        control.resolve(charge.pk, ports.ChargeStatus.SUCCEEDED)
        assert status_of(order) == "PROCESSING"

        self.pass_time()
        assert status_of(order) == "COMPLETED"
        assert available(merchant) == 50000


def test_other_payer_details_are_another_charge(order: Order) -> None:
    first = start(order)
    order.customer_document = "77"
    assert start(order).pk != first.pk
