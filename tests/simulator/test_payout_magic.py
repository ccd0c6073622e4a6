"""Each row of the table of payouts' magic values, as docs/simulator.md promises it."""

import pytest
import time_machine

from payments.providers.ports import (
    Known,
    OutgoingReason,
    OutgoingState,
    PayoutNetwork,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnreachable,
)
from payments.simulator import control, magic, store
from payments.simulator.control import resolve
from payments.simulator.magic import OutgoingProduct
from tests.simulator.conftest import TIMEOUT, charge, payout

BY_DOCUMENT = magic.OUTGOING_BY_KEY[OutgoingProduct.PAYOUT]
TABLE = magic.OUTGOING[OutgoingProduct.PAYOUT]
ORDINARY = magic.ORDINARY_OUTGOING[OutgoingProduct.PAYOUT]
DOCUMENTS = {behaviour.name: document for document, behaviour in BY_DOCUMENT.items()}


def magic_request(name, network=PayoutNetwork.BANK):
    return payout(network, document_number=DOCUMENTS[name])


def behaviour_of(request):
    return magic.for_outgoing(OutgoingProduct.PAYOUT, request.document_number)


def executions(request):
    return store.executions(request.payment_id)


@pytest.fixture
def hand():
    with time_machine.travel("2026-03-02T15:00:00Z", tick=False) as clock_hand:
        yield clock_hand


@pytest.mark.parametrize("network", PayoutNetwork)
def test_clean_payout_completes_at_once(payout_port, arrived_outgoing, network):
    request = magic_request("clean", network)
    update = payout_port.send(request, TIMEOUT)
    assert update.state is OutgoingState.COMPLETED
    assert payout_port.query(Known(reference=request.reference)) == update
    assert executions(request) == 1
    assert arrived_outgoing == []


def test_refused_payout_is_a_definite_no_every_time(payout_port):
    request = magic_request("refused")
    for _ in range(2):
        with pytest.raises(ProviderRefused) as refusal:
            payout_port.send(request, TIMEOUT)
    assert refusal.value.reason == OutgoingReason.REFUSED_BY_PROVIDER
    assert payout_port.query(Known(reference=request.reference)).state is OutgoingState.UNKNOWN
    assert executions(request) == 0


def test_slow_payout_completes_unreported_after_its_time(payout_port, arrived_outgoing, hand):
    request = magic_request("slow")
    assert payout_port.send(request, TIMEOUT).state is OutgoingState.PENDING
    hand.shift(magic.SLOW_SECONDS - 1)
    assert payout_port.query(Known(reference=request.reference)).state is OutgoingState.PENDING
    assert executions(request) == 0
    hand.shift(1)
    assert payout_port.query(Known(reference=request.reference)).state is OutgoingState.COMPLETED
    assert executions(request) == 1
    assert arrived_outgoing == []


@pytest.mark.parametrize("name", ["answer-lost-after", "error-after"])
def test_the_answer_is_lost_after_the_money_left(payout_port, arrived_outgoing, name):
    request = magic_request(name)
    with pytest.raises(ProviderTimeout):
        payout_port.send(request, TIMEOUT)
    assert executions(request) == 1
    assert payout_port.query(Known(reference=request.reference)).state is OutgoingState.COMPLETED
    assert payout_port.send(request, TIMEOUT).state is OutgoingState.COMPLETED
    assert executions(request) == 1
    assert arrived_outgoing == []


def test_payout_whose_request_was_lost_may_be_sent_again(payout_port):
    request = magic_request("answer-lost-before")
    with pytest.raises(ProviderTimeout):
        payout_port.send(request, TIMEOUT)
    assert payout_port.query(Known(reference=request.reference)).state is OutgoingState.UNKNOWN
    assert executions(request) == 0
    assert payout_port.send(request, TIMEOUT).state is OutgoingState.COMPLETED
    assert executions(request) == 1


def test_first_query_after_a_lost_answer_gets_none(payout_port, arrived_outgoing):
    request = magic_request("query-unavailable")
    with pytest.raises(ProviderTimeout):
        payout_port.send(request, TIMEOUT)
    for _ in range(magic.UNANSWERED_OUTGOING_QUERIES):
        with pytest.raises(ProviderUnreachable):
            payout_port.query(Known(reference=request.reference))
    assert payout_port.query(Known(reference=request.reference)).state is OutgoingState.COMPLETED
    assert executions(request) == 1
    assert arrived_outgoing == []


def test_completed_payout_comes_back_and_is_reported(payout_port, arrived_outgoing, hand):
    request = magic_request("returned-later")
    assert payout_port.send(request, TIMEOUT).state is OutgoingState.COMPLETED
    hand.shift(magic.AUTOMATIC_SECONDS)
    payout_port.send(payout(), TIMEOUT)  # any call wakes the simulator
    payout_port.send(payout(), TIMEOUT)
    states = [(update.reference, update.state, update.reason) for update in arrived_outgoing]
    assert states == [(request.reference, "RETURNED", OutgoingReason.ACCOUNT_CLOSED)]
    assert payout_port.query(Known(reference=request.reference)) == arrived_outgoing[0]
    assert executions(request) == 1


@pytest.mark.parametrize(
    ("name", "state", "reason", "left"),
    [
        ("completed-later", "COMPLETED", "", 1),
        ("failed-later", "FAILED", OutgoingReason.ACCOUNT_NOT_FOUND, 0),
    ],
)
def test_outcome_comes_with_time_alone(
    payout_port, arrived_outgoing, hand, name, state, reason, left
):
    asked, reported = magic_request(name), magic_request(name)
    for request in (asked, reported):
        assert payout_port.send(request, TIMEOUT).state is OutgoingState.PENDING
    assert control.wake() == 0
    hand.shift(magic.AUTOMATIC_SECONDS)
    update = payout_port.query(Known(reference=asked.reference))
    assert (update.state, update.reason) == (state, reason)
    assert [(update.reference, update.state) for update in arrived_outgoing] == [
        (reported.reference, state)
    ]
    assert control.wake() == 0
    assert [executions(request) for request in (asked, reported)] == [left, left]


def test_third_send_reaches_a_simulator_that_was_away(payout_port):
    request = magic_request("unavailable")
    for _ in range(magic.UNREACHABLE_SENDS):
        with pytest.raises(ProviderUnreachable):
            payout_port.send(request, TIMEOUT)
    assert payout_port.query(Known(reference=request.reference)).state is OutgoingState.UNKNOWN
    assert payout_port.send(request, TIMEOUT).state is OutgoingState.COMPLETED


def test_service_gets_the_same_callback_three_times(payout_port, arrived_outgoing):
    request = magic_request("callback-repeated")
    payout_port.send(request, TIMEOUT)
    assert resolve(request.reference, OutgoingState.COMPLETED) == 200
    assert (
        arrived_outgoing
        == [payout_port.query(Known(reference=request.reference))] * magic.REPEATED_CALLBACKS
    )
    assert executions(request) == 1


def test_service_learns_of_a_lost_callback_by_a_query(payout_port, arrived_outgoing):
    request = magic_request("callback-lost")
    payout_port.send(request, TIMEOUT)
    assert resolve(request.reference, OutgoingState.COMPLETED) == 0
    assert arrived_outgoing == []
    assert payout_port.query(Known(reference=request.reference)).state is OutgoingState.COMPLETED


def test_the_sandbox_outweighs_magic(payout_port, arrived_outgoing, hand):
    request = magic_request("failed-later")
    payout_port.send(request, TIMEOUT)
    resolve(request.reference, OutgoingState.COMPLETED)
    hand.shift(magic.SLOW_SECONDS)
    assert control.wake() == 0
    assert [update.state for update in arrived_outgoing] == ["COMPLETED"]


@pytest.mark.parametrize("row", range(len(TABLE)))
@pytest.mark.parametrize("network", PayoutNetwork)
def test_the_document_decides_in_any_spelling(row, network):
    request = payout(network, document_type="NIT", document_number=f"9.999.001.{row + 1:03d}")
    assert behaviour_of(request) is TABLE[row]


def test_ordinary_payouts_are_not_disturbed(payout_port, hand, arrived_outgoing):
    request = payout(amount=magic.FIRST_AMOUNT)
    assert behaviour_of(request) is ORDINARY
    payout_port.send(request, TIMEOUT)
    hand.shift(24 * 3600)
    assert payout_port.query(Known(reference=request.reference)).state is OutgoingState.PENDING
    assert arrived_outgoing == []


def test_payers_and_beneficiaries_have_documents_of_their_own():
    assert not {*magic.CHARGES_BY_DOCUMENT} & {*BY_DOCUMENT}
    for document in BY_DOCUMENT:
        assert magic.for_charge(charge(document=document)) is magic.ORDINARY_CHARGE
    for document in magic.CHARGES_BY_DOCUMENT:
        assert behaviour_of(payout(document_number=document)) is ORDINARY


def test_each_send_counts_towards_the_table(payout_port):
    request = magic_request("refused")
    with pytest.raises(ProviderRefused):
        payout_port.send(request, TIMEOUT)
    assert store.calls(request.reference, "send") == 1
