"""What becomes of a payout: the rail's answers and doubts. Unknown is never failed.

What the rail says later is in test_callbacks.py, what people decide in test_by_hand.py.
"""

from datetime import timedelta
from typing import Any

import pytest

from merchants.models import Merchant
from payments.ledger import services as ledger
from payments.payout.models import PayoutSwitch
from payments.payout.services.engine import engine
from payments.providers import breaker
from payments.providers.ports import (
    Known,
    OutgoingState,
    OutgoingUpdate,
    ProviderRefused,
    ProviderTimeout,
)
from payments.simulator import store
from payments.simulator.outgoing import SimulatorPayout
from tests.support.factories import payout_body
from tests.support.fixtures import ApiClient
from tests.support.funds import balance
from tests.support.outgoing_payments import resolve
from tests.support.payouts import NOW, advance, create, say, send

pytestmark = pytest.mark.usefixtures("funds")


@pytest.mark.parametrize(
    ("document", "end", "executions"),
    [
        ("9999001001", "COMPLETED", 1),
        ("9999001002", "FAILED", 0),
        ("9999001004", "COMPLETED", 1),
        ("9999001005", "COMPLETED", 1),
        ("9999001006", "COMPLETED", 1),
        ("9999001007", "COMPLETED", 1),
        ("9999001011", "COMPLETED", 1),
    ],
)
def test_each_behaviour_of_a_rail_comes_to_one_end(
    api: ApiClient, merchant: Merchant, document: str, end: str, executions: int
) -> None:
    payout = create(api, document)
    advance(minutes=12)

    payout.refresh_from_db()
    assert payout.status == end
    assert store.executions(payout.pk) == executions
    assert balance(merchant) == ((897_500 if executions else 1_000_000), 0)
    assert not ledger.verify().problems


def test_a_doubt_holds_the_money(api: ApiClient, merchant: Merchant) -> None:
    payout = create(api, "9999001004")
    engine.process_due(now=NOW())

    payout.refresh_from_db()
    assert payout.status == "PROCESSING"
    assert balance(merchant) == (897_500, 102_500)


def test_while_payouts_are_switched_off_nothing_is_sent(api: ApiClient, merchant: Merchant) -> None:
    payout = create(api, "9999001001")
    PayoutSwitch.objects.update(is_enabled=False)
    advance(minutes=1)
    payout.refresh_from_db()
    assert (payout.status, balance(merchant)) == ("PENDING", (897_500, 102_500))

    PayoutSwitch.objects.update(is_enabled=True)
    engine.process_due(now=NOW() + timedelta(minutes=3))
    payout.refresh_from_db()
    assert payout.status == "COMPLETED"


def test_a_call_is_not_repeated_while_it_may_be_under_way(api: ApiClient) -> None:
    payout = create(api, "9999001005")
    start = NOW()
    engine.process_due(now=start)
    for seconds in (5, 10, 20):
        payout.refresh_from_db()
        engine.query(payment=payout, now=start + timedelta(seconds=seconds))
    assert store.calls(payout.provider_reference, "send") == 1

    engine.query(payment=payout, now=start + timedelta(seconds=30))
    assert store.calls(payout.provider_reference, "send") == 2


def test_the_circuit_opens_when_only_sending_is_broken(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(port: Any, request: Any, timeout: float) -> OutgoingUpdate:
        raise ProviderTimeout("gone")

    monkeypatch.setattr(SimulatorPayout, "send", away)
    for _ in range(6):
        create(api, amount=1000)
        engine.process_due(now=NOW())
        engine.process_due(now=NOW() + timedelta(minutes=1))
        if breaker.is_open("payout:simulator"):
            break
    assert send(api, payout_body(amount=1000)).status_code == 503


def test_a_refund_by_hand_that_the_rail_contradicts_waits_for_an_operator(
    api: ApiClient, merchant: Merchant
) -> None:
    payout = create(api)
    engine.process_due(now=NOW())
    later = NOW() + timedelta(minutes=1)
    resolve(engine, payout, "REFUNDED", now=later)
    say(payout, "COMPLETED")
    assert (payout.status, payout.needs_operator) == ("REFUNDED", True)


def test_after_a_day_an_operator_looks_too_and_the_rail_is_asked_on(
    api: ApiClient, merchant: Merchant
) -> None:
    payout = create(api)
    engine.process_due(now=NOW())
    for hours in range(1, 27):
        engine.process_due(now=NOW() + timedelta(hours=hours))

    payout.refresh_from_db()
    assert payout.status == "PROCESSING"
    assert payout.needs_operator
    assert payout.next_action_at > NOW() + timedelta(hours=25)
    assert balance(merchant) == (897_500, 102_500)


def test_a_second_call_that_is_refused_as_a_duplicate_releases_nothing(
    api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first call arrived late; the rail refuses its repetition instead of repeating itself."""
    payout = create(api)
    answers = iter([ProviderTimeout("slow"), ProviderRefused("INVALID_REQUEST", "duplicate")])
    states = iter([OutgoingState.UNKNOWN, OutgoingState.COMPLETED])

    def call(port: Any, request: Any, timeout: float) -> OutgoingUpdate:
        raise next(answers)

    def query(port: Any, known: Known) -> OutgoingUpdate:
        return OutgoingUpdate(
            reference=known.reference, provider_id="x", state=next(states), occurred_at=NOW()
        )

    monkeypatch.setattr(SimulatorPayout, "send", call)
    monkeypatch.setattr(SimulatorPayout, "query", query)
    advance(minutes=1)

    payout.refresh_from_db()
    assert payout.status == "COMPLETED"
    assert balance(merchant) == (897_500, 0)
