"""The contract of PayoutPort, held against the simulator."""

from dataclasses import replace
from decimal import Decimal

import pytest

from payments.providers import registry
from payments.providers.ports import (
    Known,
    OutgoingReason,
    OutgoingState,
    PayoutNetwork,
    ProviderRefused,
)
from payments.simulator import store
from payments.simulator.control import UnknownReference, resolve
from payments.simulator.records import NotPossible
from tests.simulator.conftest import TIMEOUT, charge, payout

ENDS = [OutgoingState.COMPLETED, OutgoingState.FAILED, OutgoingState.RETURNED]
COMES_BACK = (OutgoingState.COMPLETED, OutgoingState.RETURNED)
BREB = PayoutNetwork.BREB


def begin(port, **changes):
    request = payout(**changes)
    port.send(request, TIMEOUT)
    return request


def executions(request):
    return store.executions(request.payment_id)


@pytest.mark.parametrize("network", PayoutNetwork)
def test_payout_is_pending_until_it_is_resolved(payout_port, arrived_outgoing, network):
    request = payout(network)
    sent = payout_port.send(request, TIMEOUT)
    assert (sent.state, sent.reference, sent.amount) == ("PENDING", request.reference, 50000)
    assert executions(request) == 0
    assert resolve(request.reference, OutgoingState.COMPLETED) == 200
    assert arrived_outgoing == [payout_port.query(Known(reference=request.reference))]
    assert arrived_outgoing[0].state is OutgoingState.COMPLETED
    assert arrived_outgoing[0].provider_id == sent.provider_id
    assert executions(request) == 1


def test_simulator_carries_both_payout_networks(payout_port):
    assert payout_port.networks() == {PayoutNetwork.BANK, PayoutNetwork.BREB}


@pytest.mark.parametrize("network", PayoutNetwork)
def test_the_same_reference_is_one_payout(payout_port, network):
    request = payout(network)
    first = payout_port.send(request, TIMEOUT)
    assert payout_port.send(request, TIMEOUT) == first
    # What was sent first stands, and its amount says so.
    assert (
        payout_port.send(replace(request, amount=Decimal(1), description="otra cosa"), TIMEOUT)
        == first
    )
    assert payout_port.send(payout(network), TIMEOUT).provider_id != first.provider_id
    resolve(request.reference, OutgoingState.COMPLETED)
    assert payout_port.send(request, TIMEOUT).state is OutgoingState.COMPLETED
    assert executions(request) == 1


@pytest.mark.parametrize("end", ENDS)
def test_sent_again_it_answers_how_the_first_stands(payout_port, end):
    request = begin(payout_port)
    resolve(request.reference, end)
    assert payout_port.send(request, TIMEOUT) == payout_port.query(
        Known(reference=request.reference)
    )
    assert payout_port.send(request, TIMEOUT).state is end


def test_a_new_reference_for_the_same_payout_is_seen_as_a_second_execution(payout_port):
    request = begin(payout_port)
    second = replace(request, reference="another")
    payout_port.send(second, TIMEOUT)
    for reference in (request.reference, second.reference):
        resolve(reference, OutgoingState.COMPLETED)
    assert executions(request) == 2
    records = store.outgoing.by_payment_id(request.payment_id)
    assert [record.reference for record in records] == [request.reference, "another"]
    assert store.executions_by_payment() == {request.payment_id: 2}


def test_an_unknown_reference_is_an_answer(payout_port):
    update = payout_port.query(Known(reference="po_unknown"))
    assert (update.state, update.provider_id, update.amount) == ("UNKNOWN", "", None)


@pytest.mark.parametrize(
    ("end", "reason", "left"),
    [
        ("COMPLETED", "", 1),
        ("FAILED", OutgoingReason.REFUSED_BY_BANK, 0),
        ("RETURNED", OutgoingReason.ACCOUNT_CLOSED, 1),
    ],
)
def test_payout_ends_as_it_is_resolved(payout_port, arrived_outgoing, end, reason, left):
    request = begin(payout_port)
    resolve(request.reference, OutgoingState(end))
    assert [(update.state, update.reason) for update in arrived_outgoing] == [(end, reason)]
    assert executions(request) == left


def test_a_completed_payout_may_come_back(payout_port, arrived_outgoing):
    request = begin(payout_port)
    resolve(request.reference, OutgoingState.COMPLETED)
    resolve(request.reference, OutgoingState.RETURNED, reason="RECIPIENT_MISMATCH")
    states = [(update.state, update.reason) for update in arrived_outgoing]
    assert states == [("COMPLETED", ""), ("RETURNED", "RECIPIENT_MISMATCH")]
    assert executions(request) == 1


@pytest.mark.parametrize(
    ("end", "other"),
    [(end, other) for end in ENDS for other in OutgoingState if (end, other) != COMES_BACK],
)
def test_an_end_is_final(payout_port, arrived_outgoing, end, other):
    request = begin(payout_port)
    resolve(request.reference, end)
    with pytest.raises(NotPossible):
        resolve(request.reference, other)
    assert [update.state for update in arrived_outgoing] == [end]


@pytest.mark.parametrize("state", [OutgoingState.PENDING, OutgoingState.UNKNOWN])
def test_some_states_cannot_be_brought_about(payout_port, state):
    request = begin(payout_port)
    with pytest.raises(NotPossible):
        resolve(request.reference, state)


def test_an_unknown_payout_cannot_end(arrived_outgoing):
    with pytest.raises(UnknownReference):
        resolve("po_unknown", OutgoingState.COMPLETED)
    assert arrived_outgoing == []


@pytest.mark.parametrize(
    "changes",
    [
        {"amount": Decimal(0)},
        {"amount": Decimal(-1)},
        {"bank_code": "9999"},
        {"bank_code": ""},
        {"account_type": "savings"},
        {"account_number": ""},
        {"account_number": "١٢٣٤٥٦"},
        {"network": BREB},
        {"network": BREB, "key_type": "NAME", "key_value": "3001234567"},
        {"network": BREB, "key_type": "PHONE", "key_value": ""},
    ],
)
def test_a_request_that_makes_no_sense_is_a_definite_no(payout_port, changes):
    request = replace(payout(), **changes)
    with pytest.raises(ProviderRefused) as refusal:
        payout_port.send(request, TIMEOUT)
    assert refusal.value.reason == OutgoingReason.INVALID_REQUEST
    assert payout_port.query(Known(reference=request.reference)).state is OutgoingState.UNKNOWN
    assert executions(request) == 0


def test_simulator_counts_sends_and_queries_apart(payout_port):
    request = begin(payout_port)
    payout_port.send(request, TIMEOUT)
    assert store.calls(request.reference, "send") == 2
    assert store.calls(request.reference, "query") == 0


def test_store_is_written_before_the_callback_is_sent(payout_port, monkeypatch):
    request = begin(payout_port)
    seen = []
    monkeypatch.setattr(
        "payments.simulator.callbacks.send",
        lambda update, *_to: (
            seen.append(payout_port.query(Known(reference=request.reference)).state) or 200
        ),
    )
    resolve(request.reference, OutgoingState.COMPLETED)
    assert seen == [OutgoingState.COMPLETED]


def test_service_that_misses_a_callback_gets_no_second_one(payout_port):
    request = begin(payout_port, callback_url="http://testserver/nowhere")
    assert resolve(request.reference, OutgoingState.COMPLETED) == 404
    record = store.outgoing.by_reference(request.reference)
    assert (record.notices, record.notice_status) == (1, 404)


def test_payouts_and_charges_do_not_meet(payout_port, port):
    request = begin(payout_port)
    port.start(charge(reference=request.reference), TIMEOUT)
    assert port.query(Known(reference=request.reference)).provider_id.startswith("sim_")
    assert payout_port.query(Known(reference=request.reference)).provider_id.startswith("simpo_")


@pytest.mark.django_db
def test_only_the_configured_provider_may_be_the_simulator(settings):
    assert registry.outgoing("payout").get("simulator") is registry.outgoing("payout").configured()
    settings.PAYOUT_PROVIDER = ""
    for code in ("simulator", "a-real-one", "", "ports"):
        with pytest.raises(registry.UnknownProvider):
            registry.outgoing("payout").get(code)
    with pytest.raises(registry.UnknownProvider):
        registry.outgoing("payout").configured()
    assert registry.PAYIN.configured().code == "simulator"
