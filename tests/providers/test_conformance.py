"""What every rail must keep, whatever its wire: the promises of the ports, against its fake server.

A rail that is registered is held to this without another line here; one that operators connect by
provider accounts has one account, whose base_url is the fake.
"""

import re
import time
from dataclasses import replace
from decimal import Decimal

import pytest
import time_machine
from django.conf import settings as configured
from django.test import Client

from merchants.models import Merchant
from payments.collect.services.charges import charge_creation, reconciliation
from payments.core import clock
from payments.ledger import services as ledger
from payments.providers import registry
from payments.providers.declaration import Refunds
from payments.providers.ports import (
    ChargeStatus,
    DisputeState,
    Flow,
    Hint,
    InvalidCallback,
    OutgoingState,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnreachable,
    Rail,
    Term,
    UiType,
)
from tests.providers.every_rail import (
    DISPUTING,
    OUTGOING,
    RAILS,
    TIMEOUT,
    of_every_method,
    of_every_product,
    of_every_rail,
    reference_of,
    window_of,
)
from tests.providers.messages import UNSENT, forged, is_same, page_of, read_news
from tests.support.charges import create
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient


class TestDeclaration:
    @of_every_rail
    def test_references_have_the_shape_that_the_rail_takes(self, code):
        for prefix in ("chg", "pref", "tor", "bor", "rfr"):
            reference = reference_of(code, prefix)
            assert re.fullmatch(RAILS[code].reference_pattern, reference)
            assert len(reference) <= 100

    @of_every_rail
    def test_two_payments_have_two_references(self, code):
        assert len({reference_of(code, "chg") for _ in range(1000)}) == 1000

    @of_every_rail
    def test_reference_is_recognised_for_longer_than_the_service_is_in_doubt(self, code):
        """Of outgoing payments: for the first five queries. Later the service sends nothing again
        that the rail may have forgotten.
        """
        seconds = window_of(code).total_seconds()
        if RAILS[code].payin:
            assert seconds > max(configured.CHARGE_RECONCILE_DELAYS)
        if RAILS[code].outgoing:
            assert seconds > sum(configured.OUTGOING_RECONCILE_DELAYS[:5])

    @of_every_rail
    def test_native_refunds_are_those_with_an_adapter(self, code):
        assert (RAILS[code].refunds is Refunds.NATIVE) == (RAILS[code].refund is not None)

    @of_every_method
    def test_direct_methods_are_debits_or_keys_in_pesos(self, payin, code, method):
        for direct in payin.direct_methods():
            assert direct.category in (Rail.PSE, Rail.BANK_TRANSFER)
            assert direct.flow is not Flow.INSTRUCTIONS
            assert direct.flow is not Flow.QR or direct.ui_type is UiType.WEBVIEW
            assert len(direct.key) <= 60


class TestPayin:
    @of_every_method
    def test_same_reference_gets_the_same_answer_for_the_whole_window(
        self, payin, fake, code, method
    ):
        request = fake.charge(method)
        first = payin.start(request, TIMEOUT)
        assert is_same(payin.start(request, TIMEOUT), first)
        assert is_same(payin.start(replace(request, amount=request.amount * 2), TIMEOUT), first)
        with time_machine.travel(clock.now() + window_of(code)):
            assert payin.start(request, TIMEOUT).provider_id == first.provider_id
        assert payin.start(fake.charge(method), TIMEOUT).provider_id != first.provider_id

    @of_every_method
    def test_payer_learns_how_to_pay(self, payin, fake, code, method):
        request = fake.charge(method)
        started = payin.start(request, TIMEOUT)
        assert 0 < len(started.provider_id) <= 64
        assert bool(page_of(payin, request, started)) == (started.flow is Flow.REDIRECT)
        assert (started.key_value is not None) == (started.flow is Flow.KEY)
        assert bool(started.instructions) or started.flow is not Flow.INSTRUCTIONS
        assert started.expires_at > clock.now()

    @of_every_method
    def test_nothing_is_paid_at_the_start(self, payin, fake, code, method):
        request = fake.charge(method)
        payin.start(request, TIMEOUT)
        update = payin.query(request.reference)
        assert (update.status, update.received) == (ChargeStatus.PENDING, 0)

    @of_every_method
    def test_callback_and_query_report_the_whole_payment(self, payin, fake, code, method):
        request = fake.charge(method)
        started = payin.start(request, TIMEOUT)
        callback = fake.pay(request.reference)
        read = read_news(payin, request, started, callback)
        assert (read.reference, read.provider_id) == (request.reference, started.provider_id)
        assert (read.status, read.received) == (ChargeStatus.SUCCEEDED, request.amount)
        assert read.currency == request.currency
        asked = payin.query(request.reference)
        assert (asked.status, asked.received) == (read.status, read.received)
        assert is_same(payin.start(request, TIMEOUT), started)

    @of_every_method
    def test_forged_callback_is_invalid(self, payin, fake, code, method):
        request = fake.charge(method)
        payin.start(request, TIMEOUT)
        for callback in forged(fake.pay(request.reference)):
            with pytest.raises(InvalidCallback):
                payin.read_callback(callback, clock.now())

    @of_every_method
    def test_reference_that_never_arrived_is_unknown(self, payin, fake, code, method):
        update = payin.query(reference_of(code, "chg"))
        assert (update.status, update.received) == (ChargeStatus.UNKNOWN, 0)
        assert update.provider_id == ""

    @of_every_method
    def test_refused_charge_stays_unknown(self, payin, fake, code, method):
        request = fake.charge(method, amount=Decimal(0))
        with pytest.raises(ProviderRefused):
            payin.start(request, TIMEOUT)
        assert payin.query(request.reference).status is ChargeStatus.UNKNOWN

    @of_every_method
    def test_field_that_the_rail_needs_is_not_left_out(self, payin, fake, code, method):
        for key in RAILS[code].payer_needs[method].fields:
            request = fake.charge(method)
            assert key in request.fields
            fields = {name: value for name, value in request.fields.items() if name != key}
            with pytest.raises(ProviderRefused):
                payin.start(replace(request, fields=fields), TIMEOUT)

    @of_every_method
    def test_rail_that_is_away_has_not_got_the_charge(self, payin, fake, code, method):
        if not hasattr(fake, "away"):
            pytest.skip("the rail has no wire")
        request = fake.charge(method)
        with fake.away():
            for call in (
                lambda: payin.start(request, TIMEOUT),
                lambda: payin.query(request.reference),
            ):
                with pytest.raises(ProviderUnreachable):
                    call()
        assert payin.query(request.reference).status is ChargeStatus.UNKNOWN

    @of_every_method
    def test_start_without_time_is_not_sent(self, payin, fake, code, method):
        request = fake.charge(method)
        with pytest.raises(ProviderUnreachable):
            payin.start(request, 0)
        assert payin.query(request.reference).status is ChargeStatus.UNKNOWN

    @of_every_method
    def test_start_keeps_its_timeout_whatever_number_of_calls_it_makes(
        self, payin, fake, code, method
    ):
        """Two slow calls would take longer. A rail that was not reached has not got the charge."""
        if not hasattr(fake, "slow_answers"):
            pytest.skip("the rail has no wire")
        request, began = fake.charge(method), time.monotonic()
        with fake.slow_answers(3.0):
            try:
                payin.start(request, 3.5)
            except ProviderUnreachable:
                is_sent = False
            except ProviderTimeout:
                is_sent = None
            else:
                is_sent = True
        assert time.monotonic() - began < 5.8
        if is_sent is False:
            assert payin.query(request.reference).status is ChargeStatus.UNKNOWN
        assert payin.start(request, TIMEOUT).provider_id

    @of_every_method
    def test_answer_that_makes_no_sense_is_a_doubt(self, payin, fake, code, method):
        if not hasattr(fake, "garbling_answers"):
            pytest.skip("the rail has no wire")
        request = fake.charge(method)
        with fake.garbling_answers(), pytest.raises(ProviderTimeout):
            payin.start(request, TIMEOUT)
        assert payin.query(request.reference).status is not ChargeStatus.UNKNOWN

    @of_every_method
    def test_lost_answer_is_a_doubt_and_the_charge_exists_once(self, payin, fake, code, method):
        if not hasattr(fake, "losing_answers"):
            pytest.skip("the rail has no wire")
        request = fake.charge(method)
        with fake.losing_answers(), pytest.raises(ProviderTimeout):
            payin.start(request, TIMEOUT)
        update = payin.query(request.reference)
        assert update.status is ChargeStatus.PENDING
        assert payin.start(request, TIMEOUT).provider_id == update.provider_id


class TestOutgoing:
    @of_every_product
    def test_same_reference_is_one_payment_for_the_whole_window(
        self, outgoing, fake, code, product
    ):
        request = fake.payment(product)
        first = outgoing.send(request, TIMEOUT)
        assert first.state in (OutgoingState.PENDING, OutgoingState.COMPLETED)
        again = outgoing.send(request, TIMEOUT)
        assert (again.reference, again.provider_id) == (first.reference, first.provider_id)
        assert again.state in (first.state, OutgoingState.COMPLETED)
        with time_machine.travel(clock.now() + window_of(code)):
            assert outgoing.send(request, TIMEOUT).provider_id == first.provider_id

    @of_every_product
    def test_callback_and_query_report_the_completed_payment(self, outgoing, fake, code, product):
        request = fake.payment(product)
        sent = outgoing.send(request, TIMEOUT)
        callback = fake.complete(product, request.reference)
        read = read_news(outgoing, request, sent, callback)
        assert (read.reference, read.provider_id) == (request.reference, sent.provider_id)
        assert read.state is OutgoingState.COMPLETED
        assert read.amount in (None, request.amount)
        assert outgoing.query(request.reference).state is OutgoingState.COMPLETED

    @of_every_product
    def test_forged_callback_is_invalid(self, outgoing, fake, code, product):
        request = fake.payment(product)
        outgoing.send(request, TIMEOUT)
        for callback in forged(fake.complete(product, request.reference)):
            with pytest.raises(InvalidCallback):
                outgoing.read_callback(callback, clock.now())

    @of_every_product
    def test_callback_about_another_product_is_invalid(self, outgoing, fake, code, product):
        request = fake.payment(product)
        outgoing.send(request, TIMEOUT)
        callback = fake.complete(product, request.reference) or UNSENT[0]
        for other in {*OUTGOING} & {*RAILS[code].adapters} - {product}:
            adapter = registry.outgoing(other).get(code)
            with pytest.raises(InvalidCallback):
                adapter.read_callback(callback, clock.now())

    @of_every_product
    def test_reference_that_never_arrived_is_unknown(self, outgoing, fake, code, product):
        update = outgoing.query(reference_of(code, "ref"))
        assert (update.state, update.provider_id) == (OutgoingState.UNKNOWN, "")
        assert outgoing.find_reference("none-of-ours") == ""

    @of_every_product
    def test_refused_payment_stays_unknown(self, outgoing, fake, code, product):
        request = replace(fake.payment(product), amount=Decimal(0))
        with pytest.raises(ProviderRefused):
            outgoing.send(request, TIMEOUT)
        assert outgoing.query(request.reference).state is OutgoingState.UNKNOWN

    @of_every_product
    def test_rail_that_is_away_has_not_got_the_payment(self, outgoing, fake, code, product):
        if not hasattr(fake, "away"):
            pytest.skip("the rail has no wire")
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
    def test_answer_that_makes_no_sense_is_a_doubt(self, outgoing, fake, code, product):
        if not hasattr(fake, "garbling_answers"):
            pytest.skip("the rail has no wire")
        request = fake.payment(product)
        with fake.garbling_answers(), pytest.raises(ProviderTimeout):
            outgoing.send(request, TIMEOUT)
        assert outgoing.query(request.reference).state is not OutgoingState.UNKNOWN

    @of_every_product
    def test_lost_answer_is_a_doubt_and_the_payment_exists_once(
        self, outgoing, fake, code, product
    ):
        if not hasattr(fake, "losing_answers"):
            pytest.skip("the rail has no wire")
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
        read = port.read_callback(callback, clock.now())
        assert (read.charge_reference, read.state) == ("chg_1", DisputeState.OPEN)
        assert 0 < len(read.reference) <= 100

    def test_forged_callback_is_invalid(self, fake, code):
        for callback in forged(fake.contest("chg_1")):
            with pytest.raises(InvalidCallback):
                registry.DISPUTE.get(code).read_callback(callback, clock.now())


@of_every_method
def test_order_paid_over_the_rail_credits_its_merchant(
    fake, api: ApiClient, merchant: Merchant, code, method
):
    """From the order to the balance, with the callback at the address of the rail."""
    order, request = create(api), fake.charge(method)
    charge = charge_creation.start_charge(
        order=order,
        choice=charge_creation.PaymentChoice(
            method=method.value,
            payer=replace(charge_creation.payer_of(order), phone="3105551234"),
            fields=request.fields,
            return_url=order.collect_url,
            accepted=tuple(Term(url=url, label="") for url in request.accepted_terms),
        ),
        now=clock.now(),
    )
    assert charge.provider == code
    if (callback := fake.pay(charge.reference_at_rail)) is not None:
        deliver(callback, code)
    assert api.get(f"/collect/{order.pk}").body["data"]["status"] == "COMPLETED"
    assert ledger.balances(merchant.pk)["COPM"]["available"] == order_body()["amount"]


def deliver(callback, code):
    answer = Client().post(
        f"/callbacks/payin/{code}?{callback.query}",
        callback.body,
        content_type="application/json",
        headers=callback.headers,
    )
    wanted = RAILS[code].callback_answer
    assert answer.status_code == wanted.status
    if wanted.body is not None:
        assert (answer.content, answer["Content-Type"]) == (wanted.body, wanted.content_type)
    if isinstance(registry.PAYIN.get(code).read_callback(callback, clock.now()), Hint):
        reconciliation.reconcile_due(now=clock.now())
