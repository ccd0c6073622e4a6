"""Each row of the table of magic values, as docs/simulator.md promises it."""

from decimal import Decimal
from pathlib import Path

import pytest
import time_machine

from payments.core import money
from payments.providers.ports import (
    ChargeStatus,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnavailable,
    Rail,
    Reason,
)
from payments.simulator import control, magic
from tests.providers.conftest import charge

DOCUMENTS = {behaviour.name: document for document, behaviour in magic.BY_DOCUMENT.items()}
MANUAL = Path(__file__).parents[2] / "docs" / "simulator.md"


def enchanted(name, rail=Rail.PSE):
    return charge(rail, document=DOCUMENTS[name])


def paid_by_button(port, name):
    request = enchanted(name)
    port.start(request)
    control.press(request.reference, ChargeStatus.SUCCEEDED)
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
def test_some_outcomes_come_by_themselves(port, hand, rail, name, status, reason):
    request = enchanted(name, rail)
    port.start(request)
    assert port.query(request.reference).status is ChargeStatus.PENDING
    hand.shift(magic.AUTOMATIC_SECONDS)
    update = port.query(request.reference)
    assert (update.status, update.reason) == (status, reason)
    assert update.received == (request.amount if status == "SUCCEEDED" else 0)


@pytest.mark.parametrize(
    ("name", "status"),
    [("refused", "FAILED"), ("abandoned", "ABANDONED"), ("approved", "SUCCEEDED")],
)
@pytest.mark.parametrize("pressed", [ChargeStatus.SUCCEEDED, ChargeStatus.FAILED])
def test_magic_outweighs_the_button(port, hand, heard, name, status, pressed):
    request = enchanted(name)
    port.start(request)
    assert control.press(request.reference, pressed) == 200
    assert [update.status for update in heard] == [status]


def test_a_visitor_finds_what_time_decided_and_we_are_told(port, hand, heard):
    request = enchanted("refused")
    started = port.start(request)
    hand.shift(magic.AUTOMATIC_SECONDS)
    assert control.visit(started.provider_id).status is ChargeStatus.FAILED
    control.visit(started.provider_id)
    assert [update.status for update in heard] == ["FAILED"]


def test_the_sandbox_outweighs_magic(port, hand, heard):
    request = enchanted("refused")
    port.start(request)
    control.resolve(request.reference, ChargeStatus.SUCCEEDED)
    assert [update.status for update in heard] == ["SUCCEEDED"]


def test_refused_at_start(port):
    request = enchanted("refused-at-start")
    for _ in range(2):
        with pytest.raises(ProviderRefused) as refusal:
            port.start(request)
    assert refusal.value.reason == Reason.REFUSED_BY_PROVIDER
    assert port.query(request.reference).status is ChargeStatus.UNKNOWN


def test_slow_is_learnt_only_by_asking_later(port, hand, heard):
    reference = paid_by_button(port, "slow")
    assert port.query(reference).status is ChargeStatus.PENDING
    hand.shift(magic.SLOW_SECONDS)
    assert port.query(reference).status is ChargeStatus.SUCCEEDED
    assert heard == []


def test_answer_lost_after_success(port):
    request = enchanted("answer-lost-after")
    with pytest.raises(ProviderTimeout):
        port.start(request)
    update = port.query(request.reference)
    assert update.status is ChargeStatus.PENDING
    assert port.start(request).provider_id == update.provider_id


def test_answer_lost_before(port):
    request = enchanted("answer-lost-before")
    with pytest.raises(ProviderTimeout):
        port.start(request)
    assert port.query(request.reference).status is ChargeStatus.UNKNOWN
    port.start(request)
    assert port.query(request.reference).status is ChargeStatus.PENDING


def test_unavailable(port):
    request = enchanted("unavailable")
    for _ in range(2):
        with pytest.raises(ProviderUnavailable):
            port.start(request)
    assert port.query(request.reference).status is ChargeStatus.UNKNOWN


def test_callback_repeated(port, heard):
    reference = paid_by_button(port, "callback-repeated")
    assert heard == [port.query(reference)] * magic.REPEATED_CALLBACKS


def test_callback_lost(port, heard):
    request = enchanted("callback-lost")
    port.start(request)
    assert control.press(request.reference, ChargeStatus.SUCCEEDED) == control.NOT_SENT
    assert heard == []
    assert port.query(request.reference).status is ChargeStatus.SUCCEEDED


def test_query_unavailable(port, heard):
    reference = paid_by_button(port, "query-unavailable")
    assert len(heard) == 1
    for _ in range(magic.UNANSWERED_QUERIES):
        with pytest.raises(ProviderUnavailable):
            port.query(reference)
    assert port.query(reference).status is ChargeStatus.SUCCEEDED


@pytest.mark.parametrize("row", range(len(magic.TABLE)))
def test_an_amount_does_what_its_document_does(settings, row):
    base = Decimal(777_000_001 + row)
    total = base + money.percentage_fee(base, settings.COLLECT_FEE_RATE, "COP")
    assert total == magic.FIRST_AMOUNT + row
    assert magic.of(charge(amount=total)) is magic.TABLE[row]
    assert magic.of(charge(document=f"9.999.000.{row + 1:03d}")) is magic.TABLE[row]


def test_the_document_outweighs_the_amount():
    request = charge(document=DOCUMENTS["slow"], amount=Decimal(magic.FIRST_AMOUNT))
    assert magic.of(request).name == "slow"


def test_ordinary_values_are_not_magic():
    assert magic.of(charge()) is magic.ORDINARY
    coin = charge(Rail.CRYPTO, amount=Decimal(magic.FIRST_AMOUNT))
    assert magic.of(coin) is magic.ORDINARY


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
        for n, m in enumerate(magic.TABLE)
    ]
    assert shown == expected
