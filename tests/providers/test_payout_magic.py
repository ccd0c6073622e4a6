"""Each row of the table of payouts' magic values, as docs/simulator.md promises it."""

from pathlib import Path

import pytest
import time_machine

from payments.providers.ports import (
    PayoutNetwork,
    PayoutReason,
    PayoutState,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnavailable,
)
from payments.providers.simulator import books, magic, payout_books, payout_control, payout_magic
from payments.providers.simulator.payout_control import payout_resolve
from tests.providers.conftest import charge, payout

DOCUMENTS = {behaviour.name: document for document, behaviour in payout_magic.BY_DOCUMENT.items()}
MANUAL = Path(__file__).parents[2] / "docs" / "simulator.md"


def enchanted(name, network=PayoutNetwork.BANK):
    return payout(network, document_number=DOCUMENTS[name])


def executions(request):
    return payout_books.executions(request.payout_id)


@pytest.fixture
def hand():
    with time_machine.travel("2026-03-02T15:00:00Z", tick=False) as clock_hand:
        yield clock_hand


@pytest.mark.parametrize("network", PayoutNetwork)
def test_clean(payout_port, heard_payouts, network):
    request = enchanted("clean", network)
    update = payout_port.send(request)
    assert update.state is PayoutState.COMPLETED
    assert payout_port.query(request.reference) == update
    assert executions(request) == 1
    assert heard_payouts == []


def test_refused(payout_port):
    request = enchanted("refused")
    for _ in range(2):
        with pytest.raises(ProviderRefused) as refusal:
            payout_port.send(request)
    assert refusal.value.reason == PayoutReason.REFUSED_BY_PROVIDER
    assert payout_port.query(request.reference).state is PayoutState.UNKNOWN
    assert executions(request) == 0


def test_slow(payout_port, heard_payouts, hand):
    request = enchanted("slow")
    assert payout_port.send(request).state is PayoutState.PENDING
    hand.shift(payout_magic.SLOW_SECONDS - 1)
    assert payout_port.query(request.reference).state is PayoutState.PENDING
    assert executions(request) == 0
    hand.shift(1)
    assert payout_port.query(request.reference).state is PayoutState.COMPLETED
    assert executions(request) == 1
    assert heard_payouts == []


@pytest.mark.parametrize("name", ["answer-lost-after", "error-after"])
def test_the_answer_is_lost_after_the_money_left(payout_port, heard_payouts, name):
    request = enchanted(name)
    with pytest.raises(ProviderTimeout):
        payout_port.send(request)
    assert executions(request) == 1
    assert payout_port.query(request.reference).state is PayoutState.COMPLETED
    assert payout_port.send(request).state is PayoutState.COMPLETED
    assert executions(request) == 1
    assert heard_payouts == []


def test_answer_lost_before(payout_port):
    request = enchanted("answer-lost-before")
    with pytest.raises(ProviderTimeout):
        payout_port.send(request)
    assert payout_port.query(request.reference).state is PayoutState.UNKNOWN
    assert executions(request) == 0
    assert payout_port.send(request).state is PayoutState.COMPLETED
    assert executions(request) == 1


def test_query_unavailable(payout_port, heard_payouts):
    request = enchanted("query-unavailable")
    with pytest.raises(ProviderTimeout):
        payout_port.send(request)
    for _ in range(payout_magic.UNANSWERED_QUERIES):
        with pytest.raises(ProviderUnavailable):
            payout_port.query(request.reference)
    assert payout_port.query(request.reference).state is PayoutState.COMPLETED
    assert executions(request) == 1
    assert heard_payouts == []


def test_returned_later(payout_port, heard_payouts, hand):
    request = enchanted("returned-later")
    assert payout_port.send(request).state is PayoutState.COMPLETED
    hand.shift(payout_magic.AUTOMATIC_SECONDS)
    payout_port.send(payout())  # any call wakes the simulator
    payout_port.send(payout())
    states = [(update.reference, update.state, update.reason) for update in heard_payouts]
    assert states == [(request.reference, "RETURNED", PayoutReason.ACCOUNT_CLOSED)]
    assert payout_port.query(request.reference) == heard_payouts[0]
    assert executions(request) == 1


@pytest.mark.parametrize(
    ("name", "state", "reason", "left"),
    [
        ("completed-later", "COMPLETED", "", 1),
        ("failed-later", "FAILED", PayoutReason.ACCOUNT_NOT_FOUND, 0),
    ],
)
def test_some_outcomes_come_by_themselves(
    payout_port, heard_payouts, hand, name, state, reason, left
):
    asked, told = enchanted(name), enchanted(name)
    for request in (asked, told):
        assert payout_port.send(request).state is PayoutState.PENDING
    assert payout_control.wake() == 0
    hand.shift(payout_magic.AUTOMATIC_SECONDS)
    update = payout_port.query(asked.reference)
    assert (update.state, update.reason) == (state, reason)
    assert [(update.reference, update.state) for update in heard_payouts] == [
        (told.reference, state)
    ]
    assert payout_control.wake() == 0
    assert [executions(request) for request in (asked, told)] == [left, left]


def test_unavailable(payout_port):
    request = enchanted("unavailable")
    for _ in range(payout_magic.UNREACHABLE_SENDS):
        with pytest.raises(ProviderUnavailable):
            payout_port.send(request)
    assert payout_port.query(request.reference).state is PayoutState.UNKNOWN
    assert payout_port.send(request).state is PayoutState.COMPLETED


def test_callback_repeated(payout_port, heard_payouts):
    request = enchanted("callback-repeated")
    payout_port.send(request)
    assert payout_resolve(request.reference, PayoutState.COMPLETED) == 200
    assert heard_payouts == [payout_port.query(request.reference)] * payout_magic.REPEATED_CALLBACKS
    assert executions(request) == 1


def test_callback_lost(payout_port, heard_payouts):
    request = enchanted("callback-lost")
    payout_port.send(request)
    assert payout_resolve(request.reference, PayoutState.COMPLETED) == 0
    assert heard_payouts == []
    assert payout_port.query(request.reference).state is PayoutState.COMPLETED


def test_the_sandbox_outweighs_magic(payout_port, heard_payouts, hand):
    request = enchanted("failed-later")
    payout_port.send(request)
    payout_resolve(request.reference, PayoutState.COMPLETED)
    hand.shift(payout_magic.SLOW_SECONDS)
    assert payout_control.wake() == 0
    assert [update.state for update in heard_payouts] == ["COMPLETED"]


@pytest.mark.parametrize("row", range(len(payout_magic.TABLE)))
@pytest.mark.parametrize("network", PayoutNetwork)
def test_the_document_decides_in_any_spelling(row, network):
    request = payout(network, document_type="NIT", document_number=f"9.999.001.{row + 1:03d}")
    assert payout_magic.of(request) is payout_magic.TABLE[row]


def test_ordinary_payouts_are_not_disturbed(payout_port, hand, heard_payouts):
    request = payout(amount=magic.FIRST_AMOUNT)
    assert payout_magic.of(request) is payout_magic.ORDINARY
    payout_port.send(request)
    hand.shift(24 * 3600)
    assert payout_port.query(request.reference).state is PayoutState.PENDING
    assert heard_payouts == []


def test_payers_and_beneficiaries_have_documents_of_their_own():
    assert not {*magic.BY_DOCUMENT} & {*payout_magic.BY_DOCUMENT}
    for document in payout_magic.BY_DOCUMENT:
        assert magic.of(charge(document=document)) is magic.ORDINARY
    for document in magic.BY_DOCUMENT:
        assert payout_magic.of(payout(document_number=document)) is payout_magic.ORDINARY


def test_each_send_counts_towards_the_table(payout_port):
    request = enchanted("refused")
    with pytest.raises(ProviderRefused):
        payout_port.send(request)
    assert books.calls(request.reference, "send") == 1


def test_the_manual_shows_the_table():
    rows = [line for line in MANUAL.read_text().splitlines() if line.startswith("| `9999001")]
    shown = [tuple(cell.strip(" `") for cell in row.split("|")[1:3]) for row in rows]
    assert shown == [
        (str(payout_magic.FIRST_DOCUMENT + n), m.name) for n, m in enumerate(payout_magic.TABLE)
    ]
