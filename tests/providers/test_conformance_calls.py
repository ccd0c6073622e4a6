"""What every rail must keep when a payment needs several calls, or an answer is not there yet."""

from contextlib import contextmanager
from dataclasses import replace

import pytest
import time_machine

from payments.core import clock
from payments.providers.ports import CallOvertaken, ChargeStatus, OutgoingState
from tests.providers.every_rail import TIMEOUT, of_every_method, of_every_product


@contextmanager
def killed_between_calls(fake):
    if not hasattr(fake, "dying_between_calls"):
        pytest.skip("one call starts a payment")
    with fake.dying_between_calls():
        yield


@contextmanager
def lists_that_lag(fake):
    if not hasattr(fake, "lagging_lists"):
        pytest.skip("the reference finds a payment at once")
    with fake.lagging_lists():
        yield


def overtaken(request):
    """Of a call that another one has overtaken."""

    def refuse(state):
        raise CallOvertaken

    return replace(request, save=refuse)


class TestPayin:
    @of_every_method
    def test_start_that_died_between_two_calls_goes_on_with_what_it_saved(
        self, payin, fake, code, method
    ):
        request = fake.charge(method)
        with killed_between_calls(fake):
            payin.start(request, TIMEOUT)
        saved = payin.state_of(request.reference)
        assert saved
        started = payin.start(request, TIMEOUT)
        assert payin.state_of(request.reference) == saved
        assert payin.query(request.reference).provider_id == started.provider_id
        assert fake.made_for(request.reference) == 1

    @of_every_method
    def test_overtaken_start_calls_the_rail_no_more(self, payin, fake, code, method):
        request = fake.charge(method)
        try:
            payin.adapter.start(overtaken(request), TIMEOUT)
        except CallOvertaken:
            assert payin.query(request.reference).status is ChargeStatus.UNKNOWN
        else:
            pytest.skip("the adapter saves nothing before a call")

    @of_every_method
    def test_charge_that_lists_do_not_show_yet_is_found_by_its_id(self, payin, fake, code, method):
        request = fake.charge(method)
        started = payin.start(request, TIMEOUT)
        with lists_that_lag(fake):
            update = payin.query(request.reference)
        assert (update.reference, update.provider_id) == (request.reference, started.provider_id)
        assert update.status is ChargeStatus.PENDING

    @of_every_method
    def test_case_of_header_names_says_nothing(self, payin, fake, code, method):
        request = fake.charge(method)
        payin.start(request, TIMEOUT)
        if (callback := fake.pay(request.reference)) is None:
            pytest.skip("the rail sends no callbacks")
        with time_machine.travel(clock.now(), tick=False):
            read = payin.read_callback(callback, clock.now())
            for spell in (str.upper, str.lower):
                headers = {spell(name): value for name, value in callback.headers.items()}
                again = payin.read_callback(replace(callback, headers=headers), clock.now())
                assert again == read


class TestOutgoing:
    @of_every_product
    def test_send_that_died_between_two_calls_goes_on_with_what_it_saved(
        self, outgoing, fake, code, product
    ):
        request = fake.payment(product)
        with killed_between_calls(fake):
            outgoing.send(request, TIMEOUT)
        saved = outgoing.state_of(request.reference)
        assert saved
        sent = outgoing.send(request, TIMEOUT)
        assert outgoing.state_of(request.reference) == saved
        assert outgoing.query(request.reference).provider_id == sent.provider_id
        assert fake.made_for(request.reference) == 1

    @of_every_product
    def test_overtaken_send_calls_the_rail_no_more(self, outgoing, fake, code, product):
        request = fake.payment(product)
        try:
            outgoing.adapter.send(overtaken(request), TIMEOUT)
        except CallOvertaken:
            assert outgoing.query(request.reference).state is OutgoingState.UNKNOWN
        else:
            pytest.skip("the adapter saves nothing before a call")

    @of_every_product
    def test_payment_that_lists_do_not_show_yet_is_found_by_its_id(
        self, outgoing, fake, code, product
    ):
        request = fake.payment(product)
        sent = outgoing.send(request, TIMEOUT)
        with lists_that_lag(fake):
            update = outgoing.query(request.reference)
        assert (update.reference, update.provider_id) == (request.reference, sent.provider_id)
        assert update.state in (OutgoingState.PENDING, OutgoingState.COMPLETED)
