"""The contract of PayoutPort, held against the simulator."""

from dataclasses import replace
from decimal import Decimal

import pytest

from payments.providers import registry
from payments.providers.ports import PayoutNetwork, PayoutReason, PayoutState, ProviderRefused
from payments.providers.simulator import books, payout_books
from payments.providers.simulator.control import NotPossible
from payments.providers.simulator.payout_control import UnknownPayout, payout_resolve
from tests.providers.conftest import charge, payout

ENDS = [PayoutState.COMPLETED, PayoutState.FAILED, PayoutState.RETURNED]
COMES_BACK = (PayoutState.COMPLETED, PayoutState.RETURNED)
BREB = PayoutNetwork.BREB


def begin(port, **changes):
    request = payout(**changes)
    port.send(request)
    return request


def executions(request):
    return payout_books.executions(request.payout_id)


@pytest.mark.parametrize("network", PayoutNetwork)
def test_it_works(payout_port, heard_payouts, network):
    request = payout(network)
    sent = payout_port.send(request)
    assert (sent.state, sent.reference, sent.amount) == ("PENDING", request.reference, 50000)
    assert executions(request) == 0
    assert payout_resolve(request.reference, PayoutState.COMPLETED) == 200
    assert heard_payouts == [payout_port.query(request.reference)]
    assert heard_payouts[0].state is PayoutState.COMPLETED
    assert heard_payouts[0].provider_id == sent.provider_id
    assert executions(request) == 1


def test_it_carries_both_networks(payout_port):
    assert payout_port.networks() == {PayoutNetwork.BANK, PayoutNetwork.BREB}


@pytest.mark.parametrize("network", PayoutNetwork)
def test_the_same_reference_is_one_payout(payout_port, network):
    request = payout(network)
    first = payout_port.send(request)
    assert payout_port.send(request) == first
    # What was sent first stands, and its amount says so.
    assert payout_port.send(replace(request, amount=Decimal(1), description="otra cosa")) == first
    assert payout_port.send(payout(network)).provider_id != first.provider_id
    payout_resolve(request.reference, PayoutState.COMPLETED)
    assert payout_port.send(request).state is PayoutState.COMPLETED
    assert executions(request) == 1


@pytest.mark.parametrize("end", ENDS)
def test_sent_again_it_answers_how_the_first_stands(payout_port, end):
    request = begin(payout_port)
    payout_resolve(request.reference, end)
    assert payout_port.send(request) == payout_port.query(request.reference)
    assert payout_port.send(request).state is end


def test_a_new_reference_for_the_same_payout_is_seen_as_a_second_execution(payout_port):
    request = begin(payout_port)
    second = replace(request, reference="another")
    payout_port.send(second)
    for reference in (request.reference, second.reference):
        payout_resolve(reference, PayoutState.COMPLETED)
    assert executions(request) == 2
    records = payout_books.by_payout_id(request.payout_id)
    assert [record.reference for record in records] == [request.reference, "another"]
    assert payout_books.executions_by_payout() == {request.payout_id: 2}


def test_an_unknown_reference_is_an_answer(payout_port):
    update = payout_port.query("po_nobody")
    assert (update.state, update.provider_id, update.amount) == ("UNKNOWN", "", None)


@pytest.mark.parametrize(
    ("end", "reason", "left"),
    [
        ("COMPLETED", "", 1),
        ("FAILED", PayoutReason.REFUSED_BY_BANK, 0),
        ("RETURNED", PayoutReason.ACCOUNT_CLOSED, 1),
    ],
)
def test_a_payout_ends_as_told(payout_port, heard_payouts, end, reason, left):
    request = begin(payout_port)
    payout_resolve(request.reference, PayoutState(end))
    assert [(update.state, update.reason) for update in heard_payouts] == [(end, reason)]
    assert executions(request) == left


def test_a_completed_payout_may_come_back(payout_port, heard_payouts):
    request = begin(payout_port)
    payout_resolve(request.reference, PayoutState.COMPLETED)
    payout_resolve(request.reference, PayoutState.RETURNED, PayoutReason.RECIPIENT_MISMATCH)
    states = [(update.state, update.reason) for update in heard_payouts]
    assert states == [("COMPLETED", ""), ("RETURNED", "RECIPIENT_MISMATCH")]
    assert executions(request) == 1


@pytest.mark.parametrize(
    ("end", "other"),
    [(end, other) for end in ENDS for other in PayoutState if (end, other) != COMES_BACK],
)
def test_an_end_is_final(payout_port, heard_payouts, end, other):
    request = begin(payout_port)
    payout_resolve(request.reference, end)
    with pytest.raises(NotPossible):
        payout_resolve(request.reference, other)
    assert [update.state for update in heard_payouts] == [end]


@pytest.mark.parametrize("state", [PayoutState.PENDING, PayoutState.UNKNOWN])
def test_some_states_cannot_be_brought_about(payout_port, state):
    request = begin(payout_port)
    with pytest.raises(NotPossible):
        payout_resolve(request.reference, state)


def test_an_unknown_payout_cannot_end(heard_payouts):
    with pytest.raises(UnknownPayout):
        payout_resolve("po_nobody", PayoutState.COMPLETED)
    assert heard_payouts == []


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
        payout_port.send(request)
    assert refusal.value.reason == PayoutReason.INVALID_REQUEST
    assert payout_port.query(request.reference).state is PayoutState.UNKNOWN
    assert executions(request) == 0


def test_sends_are_counted(payout_port):
    request = begin(payout_port)
    payout_port.send(request)
    assert books.calls(request.reference, "send") == 2
    assert books.calls(request.reference, "query") == 0


def test_the_books_are_written_before_we_are_told(payout_port, monkeypatch):
    request = begin(payout_port)
    seen = []
    monkeypatch.setattr(
        "payments.providers.simulator.payout_callbacks.send",
        lambda update, url: seen.append(payout_port.query(request.reference).state) or 200,
    )
    payout_resolve(request.reference, PayoutState.COMPLETED)
    assert seen == [PayoutState.COMPLETED]


def test_a_deaf_service_is_told_nothing_twice(payout_port):
    request = begin(payout_port, callback_url="http://testserver/nowhere")
    assert payout_resolve(request.reference, PayoutState.COMPLETED) == 404
    record = payout_books.by_reference(request.reference)
    assert (record.notices, record.notice_status) == (1, 404)


def test_payouts_and_charges_do_not_meet(payout_port, port):
    request = begin(payout_port)
    port.start(charge(reference=request.reference))
    assert port.query(request.reference).provider_id.startswith("sim_")
    assert payout_port.query(request.reference).provider_id.startswith("simpo_")


def test_only_the_configured_provider_may_be_the_simulator(settings):
    assert registry.payout_by_code("simulator") is registry.payout()
    settings.PAYOUT_PROVIDER = ""
    for code in ("simulator", "a-real-one", "", "ports"):
        with pytest.raises(registry.UnknownProvider):
            registry.payout_by_code(code)
    with pytest.raises(registry.UnknownProvider):
        registry.payout()
    assert registry.payin().code == "simulator"
