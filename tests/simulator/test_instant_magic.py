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
    OutgoingReason,
    OutgoingState,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnavailable,
)
from payments.simulator import control, magic, store
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
class Scene:
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
        return self.port.query(request.reference).state


def executions(request):
    payment_id = getattr(request, "topup_id", None) or request.payment_id
    return store.executions(payment_id)


@pytest.fixture(params=[OutgoingProduct.TOPUP, OutgoingProduct.BILL])
def scene(request):
    port = (
        registry.TOPUP.configured()
        if request.param is OutgoingProduct.TOPUP
        else registry.BILL.configured()
    )
    return Scene(request.param, port)


@pytest.fixture
def hand():
    with time_machine.travel("2026-03-02T15:00:00Z", tick=False) as clock_hand:
        yield clock_hand


def test_clean_payment_completes_at_once(scene, heard_outgoing):
    request = scene.request("clean")
    update = scene.send(request)
    assert update.state is COMPLETED
    assert re.fullmatch(r"[0-9]{6}", update.authorization)
    assert executions(request) == 1
    assert heard_outgoing == []


def test_refused_payment_is_a_definite_no_every_time(scene):
    request = scene.request("refused")
    for _ in range(2):
        with pytest.raises(ProviderRefused) as refusal:
            scene.send(request)
    assert refusal.value.reason == FAILURES[scene.product]
    assert scene.state(request) is OutgoingState.UNKNOWN
    assert executions(request) == 0
    assert store.calls(request.reference, "send") == 2


def test_slow_payment_answers_late_and_completes_unreported(scene, heard_outgoing, hand):
    request = scene.request("slow")
    with pytest.raises(ProviderTimeout):
        scene.send(request, SHORT)
    assert scene.send(request).state is OutgoingState.PENDING  # only the first is not answered
    hand.shift(magic.SLOW_SECONDS - 1)
    assert scene.state(request) is OutgoingState.PENDING
    assert executions(request) == 0
    hand.shift(1)
    update = scene.port.query(request.reference)
    assert update.state is COMPLETED
    assert len(update.authorization) == 6
    assert executions(request) == 1
    assert heard_outgoing == []


def test_slow_waits_as_long_as_the_caller(scene):
    began = time.monotonic()
    with pytest.raises(ProviderTimeout):
        scene.send(scene.request("slow"), SHORT)
    assert SHORT <= time.monotonic() - began < TIMEOUT


@pytest.mark.parametrize("name", ["answer-lost-after", "error-after"])
def test_the_answer_is_lost_after_the_money_left(scene, heard_outgoing, name):
    request = scene.request(name)
    with pytest.raises(ProviderTimeout):
        scene.send(request)
    assert executions(request) == 1
    assert scene.state(request) is COMPLETED
    assert scene.send(request).state is COMPLETED
    assert executions(request) == 1
    assert heard_outgoing == []


def test_request_that_was_lost_may_be_sent_again(scene):
    request = scene.request("answer-lost-before")
    with pytest.raises(ProviderTimeout):
        scene.send(request)
    assert scene.state(request) is OutgoingState.UNKNOWN
    assert executions(request) == 0
    assert scene.send(request).state is COMPLETED
    assert executions(request) == 1


def test_first_query_after_a_lost_answer_gets_none(scene):
    request = scene.request("query-unavailable")
    with pytest.raises(ProviderTimeout):
        scene.send(request)
    for _ in range(magic.UNANSWERED_OUTGOING_QUERIES):
        with pytest.raises(ProviderUnavailable):
            scene.port.query(request.reference)
    assert scene.state(request) is COMPLETED
    assert executions(request) == 1


def test_completed_payment_comes_back_and_is_reported(scene, heard_outgoing, hand):
    request = scene.request("returned-later")
    sent = scene.send(request)
    assert sent.state is COMPLETED
    hand.shift(magic.AUTOMATIC_SECONDS)
    scene.send(scene.request("clean"))  # any call wakes the simulator
    (told,) = heard_outgoing
    assert (told.reference, told.state) == (request.reference, "RETURNED")
    assert (told.reason, told.authorization) == ("REFUSED_BY_PROVIDER", sent.authorization)
    assert scene.port.query(request.reference) == told
    assert executions(request) == 1


@pytest.mark.parametrize(("name", "left"), [("completed-later", 1), ("failed-later", 0)])
def test_some_outcomes_come_by_themselves(scene, heard_outgoing, hand, name, left):
    request = scene.request(name)
    assert scene.send(request).state is OutgoingState.PENDING
    assert control.wake() == 0
    hand.shift(magic.AUTOMATIC_SECONDS)
    assert control.wake() == 1
    (told,) = heard_outgoing
    assert told.state is (COMPLETED if left else OutgoingState.FAILED)
    assert told.reason == ("" if left else FAILURES[scene.product])
    assert len(told.authorization) == 6 * left
    assert executions(request) == left


def test_third_send_reaches_a_simulator_that_was_away(scene):
    request = scene.request("unavailable")
    for _ in range(magic.UNREACHABLE_SENDS):
        with pytest.raises(ProviderUnavailable):
            scene.send(request)
    assert scene.state(request) is OutgoingState.UNKNOWN
    assert scene.send(request).state is COMPLETED


@pytest.mark.parametrize(("name", "times"), [("callback-repeated", 3), ("callback-lost", 0)])
def test_callbacks_are_repeated_or_lost(scene, heard_outgoing, hand, name, times):
    request = scene.request(name)
    assert scene.send(request).state is OutgoingState.PENDING
    hand.shift(magic.AUTOMATIC_SECONDS)
    assert control.wake() == 1
    assert heard_outgoing == [scene.port.query(request.reference)] * times
    assert scene.state(request) is COMPLETED
    assert executions(request) == 1


@pytest.mark.parametrize("end", [COMPLETED, OutgoingState.FAILED, OutgoingState.RETURNED])
def test_pending_waits_to_be_resolved(scene, heard_outgoing, hand, end):
    request = scene.request("pending")
    assert scene.send(request).state is OutgoingState.PENDING
    hand.shift(24 * 3600)
    assert scene.state(request) is OutgoingState.PENDING
    assert control.resolve(request.reference, end) == 200
    assert [update.state for update in heard_outgoing] == [end]
    assert executions(request) == (end is not OutgoingState.FAILED)


def test_every_product_has_the_rows_of_payouts():
    names = [[row.name for row in table] for table in magic.OUTGOING.values()]
    assert names[0] == names[1] == names[2]


def test_the_manual_shows_the_tables():
    shown = re.findall(r"^\| `([0-9]{10})` \| ([a-z-]+) \|", MANUAL.read_text(), re.MULTILINE)
    rows = [(key, row.name) for rows in magic.OUTGOING_BY_KEY.values() for key, row in rows.items()]
    assert shown == rows


def test_magic_phones_are_phones_that_nobody_has():
    for phone in magic.OUTGOING_BY_KEY[OutgoingProduct.TOPUP]:
        assert re.fullmatch(r"3990001[0-9]{3}", phone)
        assert (
            magic.for_outgoing(OutgoingProduct.PAYOUT, phone)
            is magic.ORDINARY_OUTGOING[OutgoingProduct.PAYOUT]
        )
