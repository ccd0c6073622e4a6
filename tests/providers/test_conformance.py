"""What every rail must keep, whatever its wire: the promises of the ports, against its fake server.

A rail that is registered is held to this without another line here.
"""

import re
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
import time_machine
from django.conf import settings as configured
from django.test import Client
from django.utils.module_loading import import_string

from merchants.models import Merchant
from payments.core import clock, ids
from payments.ledger import services as ledger
from payments.providers import registry
from payments.providers.declaration import Refunds
from payments.providers.ports import (
    ChargeStatus,
    DisputeState,
    Flow,
    InvalidCallback,
    OutgoingState,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnreachable,
)
from tests.support.charges import create, start
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient

TIMEOUT = 5.0
OUTGOING = ("payout", "topup", "bill", "refund")
# Longer than this no payment is sent again under its reference.
LONGEST_RETRY = timedelta(days=30)
PATHS = [*configured.RAILS, "tests.rails.toy.RAIL"]
RAILS = {rail.code: rail for rail in map(import_string, PATHS)}
METHODS = [(code, method) for code, rail in RAILS.items() for method in rail.payer_fields]
PRODUCTS = [(code, one) for code, rail in RAILS.items() for one in OUTGOING if one in rail.adapters]
DISPUTING = [code for code, rail in RAILS.items() if rail.dispute]

of_every_method = pytest.mark.parametrize(("code", "method"), METHODS)
of_every_product = pytest.mark.parametrize(("code", "product"), PRODUCTS)
of_every_rail = pytest.mark.parametrize("code", RAILS)


@pytest.fixture
def fake(code, settings, monkeypatch, tmp_path):
    """The rail's fake server; the rail serves everything that it can."""
    settings.RAILS = PATHS
    for product in RAILS[code].adapters:
        setattr(settings, getattr(registry, product.upper()).setting, code)
    server = import_string(f"tests.rails.{code}.FakeServer")(monkeypatch, tmp_path)
    yield server
    server.close()


@pytest.fixture
def payin(fake, code):
    return registry.PAYIN.get(code)


@pytest.fixture
def outgoing(fake, code, product):
    return getattr(registry, product.upper()).get(code)


def window_of(code):
    """Just inside the time for which the rail recognises a reference."""
    return min(RAILS[code].idempotency_window or LONGEST_RETRY, LONGEST_RETRY) - timedelta(hours=1)


def forged(callback):
    """The same message with other headers, and with one byte changed."""
    for name, value in callback.headers.items():
        yield {**callback.headers, name: ""}, callback.body
        yield (
            {**callback.headers, name: value[:-1] + ("0" if value[-1] != "0" else "1")},
            (callback.body),
        )
    yield {}, callback.body
    yield callback.headers, callback.body.replace(b"1", b"2", 1)
    yield callback.headers, b""


class TestDeclaration:
    @of_every_rail
    def test_references_of_ours_have_the_shape_that_the_rail_takes(self, code):
        for prefix in ("chg", "pref", "tor", "bor", "rfr"):
            assert re.fullmatch(RAILS[code].reference_pattern, ids.new_id(prefix))

    @of_every_rail
    def test_reference_is_recognised_for_longer_than_the_service_is_in_doubt(self, code):
        delays = [*configured.CHARGE_RECONCILE_DELAYS, *configured.OUTGOING_RECONCILE_DELAYS]
        assert window_of(code).total_seconds() > max(delays)

    @of_every_rail
    def test_native_refunds_are_those_with_an_adapter(self, code):
        assert (RAILS[code].refunds is Refunds.NATIVE) == (RAILS[code].refund is not None)

    @of_every_method
    def test_direct_methods_count_as_methods_of_the_rail(self, payin, code, method):
        for direct in payin.direct_methods():
            assert direct.category in RAILS[code].payer_fields
            assert direct.flow is not Flow.INSTRUCTIONS
            assert len(direct.key) <= 60


class TestPayin:
    @of_every_method
    def test_same_reference_gets_the_same_answer_for_the_whole_window(
        self, payin, fake, code, method
    ):
        request = fake.charge(method)
        first = payin.start(request)
        assert payin.start(request) == first
        assert payin.start(replace(request, amount=request.amount * 2)) == first
        with time_machine.travel(clock.now() + window_of(code)):
            assert payin.start(request).provider_id == first.provider_id
        assert payin.start(fake.charge(method)).provider_id != first.provider_id

    @of_every_method
    def test_payer_learns_how_to_pay(self, payin, fake, code, method):
        request = fake.charge(method)
        started = payin.start(request)
        assert 0 < len(started.provider_id) <= 64
        assert (started.redirect_url is not None) == (started.flow is Flow.REDIRECT)
        assert (started.key_value is not None) == (started.flow is Flow.KEY)
        assert bool(started.instructions) or started.flow is not Flow.INSTRUCTIONS
        assert started.expires_at > clock.now()

    @of_every_method
    def test_nothing_is_paid_at_the_start(self, payin, fake, code, method):
        request = fake.charge(method)
        payin.start(request)
        update = payin.query(request.reference)
        assert (update.status, update.received) == (ChargeStatus.PENDING, 0)

    @of_every_method
    def test_callback_and_query_report_the_whole_payment(self, payin, fake, code, method):
        request = fake.charge(method)
        started = payin.start(request)
        callback = fake.pay(request.reference)
        read = payin.read_callback(callback.headers, callback.body, clock.now())
        assert (read.reference, read.provider_id) == (request.reference, started.provider_id)
        assert (read.status, read.received) == (ChargeStatus.SUCCEEDED, request.amount)
        assert read.currency == request.currency
        asked = payin.query(request.reference)
        assert (asked.status, asked.received) == (read.status, read.received)
        assert payin.start(request) == started

    @of_every_method
    def test_forged_callback_is_invalid(self, payin, fake, code, method):
        request = fake.charge(method)
        payin.start(request)
        for headers, body in forged(fake.pay(request.reference)):
            with pytest.raises(InvalidCallback):
                payin.read_callback(headers, body, clock.now())

    @of_every_method
    def test_reference_that_never_arrived_is_unknown(self, payin, fake, code, method):
        update = payin.query(ids.new_id("chg"))
        assert (update.status, update.received) == (ChargeStatus.UNKNOWN, 0)
        assert update.provider_id == ""

    @of_every_method
    def test_refused_charge_stays_unknown(self, payin, fake, code, method):
        request = fake.charge(method, amount=Decimal(0))
        with pytest.raises(ProviderRefused):
            payin.start(request)
        assert payin.query(request.reference).status is ChargeStatus.UNKNOWN

    @of_every_method
    def test_field_that_the_rail_needs_is_not_left_out(self, payin, fake, code, method):
        for key in RAILS[code].payer_fields[method]:
            request = fake.charge(method)
            assert key in request.fields
            fields = {name: value for name, value in request.fields.items() if name != key}
            with pytest.raises(ProviderRefused):
                payin.start(replace(request, fields=fields))

    @of_every_method
    def test_rail_that_is_away_has_not_got_the_charge(self, payin, fake, code, method):
        request = fake.charge(method)
        with fake.away():
            for call in (lambda: payin.start(request), lambda: payin.query(request.reference)):
                with pytest.raises(ProviderUnreachable):
                    call()
        assert payin.query(request.reference).status is ChargeStatus.UNKNOWN

    @of_every_method
    def test_lost_answer_is_a_doubt_and_the_charge_exists_once(self, payin, fake, code, method):
        request = fake.charge(method)
        with fake.losing_answers(), pytest.raises(ProviderTimeout):
            payin.start(request)
        update = payin.query(request.reference)
        assert update.status is ChargeStatus.PENDING
        assert payin.start(request).provider_id == update.provider_id


class TestOutgoing:
    @of_every_product
    def test_same_reference_is_one_payment_for_the_whole_window(
        self, outgoing, fake, code, product
    ):
        request = fake.payment(product)
        first = outgoing.send(request, TIMEOUT)
        assert first.state in (OutgoingState.PENDING, OutgoingState.COMPLETED)
        assert outgoing.send(request, TIMEOUT) == first
        with time_machine.travel(clock.now() + window_of(code)):
            assert outgoing.send(request, TIMEOUT).provider_id == first.provider_id

    @of_every_product
    def test_callback_and_query_report_the_completed_payment(self, outgoing, fake, code, product):
        request = fake.payment(product)
        sent = outgoing.send(request, TIMEOUT)
        callback = fake.complete(product, request.reference)
        read = outgoing.read_callback(callback.headers, callback.body, clock.now())
        assert (read.reference, read.provider_id) == (request.reference, sent.provider_id)
        assert read.state is OutgoingState.COMPLETED
        assert read.amount in (None, request.amount)
        assert outgoing.query(request.reference).state is OutgoingState.COMPLETED

    @of_every_product
    def test_forged_callback_is_invalid(self, outgoing, fake, code, product):
        request = fake.payment(product)
        outgoing.send(request, TIMEOUT)
        for headers, body in forged(fake.complete(product, request.reference)):
            with pytest.raises(InvalidCallback):
                outgoing.read_callback(headers, body, clock.now())

    @of_every_product
    def test_callback_about_another_product_is_invalid(self, outgoing, fake, code, product):
        request = fake.payment(product)
        outgoing.send(request, TIMEOUT)
        callback = fake.complete(product, request.reference)
        for other in {*OUTGOING} & {*RAILS[code].adapters} - {product}:
            adapter = getattr(registry, other.upper()).get(code)
            with pytest.raises(InvalidCallback):
                adapter.read_callback(callback.headers, callback.body, clock.now())

    @of_every_product
    def test_reference_that_never_arrived_is_unknown(self, outgoing, fake, code, product):
        update = outgoing.query(ids.new_id("ref"))
        assert (update.state, update.provider_id) == (OutgoingState.UNKNOWN, "")

    @of_every_product
    def test_refused_payment_stays_unknown(self, outgoing, fake, code, product):
        request = replace(fake.payment(product), amount=Decimal(0))
        with pytest.raises(ProviderRefused):
            outgoing.send(request, TIMEOUT)
        assert outgoing.query(request.reference).state is OutgoingState.UNKNOWN

    @of_every_product
    def test_rail_that_is_away_has_not_got_the_payment(self, outgoing, fake, code, product):
        request = fake.payment(product)
        with fake.away():
            for call in (
                lambda: outgoing.send(request, TIMEOUT),
                lambda: outgoing.query(request.reference),
            ):
                with pytest.raises(ProviderUnreachable):
                    call()
        assert outgoing.query(request.reference).state is OutgoingState.UNKNOWN

    @of_every_product
    def test_lost_answer_is_a_doubt_and_the_payment_exists_once(
        self, outgoing, fake, code, product
    ):
        request = fake.payment(product)
        with fake.losing_answers(), pytest.raises(ProviderTimeout):
            outgoing.send(request, TIMEOUT)
        update = outgoing.query(request.reference)
        assert update.state is not OutgoingState.UNKNOWN
        assert outgoing.send(request, TIMEOUT).provider_id == update.provider_id


@pytest.mark.parametrize("code", DISPUTING)
class TestDispute:
    def test_callback_names_our_charge(self, fake, code):
        callback = fake.contest("chg_1")
        port = registry.DISPUTE.get(code)
        read = port.read_callback(callback.headers, callback.body, clock.now())
        assert (read.charge_reference, read.state) == ("chg_1", DisputeState.OPEN)
        assert 0 < len(read.reference) <= 100

    def test_forged_callback_is_invalid(self, fake, code):
        for headers, body in forged(fake.contest("chg_1")):
            with pytest.raises(InvalidCallback):
                registry.DISPUTE.get(code).read_callback(headers, body, clock.now())


@pytest.mark.django_db
@of_every_method
def test_order_paid_over_the_rail_credits_its_merchant(
    fake, api: ApiClient, merchant: Merchant, code, method
):
    """From the order to the balance, with the callback at the address of the rail."""
    order = create(api)
    charge = start(order, method.value)
    assert charge.provider == code
    callback = fake.pay(charge.pk)
    answer = Client().post(
        f"/callbacks/payin/{code}",
        callback.body,
        content_type="application/json",
        headers=callback.headers,
    )
    assert answer.status_code == RAILS[code].callback_status
    assert api.get(f"/collect/{order.pk}").body["data"]["status"] == "COMPLETED"
    assert ledger.balances(merchant.pk)["COPM"]["available"] == order_body()["amount"]
