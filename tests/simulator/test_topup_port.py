"""The contract of TopupPort, held against the simulator."""

import re
from dataclasses import replace
from decimal import Decimal

import pytest

from payments.providers import registry
from payments.providers.ports import Known, OutgoingReason, OutgoingState, ProviderRefused
from payments.simulator import control, store
from payments.simulator.records import NotPossible
from tests.simulator.conftest import payout, topup

TIMEOUT = 5


def executions(request):
    return store.executions(request.payment_id)


def test_top_up_completes_at_once_with_an_authorization(topup_port, arrived_outgoing):
    request = topup()
    update = topup_port.send(request, TIMEOUT)
    assert (update.state, update.reference, update.amount) == (
        OutgoingState.COMPLETED,
        request.reference,
        request.amount,
    )
    assert re.fullmatch(r"[0-9]{6}", update.authorization)
    assert update.provider_id.startswith("simto_")
    assert topup_port.query(Known(reference=request.reference)) == update
    assert executions(request) == 1
    assert arrived_outgoing == []


def test_the_same_reference_is_one_topup(topup_port):
    request = topup()
    first = topup_port.send(request, TIMEOUT)
    assert topup_port.send(request, TIMEOUT) == first
    assert topup_port.send(replace(request, amount=Decimal(1)), TIMEOUT) == first
    assert topup_port.send(replace(request, phone="no phone"), TIMEOUT) == first
    assert executions(request) == 1


def test_the_same_phone_may_be_topped_up_again(topup_port):
    first, second = topup(), topup()
    for request in (first, second):
        assert topup_port.send(request, TIMEOUT).state is OutgoingState.COMPLETED
    assert [executions(request) for request in (first, second)] == [1, 1]


def test_an_unknown_reference_is_an_answer(topup_port):
    update = topup_port.query(Known(reference="tor_unknown"))
    assert (update.state, update.provider_id, update.amount) == ("UNKNOWN", "", None)
    assert update.authorization == ""


@pytest.mark.parametrize(
    "changes",
    [
        {"amount": Decimal(0)},
        {"amount": Decimal(-1)},
        {"operator_code": ""},
        {"phone": ""},
        {"phone": "300123456"},
        {"phone": "30012345678"},
        {"phone": "6012345678"},
        {"phone": "+573001234567"},
        {"phone": "٣٠٠١٢٣٤٥٦٧"},
    ],
)
def test_a_request_that_makes_no_sense_is_a_definite_no(topup_port, changes):
    request = topup(**changes)
    with pytest.raises(ProviderRefused) as refusal:
        topup_port.send(request, TIMEOUT)
    assert refusal.value.reason == OutgoingReason.INVALID_REQUEST
    assert topup_port.query(Known(reference=request.reference)).state is OutgoingState.UNKNOWN
    assert executions(request) == 0


def test_a_topup_may_come_back(topup_port, arrived_outgoing):
    request = topup()
    sent = topup_port.send(request, TIMEOUT)
    assert control.resolve(request.reference, OutgoingState.RETURNED) == 200
    (reported,) = arrived_outgoing
    assert (reported.state, reported.reason) == ("RETURNED", OutgoingReason.REFUSED_BY_PROVIDER)
    assert reported.authorization == sent.authorization
    with pytest.raises(NotPossible):
        control.resolve(request.reference, OutgoingState.COMPLETED)
    assert executions(request) == 1


def test_products_do_not_know_each_others_references(topup_port, payout_port, bill_port):
    request = topup()
    topup_port.send(request, TIMEOUT)
    for port in (payout_port, bill_port):
        assert port.query(Known(reference=request.reference)).state is OutgoingState.UNKNOWN
    with pytest.raises(ProviderRefused):
        payout_port.send(payout(reference=request.reference), TIMEOUT)
    assert topup_port.query(Known(reference=request.reference)).state is OutgoingState.COMPLETED


@pytest.mark.django_db
@pytest.mark.parametrize(
    "adapters", [registry.outgoing(name) for name in ("topup", "bill")], ids=["topup", "bill"]
)
def test_only_the_configured_provider_may_be_the_simulator(settings, adapters):
    assert adapters.get("simulator") is adapters.configured()
    setattr(settings, adapters.setting, "")
    for code in ("simulator", "a-real-one", "", "ports"):
        with pytest.raises(registry.UnknownProvider):
            adapters.get(code)
    with pytest.raises(registry.UnknownProvider):
        adapters.configured()
    assert registry.outgoing("payout").configured().code == "simulator"
