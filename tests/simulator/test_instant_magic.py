"""Each row that top-ups and bills share with payouts, as docs/simulator.md promises it."""

import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import time_machine

from payments.providers import registry
from payments.providers.ports import (
    Known,
    OutgoingReason,
    OutgoingState,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnreachable,
)
from payments.simulator import control, keys, magic, store
from payments.simulator.magic import OutgoingProduct
from tests.simulator.conftest import bill, topup

MANUAL = Path(__file__).parents[2] / "docs" / "simulator.md"
TIMEOUT = 5
SHORT = 0.05
COMPLETED = OutgoingState.COMPLETED
FAILURES = {
    OutgoingProduct.TOPUP: OutgoingReason.NUMBER_NOT_FOUND,
    OutgoingProduct.BILL: OutgoingReason.REFUSED_BY_PROVIDER,
}


@dataclass(frozen=True)
class InstantProduct:
    """One of the two products, with requests that a row of the table treats."""

    product: OutgoingProduct
    port: Any

    def request(self, name):
        keys = {row.name: key for key, row in magic.OUTGOING_BY_KEY[self.product].items()}
        if self.product is OutgoingProduct.TOPUP:
            return topup(phone=keys[name])
        return bill(bill_reference=keys[name])

    def send(self, request, timeout=TIMEOUT):
        return self.port.send(request, timeout)

    def state(self, request):
        return self.port.query(Known(reference=request.reference)).state


def executions(request):
    payment_id = getattr(request, "topup_id", None) or request.payment_id
    return store.executions(payment_id)


@pytest.fixture(params=[OutgoingProduct.TOPUP, OutgoingProduct.BILL])
def instant(request):
    port = (
        registry.outgoing("topup").configured()
        if request.param is OutgoingProduct.TOPUP
        else registry.outgoing("bill").configured()
    )
    return InstantProduct(request.param, port)


@pytest.fixture
def hand():
    with time_machine.travel("2026-03-02T15:00:00Z", tick=False) as clock_hand:
        yield clock_hand


def test_clean_payment_completes_at_once(instant, arrived_outgoing):
    request = instant.request("clean")
    update = instant.send(request)
    assert update.state is COMPLETED
    assert re.fullmatch(r"[0-9]{6}", update.authorization)
    assert executions(request) == 1
    assert arrived_outgoing == []


def test_refused_payment_is_a_definite_no_every_time(instant):
    request = instant.request("refused")
    for _ in range(2):
        with pytest.raises(ProviderRefused) as refusal:
            instant.send(request)
    assert refusal.value.reason == FAILURES[instant.product]
    assert instant.state(request) is OutgoingState.UNKNOWN
    assert executions(request) == 0
    assert store.calls(request.reference, "send") == 2


def test_slow_payment_answers_late_and_completes_unreported(instant, arrived_outgoing, hand):
    request = instant.request("slow")
    with pytest.raises(ProviderTimeout):
        instant.send(request, SHORT)
    assert instant.send(request).state is OutgoingState.PENDING  # only the first is not answered
    hand.shift(magic.SLOW_SECONDS - 1)
    assert instant.state(request) is OutgoingState.PENDING
    assert executions(request) == 0
    hand.shift(1)
    update = instant.port.query(Known(reference=request.reference))
    assert update.state is COMPLETED
    assert len(update.authorization) == 6
    assert executions(request) == 1
    assert arrived_outgoing == []


def test_slow_waits_as_long_as_the_caller(instant):
    began = time.monotonic()
    with pytest.raises(ProviderTimeout):
        instant.send(instant.request("slow"), SHORT)
    assert SHORT <= time.monotonic() - began < TIMEOUT


@pytest.mark.parametrize("name", ["answer-lost-after", "error-after"])
def test_the_answer_is_lost_after_the_money_left(instant, arrived_outgoing, name):
    request = instant.request(name)
    with pytest.raises(ProviderTimeout):
        instant.send(request)
    assert executions(request) == 1
    assert instant.state(request) is COMPLETED
    assert instant.send(request).state is COMPLETED
    assert executions(request) == 1
    assert arrived_outgoing == []


def test_request_that_was_lost_may_be_sent_again(instant):
    request = instant.request("answer-lost-before")
    with pytest.raises(ProviderTimeout):
        instant.send(request)
    assert instant.state(request) is OutgoingState.UNKNOWN
    assert executions(request) == 0
    assert instant.send(request).state is COMPLETED
    assert executions(request) == 1


def test_first_query_after_a_lost_answer_gets_none(instant):
    request = instant.request("query-unavailable")
    with pytest.raises(ProviderTimeout):
        instant.send(request)
    for _ in range(magic.UNANSWERED_OUTGOING_QUERIES):
        with pytest.raises(ProviderUnreachable):
            instant.port.query(Known(reference=request.reference))
    assert instant.state(request) is COMPLETED
    assert executions(request) == 1


def test_completed_payment_comes_back_and_is_reported(instant, arrived_outgoing, hand):
    request = instant.request("returned-later")
    sent = instant.send(request)
    assert sent.state is COMPLETED
    hand.shift(magic.AUTOMATIC_SECONDS)
    instant.send(instant.request("clean"))  # any call wakes the simulator
    (reported,) = arrived_outgoing
    assert (reported.reference, reported.state) == (request.reference, "RETURNED")
    assert (reported.reason, reported.authorization) == ("REFUSED_BY_PROVIDER", sent.authorization)
    assert instant.port.query(Known(reference=request.reference)) == reported
    assert executions(request) == 1


@pytest.mark.parametrize(("name", "left"), [("completed-later", 1), ("failed-later", 0)])
def test_outcome_comes_with_time_alone(instant, arrived_outgoing, hand, name, left):
    request = instant.request(name)
    assert instant.send(request).state is OutgoingState.PENDING
    assert control.wake() == 0
    hand.shift(magic.AUTOMATIC_SECONDS)
    assert control.wake() == 1
    (reported,) = arrived_outgoing
    assert reported.state is (COMPLETED if left else OutgoingState.FAILED)
    assert reported.reason == ("" if left else FAILURES[instant.product])
    assert len(reported.authorization) == 6 * left
    assert executions(request) == left


def test_third_send_reaches_a_simulator_that_was_away(instant):
    request = instant.request("unavailable")
    for _ in range(magic.UNREACHABLE_SENDS):
        with pytest.raises(ProviderUnreachable):
            instant.send(request)
    assert instant.state(request) is OutgoingState.UNKNOWN
    assert instant.send(request).state is COMPLETED


@pytest.mark.parametrize(("name", "times"), [("callback-repeated", 3), ("callback-lost", 0)])
def test_callbacks_are_repeated_or_lost(instant, arrived_outgoing, hand, name, times):
    request = instant.request(name)
    assert instant.send(request).state is OutgoingState.PENDING
    hand.shift(magic.AUTOMATIC_SECONDS)
    assert control.wake() == 1
    assert arrived_outgoing == [instant.port.query(Known(reference=request.reference))] * times
    assert instant.state(request) is COMPLETED
    assert executions(request) == 1


@pytest.mark.parametrize("end", [COMPLETED, OutgoingState.FAILED, OutgoingState.RETURNED])
def test_pending_waits_to_be_resolved(instant, arrived_outgoing, hand, end):
    request = instant.request("pending")
    assert instant.send(request).state is OutgoingState.PENDING
    hand.shift(24 * 3600)
    assert instant.state(request) is OutgoingState.PENDING
    assert control.resolve(request.reference, end) == 200
    assert [update.state for update in arrived_outgoing] == [end]
    assert executions(request) == (end is not OutgoingState.FAILED)


def test_every_product_has_the_rows_of_payouts():
    names = [[row.name for row in table] for table in magic.OUTGOING.values()]
    assert names[0] == names[1] == names[2]


def test_the_manual_shows_the_tables():
    shown = re.findall(r"^\| `([0-9]{10})` \| ([a-z-]+) \|", MANUAL.read_text(), re.MULTILINE)
    rows = [(key, row.name) for rows in magic.OUTGOING_BY_KEY.values() for key, row in rows.items()]
    holders = [(number, row.value) for number, row in keys.BY_NUMBER.items()]
    assert [row for row in shown if row not in holders] == rows
    assert [row for row in shown if row in holders] == holders


def test_magic_phones_are_phones_that_no_person_has():
    for phone in magic.OUTGOING_BY_KEY[OutgoingProduct.TOPUP]:
        assert re.fullmatch(r"3990001[0-9]{3}", phone)
        assert (
            magic.for_outgoing(OutgoingProduct.PAYOUT, phone)
            is magic.ORDINARY_OUTGOING[OutgoingProduct.PAYOUT]
        )
