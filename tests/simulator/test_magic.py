"""Each row of the table of magic values, as docs/simulator.md promises it."""

from decimal import Decimal
from pathlib import Path

import pytest
import time_machine

from payments.core import money
from payments.providers.ports import (
    ChargeStatus,
    Known,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnreachable,
    Rail,
    Reason,
)
from payments.simulator import control, magic
from tests.simulator.conftest import TIMEOUT, charge

DOCUMENTS = {behaviour.name: document for document, behaviour in magic.CHARGES_BY_DOCUMENT.items()}
MANUAL = Path(__file__).parents[2] / "docs" / "simulator.md"


def magic_request(name, rail=Rail.PSE):
    return charge(rail, document=DOCUMENTS[name])


def paid_by_button(port, name):
    request = magic_request(name)
    port.start(request, TIMEOUT)
    control.decide(request.reference, ChargeStatus.SUCCEEDED)
    return request.reference


@pytest.fixture
def hand():
    with time_machine.travel("2026-03-02T15:00:00Z", tick=False) as clock_hand:
        yield clock_hand


@pytest.mark.parametrize("rail", Rail)
@pytest.mark.parametrize(
    ("name", "status", "reason"),
    [
        ("approved", "SUCCEEDED", ""),
        ("refused", "FAILED", Reason.INSUFFICIENT_FUNDS),
        ("abandoned", "ABANDONED", Reason.CANCELLED_BY_PAYER),
    ],
)
def test_outcome_comes_with_time_alone(port, hand, rail, name, status, reason):
    request = magic_request(name, rail)
    port.start(request, TIMEOUT)
    assert port.query(Known(reference=request.reference)).status is ChargeStatus.PENDING
    hand.shift(magic.AUTOMATIC_SECONDS)
    update = port.query(Known(reference=request.reference))
    assert (update.status, update.reason) == (status, reason)
    assert update.received == (request.amount if status == "SUCCEEDED" else 0)


@pytest.mark.parametrize(
    ("name", "status"),
    [("refused", "FAILED"), ("abandoned", "ABANDONED"), ("approved", "SUCCEEDED")],
)
@pytest.mark.parametrize("pressed", [ChargeStatus.SUCCEEDED, ChargeStatus.FAILED])
def test_magic_outweighs_the_button(port, hand, arrived, name, status, pressed):
    request = magic_request(name)
    port.start(request, TIMEOUT)
    assert control.decide(request.reference, pressed) == 200
    assert [update.status for update in arrived] == [status]


def test_visitor_sees_what_time_decided_and_the_service_gets_a_callback(port, hand, arrived):
    request = magic_request("refused")
    started = port.start(request, TIMEOUT)
    hand.shift(magic.AUTOMATIC_SECONDS)
    assert control.visit(started.provider_id).status is ChargeStatus.FAILED
    control.visit(started.provider_id)
    assert [update.status for update in arrived] == ["FAILED"]


def test_the_sandbox_outweighs_magic(port, hand, arrived):
    request = magic_request("refused")
    port.start(request, TIMEOUT)
    control.resolve(request.reference, ChargeStatus.SUCCEEDED)
    assert [update.status for update in arrived] == ["SUCCEEDED"]


def test_charge_refused_at_start_is_refused_every_time(port):
    request = magic_request("refused-at-start")
    for _ in range(2):
        with pytest.raises(ProviderRefused) as refusal:
            port.start(request, TIMEOUT)
    assert refusal.value.reason == Reason.REFUSED_BY_PROVIDER
    assert port.query(Known(reference=request.reference)).status is ChargeStatus.UNKNOWN


def test_slow_is_learnt_only_by_asking_later(port, hand, arrived):
    reference = paid_by_button(port, "slow")
    assert port.query(Known(reference=reference)).status is ChargeStatus.PENDING
    hand.shift(magic.SLOW_SECONDS)
    assert port.query(Known(reference=reference)).status is ChargeStatus.SUCCEEDED
    assert arrived == []


def test_answer_lost_after_success(port):
    request = magic_request("answer-lost-after")
    with pytest.raises(ProviderTimeout):
        port.start(request, TIMEOUT)
    update = port.query(Known(reference=request.reference))
    assert update.status is ChargeStatus.PENDING
    assert port.start(request, TIMEOUT).provider_id == update.provider_id


def test_charge_whose_request_was_lost_may_be_started_again(port):
    request = magic_request("answer-lost-before")
    with pytest.raises(ProviderTimeout):
        port.start(request, TIMEOUT)
    assert port.query(Known(reference=request.reference)).status is ChargeStatus.UNKNOWN
    port.start(request, TIMEOUT)
    assert port.query(Known(reference=request.reference)).status is ChargeStatus.PENDING


def test_unavailable_simulator_starts_no_charge(port):
    request = magic_request("unavailable")
    for _ in range(2):
        with pytest.raises(ProviderUnreachable):
            port.start(request, TIMEOUT)
    assert port.query(Known(reference=request.reference)).status is ChargeStatus.UNKNOWN


def test_service_gets_the_same_callback_three_times(port, arrived):
    reference = paid_by_button(port, "callback-repeated")
    assert arrived == [port.query(Known(reference=reference))] * magic.REPEATED_CALLBACKS


def test_service_learns_of_a_lost_callback_by_a_query(port, arrived):
    request = magic_request("callback-lost")
    port.start(request, TIMEOUT)
    assert control.decide(request.reference, ChargeStatus.SUCCEEDED) == control.NOT_SENT
    assert arrived == []
    assert port.query(Known(reference=request.reference)).status is ChargeStatus.SUCCEEDED


def test_first_queries_of_a_charge_get_no_answer(port, arrived):
    reference = paid_by_button(port, "query-unavailable")
    assert len(arrived) == 1
    for _ in range(magic.UNANSWERED_CHARGE_QUERIES):
        with pytest.raises(ProviderUnreachable):
            port.query(Known(reference=reference))
    assert port.query(Known(reference=reference)).status is ChargeStatus.SUCCEEDED


@pytest.mark.parametrize("row", range(len(magic.CHARGES)))
def test_an_amount_does_what_its_document_does(settings, row):
    base = Decimal(777_000_001 + row)
    total = base + money.percentage_fee(base, settings.COLLECT_FEE_RATE, "COP")
    assert total == magic.FIRST_AMOUNT + row
    assert magic.for_charge(charge(amount=total)) is magic.CHARGES[row]
    assert magic.for_charge(charge(document=f"9.999.000.{row + 1:03d}")) is magic.CHARGES[row]


def test_the_document_outweighs_the_amount():
    request = charge(document=DOCUMENTS["slow"], amount=Decimal(magic.FIRST_AMOUNT))
    assert magic.for_charge(request).name == "slow"


def test_ordinary_values_are_not_magic():
    assert magic.for_charge(charge()) is magic.ORDINARY_CHARGE
    coin = charge(Rail.CRYPTO, amount=Decimal(magic.FIRST_AMOUNT))
    assert magic.for_charge(coin) is magic.ORDINARY_CHARGE


def test_the_manual_shows_the_table():
    rows = [line for line in MANUAL.read_text().splitlines() if line.startswith("| `9999000")]
    shown = [tuple(cell.strip(" `") for cell in row.split("|")[1:5]) for row in rows]
    expected = [
        (
            str(magic.FIRST_DOCUMENT + n),
            f"{777_000_001 + n:,}",
            f"{magic.FIRST_AMOUNT + n:,}",
            m.name,
        )
        for n, m in enumerate(magic.CHARGES)
    ]
    assert shown == expected
