"""The awkward orders of events: money in parts, on its way, late, doubtful, or hard to read."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.db import connection

from merchants.models import Merchant
from payments.collect.models import Charge, Order, UnmatchedFunds
from payments.collect.services.charges import charge_creation, reconciliation
from payments.collect.services.endings import expiry
from payments.collect.services.errors import OrderNotPayable, ProviderUnavailable
from payments.core import clock
from payments.providers import ports
from payments.rates import services as rates
from payments.rates.models import ExchangeRate
from payments.simulator import control
from tests.support.charges import books_are_clean, create, events_of, say, start, status_of
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from tests.support.funds import available

pytestmark = pytest.mark.django_db


@pytest.fixture
def order(api: ApiClient) -> Order:
    return create(api)


def pass_the_deadline(order: Order) -> str:
    now = clock.now()
    Order.objects.filter(pk=order.pk).update(expires_at=now, expire_check_at=now)
    expiry.expire_due(now=now)
    return status_of(order)


def price(coin: str, cop: int) -> None:
    now = clock.now()
    rate = ExchangeRate(currency=coin, price_cop=Decimal(cop), source="test", effective_at=now)
    rates.set_rate(rate, actor="test")


class TestCoinsTakeTheirTime:
    def test_seen_within_the_quote_keeps_its_rate(self, order: Order, merchant: Merchant) -> None:
        charge = start(order, "CRYPTO", coin="BTC")
        say(charge, "RECEIVED", 0, unconfirmed=charge.amount)
        price("BTC", 100_000_000)
        late = charge.quote_expires_at + timedelta(minutes=40)
        say(charge, "SUCCEEDED", charge.amount, occurred_at=late)

        assert status_of(order) == "COMPLETED"
        assert available(merchant) == 50000
        assert books_are_clean()

    def test_after_the_quote_it_is_worth_its_price_less_the_spread(
        self,
        order: Order,
        settings: Any,
    ) -> None:
        settings.CRYPTO_SPREAD = Decimal("0.02")
        charge = start(order, "CRYPTO", coin="USDT")
        late = charge.quote_expires_at + timedelta(seconds=1)
        say(charge, "SUCCEEDED", charge.amount, occurred_at=late)

        credited = charge.order.charges.get().credited
        assert 50024 <= credited <= 50026  # no better off than within the quote

    def test_parts_that_make_the_whole_complete_the_order(self, order: Order) -> None:
        charge = start(order, "CRYPTO", coin="USDT")
        half = Decimal("6.332278")
        say(charge, "RECEIVED", half)
        say(charge, "SUCCEEDED", charge.amount + Decimal("0.000001"))

        assert status_of(order) == "COMPLETED"
        assert books_are_clean()

    def test_dust_is_counted_with_what_comes_next(self, order: Order, merchant: Merchant) -> None:
        charge = start(order, "CRYPTO", coin="USDT")
        say(charge, "RECEIVED", "0.000001")
        say(charge, "SUCCEEDED", charge.amount)

        assert status_of(order) == "COMPLETED"
        assert available(merchant) == 50000
        assert books_are_clean()

    def test_a_coin_on_its_way_holds_the_order(self, order: Order) -> None:
        charge = start(order, "CRYPTO", coin="USDT")
        control.deposit(charge.pk, Decimal(6))
        assert status_of(order) == "WAITING_TRANSFER"
        control.deposit(charge.pk, Decimal(7), confirmed=False)
        assert status_of(order) == "PROCESSING"
        with pytest.raises(OrderNotPayable):
            start(order, "BANK_TRANSFER")

        assert pass_the_deadline(order) == "PROCESSING"
        expiry.expire_if_due(order_id=order.pk, now=clock.now() + timedelta(hours=25))
        assert status_of(order) == "EXPIRED"

    def test_without_a_rate_the_coin_is_booked_all_the_same(
        self, order: Order, settings: Any
    ) -> None:
        charge = start(order, "CRYPTO", coin="USDT")
        settings.RATE_MAX_AGE_SECONDS = 60
        with time_machine.travel(charge.quote_expires_at + timedelta(hours=1)):
            say(charge, "SUCCEEDED", charge.amount)
            assert status_of(order) == "WAITING_TRANSFER"

        funds = UnmatchedFunds.objects.get()
        assert (funds.reason, funds.currency) == ("RATE", "USDT")
        assert funds.amount == charge.amount
        assert books_are_clean()


class TestSeveralTries:
    def test_a_part_by_transfer_does_not_cut_off_a_payer_at_the_bank(
        self, order: Order, merchant: Merchant
    ) -> None:
        transfer = start(order, "BANK_TRANSFER")
        debit = start(order)
        say(transfer, "RECEIVED", 20000)
        assert status_of(order) == "PROCESSING"
        assert pass_the_deadline(order) == "PROCESSING"

        say(debit, "SUCCEEDED", 50025)
        assert status_of(order) == "COMPLETED"
        assert available(merchant) == 50000
        assert UnmatchedFunds.objects.get().amount == 20000
        assert books_are_clean()

    def test_refused_charge_leaves_a_partly_paid_order_open(self, order: Order) -> None:
        transfer = start(order, "BANK_TRANSFER")
        say(transfer, "RECEIVED", 20000)
        say(start(order), "FAILED")
        assert status_of(order) == "WAITING_TRANSFER"
        assert events_of(order) == []

        say(transfer, "SUCCEEDED", 50025)
        assert status_of(order) == "COMPLETED"

    def test_doubtful_charge_that_was_never_shown_fails_no_order(self, api: ApiClient) -> None:
        order = create(api)
        start(order, "BANK_TRANSFER")
        order.customer_document = "9999000005"
        with pytest.raises(ProviderUnavailable):
            start(order)
        say(order.charges.get(method="PSE"), "FAILED")

        assert status_of(order) == "WAITING_TRANSFER"

    def test_charges_of_an_order_are_limited(self, order: Order, settings: Any) -> None:
        settings.COLLECT_MAX_CHARGES = 3
        for bank in ("1001", "1002", "1007"):
            start(order, bankCode=bank)
        with pytest.raises(OrderNotPayable):
            start(order, bankCode="1051")
        assert start(order, bankCode="1007").fields["bankCode"] == "1007"  # resumes

    def test_a_start_under_way_is_not_given_up(self, api: ApiClient) -> None:
        order = create(api, customerDocNumber="9999000006")
        with pytest.raises(ProviderUnavailable):
            start(order)
        charge = Charge.objects.get()
        reconciliation.query_provider(charge=charge, now=clock.now())
        charge.refresh_from_db()
        assert charge.status == "STARTING"


class TestWhatWeAreTold:
    @pytest.mark.parametrize("trace", ["x" * 500, "a\x00b"])
    def test_a_strange_trace_code_keeps_no_money_off_the_books(
        self, order: Order, trace: str
    ) -> None:
        say(start(order), "SUCCEEDED", 50025, trace_code=trace)
        assert status_of(order) == "COMPLETED"

    def test_the_providers_id_is_learnt_from_a_callback(self, api: ApiClient) -> None:
        order = create(api, customerDocNumber="9999000005")
        with pytest.raises(ProviderUnavailable):
            start(order)
        charge = Charge.objects.get()
        assert not charge.provider_id
        charge.provider_id = "sim_learnt"
        say(charge, "SUCCEEDED", 50025)
        assert Charge.objects.get().provider_id == "sim_learnt"

    def test_late_part_is_no_success_and_is_queried_again(self, order: Order) -> None:
        charge = start(order, "BANK_TRANSFER")
        assert pass_the_deadline(order) == "EXPIRED"
        say(charge, "RECEIVED", 100, trace_code="T-1")

        charge.refresh_from_db()
        assert charge.status == "RECEIVED"
        assert charge.reconcile_at is not None
        assert UnmatchedFunds.objects.get().trace_code == "T-1"

    def test_an_unreadable_webhook_secret_keeps_no_money_off_the_books(
        self, order: Order, merchant: Merchant
    ) -> None:
        charge = start(order)
        with connection.cursor() as cursor:
            cursor.execute("UPDATE merchants_merchant SET webhook_secret = 'not encrypted'")
        say(charge, "SUCCEEDED", 50025)

        assert status_of(order) == "COMPLETED"
        assert available(merchant) == 50000


class TestScanners:
    @contextmanager
    def provider_that_chokes_on(self, charge: Charge, monkeypatch: Any) -> Iterator[list[str]]:
        from payments.simulator.payin import SimulatorPayin

        asked: list[str] = []
        query = SimulatorPayin.query

        def choke(port: SimulatorPayin, known: ports.Known) -> ports.ChargeUpdate:
            asked.append(known.reference)
            if known.reference == charge.pk:
                raise RuntimeError("an unforeseen answer")
            return query(port, known)

        with monkeypatch.context() as patch:
            patch.setattr(SimulatorPayin, "query", choke)
            yield asked

    def test_one_poisoned_charge_does_not_stop_the_others(
        self, api: ApiClient, monkeypatch: Any
    ) -> None:
        tries = [start(create(api)) for _ in range(3)]
        later = clock.now() + timedelta(minutes=5)
        with self.provider_that_chokes_on(tries[0], monkeypatch) as asked:
            assert reconciliation.reconcile_due(now=later) == 3

        assert sorted(asked) == sorted(charge.pk for charge in tries)

    def test_one_poisoned_order_does_not_stop_the_others(
        self, api: ApiClient, monkeypatch: Any
    ) -> None:
        orders = [create(api) for _ in range(3)]
        past = clock.now() - timedelta(seconds=1)
        Order.objects.update(expires_at=past, expire_check_at=past)
        expire = expiry.expire_order

        def choke(*, order: Order, **more: Any) -> None:
            if order.pk == orders[0].pk:
                raise RuntimeError("an unforeseen order")
            expire(order=order, **more)

        monkeypatch.setattr(expiry, "expire_order", choke)
        expiry.expire_due(now=clock.now())
        assert [status_of(order) for order in orders] == ["PENDING", "EXPIRED", "EXPIRED"]

        orders[0].refresh_from_db()
        assert orders[0].expire_check_at > clock.now()

    def test_open_charge_is_queried_until_there_is_a_verdict(self, order: Order) -> None:
        charge = start(order, "BANK_TRANSFER")
        assert pass_the_deadline(order) == "EXPIRED"
        now = clock.now()
        for _ in range(15):
            now += timedelta(days=1)
            reconciliation.reconcile_due(now=now)

        charge.refresh_from_db()
        assert charge.reconcile_attempts == 15
        assert charge.reconcile_at == now + timedelta(days=1)


class TestEdges:
    def test_document_that_grows_in_upper_case_is_kept(self, api: ApiClient) -> None:
        response = api.post("/collect", order_body(customerDocNumber="ß" * 40))
        assert response.status_code == 201

    def test_list_until_midnight_excludes_the_next_day(self, api: ApiClient) -> None:
        midnight = clock.now().replace(hour=0, minute=0, second=0, microsecond=0)
        for hours in (-1, 1, 2):
            with time_machine.travel(midnight + timedelta(hours=hours)):
                create(api)
        response = api.get(f"/collect?createdTo={midnight:%Y-%m-%dT%H:%M:%SZ}")

        assert response.headers["X-Total-Count"] == "1"
        assert len(response.body["data"]) == 1

    def test_account_without_methods_cannot_create_orders(self, api: ApiClient) -> None:
        api.merchant.methods = []
        api.merchant.save()
        response = api.post("/collect", order_body())
        assert response.body["error"]["details"]["field"] == "allowedMethods"

    def test_what_the_clock_looks_at_is_no_change_for_the_merchant(self, order: Order) -> None:
        start(order)
        order.refresh_from_db()
        before = order.updated_at
        assert pass_the_deadline(order) == "PROCESSING"
        assert order.updated_at == before

    def test_choosing_again_resumes_the_same_charge(self, order: Order) -> None:
        assert start(order).pk == charge_creation.get_open_charge(order).pk == start(order).pk
