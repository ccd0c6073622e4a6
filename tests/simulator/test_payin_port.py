"""The contract of PayinPort, held against the simulator."""

import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
import time_machine

from payments.core import clock
from payments.providers import registry
from payments.providers.ports import ChargeStatus, Flow, Known, ProviderRefused, Rail, Reason
from payments.simulator import control
from payments.simulator.instructions import COINS
from tests.simulator.conftest import TIMEOUT, charge

ROOT = Path(__file__).parents[2]


def test_payer_who_pays_by_pse_is_reported_with_a_trace_code(port, arrived):
    request = charge()
    started = port.start(request, TIMEOUT)
    assert started.flow is Flow.REDIRECT
    assert started.redirect_url.endswith(f"/simulator/bank/{started.provider_id}")
    assert control.resolve(request.reference, ChargeStatus.SUCCEEDED) == 200
    assert arrived == [port.query(Known(reference=request.reference))]
    update = arrived[0]
    assert (update.status, update.received, update.currency) == ("SUCCEEDED", 50025, "COP")
    assert (update.reference, update.provider_id) == (request.reference, started.provider_id)
    assert update.trace_code.isdigit()


@pytest.mark.parametrize("rail", Rail)
def test_the_same_reference_gets_the_same_answer(port, rail):
    request = charge(rail)
    first = port.start(request, TIMEOUT)
    assert port.start(request, TIMEOUT) == first
    assert (
        port.start(replace(request, amount=Decimal(1), description="otra cosa"), TIMEOUT) == first
    )
    assert port.start(charge(rail), TIMEOUT).provider_id != first.provider_id


@pytest.mark.parametrize("rail", Rail)
def test_nothing_is_paid_at_the_start(port, arrived, rail):
    request = charge(rail)
    port.start(request, TIMEOUT)
    update = port.query(Known(reference=request.reference))
    assert (update.status, update.received, update.reason) == ("PENDING", 0, "")
    assert arrived == []


def test_an_unknown_reference_is_an_answer(port):
    update = port.query(Known(reference="chg_unknown"))
    assert (update.status, update.received, update.provider_id) == ("UNKNOWN", 0, "")


def test_a_bank_gives_ten_minutes_to_open_and_25_to_pay(port):
    with time_machine.travel("2026-03-02T15:00:00Z", tick=False) as clock_hand:
        request = charge()
        started = port.start(request, TIMEOUT)
        assert started.expires_at == clock.now() + timedelta(minutes=35)
        clock_hand.shift(timedelta(minutes=10))
        assert port.query(Known(reference=request.reference)).status is ChargeStatus.PENDING
        clock_hand.shift(1)
        update = port.query(Known(reference=request.reference))
    assert (update.status, update.reason) == (ChargeStatus.ABANDONED, Reason.TIME_LIMIT)


def test_an_opened_page_has_25_minutes_more(port):
    with time_machine.travel("2026-03-02T15:00:00Z", tick=False) as clock_hand:
        request = charge()
        provider_id = port.start(request, TIMEOUT).provider_id
        clock_hand.shift(timedelta(minutes=9))
        control.visit(provider_id)
        clock_hand.shift(timedelta(minutes=20))
        control.visit(provider_id)  # looking again buys no time
        clock_hand.shift(timedelta(minutes=5))
        assert port.query(Known(reference=request.reference)).status is ChargeStatus.PENDING
        clock_hand.shift(1)
        assert port.query(Known(reference=request.reference)).status is ChargeStatus.ABANDONED
        with pytest.raises(control.NotPossible):
            control.resolve(request.reference, ChargeStatus.SUCCEEDED)


@pytest.mark.parametrize("rail", [Rail.BANK_TRANSFER, Rail.CRYPTO])
def test_instructions_live_as_long_as_the_request_wishes(port, rail):
    request = charge(rail)
    started = port.start(request, TIMEOUT)
    assert started.flow is Flow.INSTRUCTIONS
    assert started.redirect_url is None
    assert started.expires_at == request.expires_at


def test_a_transfer_says_where_to_pay(port):
    instructions = port.start(charge(Rail.BANK_TRANSFER), TIMEOUT).instructions
    shown = {"bank", "accountType", "accountNumber", "holder", "document", "reference"}
    assert {*instructions} == {*shown, "simulatorUrl"}
    assert instructions["accountType"] == "SAVINGS"
    assert instructions["accountNumber"].isdigit()


@pytest.mark.parametrize(
    ("coin", "network", "standard", "uri"),
    [
        ("BTC", "Bitcoin", "", "bitcoin:{address}?amount=0.00012646"),
        ("ETH", "Ethereum", "", "ethereum:{address}@1?value=126460000000000"),
        ("USDT", "Tron", "TRC-20", ""),
        (
            "USDC",
            "Polygon",
            "PoS",
            f"ethereum:0xSIM{'0' * 37}@137/transfer?address={{address}}&uint256=126",
        ),
    ],
)
def test_a_coin_names_its_network_and_what_a_wallet_opens(port, coin, network, standard, uri):
    request = charge(
        Rail.CRYPTO, currency=coin, amount=Decimal("0.00012646"), fields={"coin": coin}
    )
    instructions = port.start(request, TIMEOUT).instructions
    assert (instructions["network"], instructions["standard"]) == (network, standard)
    assert instructions["uri"] == uri.format(address=instructions["address"])


@pytest.mark.parametrize("coin", COINS)
def test_no_address_can_receive_real_coins(coin):
    network = COINS[coin]
    for seed in range(50):
        address = network.address(str(seed))
        assert len(address) == network.length
        assert "sim" in address.lower()
        # No alphabet of these networks has this letter, so that no wallet takes the address.
        assert not set("sim" if coin == "BTC" else "SIM") <= set(network.alphabet)


def test_addresses_are_not_shared(port):
    addresses = {
        port.start(charge(Rail.CRYPTO), TIMEOUT).instructions["address"] for _ in range(20)
    }
    assert len(addresses) == 20


@pytest.mark.parametrize(
    "changes",
    [
        {"fields": {"bankCode": "9999"}},
        {"fields": {}},
        {"amount": Decimal(0)},
        {"currency": "BTC"},
        {"method": Rail.CRYPTO},
    ],
)
def test_a_request_that_makes_no_sense_is_a_definite_no(port, changes):
    request = replace(charge(), **changes)
    with pytest.raises(ProviderRefused) as refusal:
        port.start(request, TIMEOUT)
    assert refusal.value.reason == Reason.INVALID_REQUEST
    assert port.query(Known(reference=request.reference)).status is ChargeStatus.UNKNOWN


def test_banks_are_listed_by_name(port):
    banks = port.banks()
    assert len(banks) == len({bank.code for bank in banks}) == 47
    assert [bank.name for bank in banks][:3] == ["AV Villas", "Ban100", "Bancamía"]


@pytest.mark.django_db
def test_only_the_configured_provider_may_be_the_simulator(settings):
    assert registry.PAYIN.get("simulator") is registry.PAYIN.configured()
    settings.PAYIN_PROVIDER = "a-real-one"
    for code in ("simulator", "a-real-one", "", "ports"):
        with pytest.raises(registry.UnknownProvider):
            registry.PAYIN.get(code)


@pytest.mark.slow
def test_the_ports_know_no_django():
    code = "import sys, payments.providers.ports; assert 'django' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
