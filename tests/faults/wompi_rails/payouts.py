"""Payouts over a fake of Wompi's: ask for them, send them, hold the books against the rail's."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.db import connection

from payments.core import clock
from payments.payout.models import Payout
from payments.payout.services.bank_codes import load_codes
from payments.payout.services.engine import engine
from tests.faults.wompi_rails import rail_books
from tests.faults.wompi_rails.fake_process import FakeProcess
from tests.rails.accounts import enter, payouts_credentials, route
from tests.rails.callback_bridge import CallbackBridge
from tests.rails.wompi_payouts.rail import WompiPayoutsRail
from tests.support import outgoing_requests
from tests.support.factories import key_payout_body, payout_body
from tests.support.fixtures import ApiClient
from tests.support.outgoing_products import PAYOUT

ACCOUNT = "wompi-payouts-main"
SEND, QUERY = "POST /v?/payouts", "GET /v1/transactions/*"
RESOLVE = "GET /v2/breb/keys/resolve/*"
OPEN = ("PENDING", "PROCESSING")
# What one POST meets. The fake counts by requests, so a payout may meet several.
BEHAVIOURS: tuple[dict[str, Any], ...] = (
    {"fault": "delay", "seconds": 0},
    {"fault": "lose_answer"},
    {"fault": "lose_request"},
    {"fault": "error_500", "executes": True},
    {"fault": "bad_gateway"},
    {"fault": "conflict", "executes": True},
    {"fault": "invalid_json"},
    {"fault": "too_many"},
)
QUERY_FAULTS = ("error_500", "lose_answer", "invalid_json", "bad_gateway")


@contextmanager
def fake_of_payouts(
    state_file: Path, *, dies: bool = False, **settings: Any
) -> Iterator[FakeProcess]:
    """With an account and a route. Events come twice, in changed order, some before the answer.

    While it is dead, we cannot ask it what an event is about. So that event is to come again.
    """
    with (
        CallbackBridge() as bridge,
        FakeProcess("wompi_payouts", state_file, settle_seconds=0, **settings) as fake,
    ):
        enter(ACCOUNT, "wompi-payouts", fake.url, payouts_credentials(WompiPayoutsRail()))
        route("payout", ACCOUNT)
        load_codes(account=ACCOUNT, actor="olga")
        fake.control.set(
            events_url=bridge.url("payout", ACCOUNT),
            event_copies=2,
            event_reorder=3,
            event_retry_seconds=[1, 1, 1],
        )
        yield fake
        assert {*bridge.statuses} <= ({200, 503} if dies else {200})
        assert fake.control.complaints() == []


def ask(api: ApiClient, count: int, chance: random.Random) -> list[dict[str, Any]]:
    """To accounts, to keys, and to a key that does not exist; the answers' data."""
    bodies = (
        payout_body(),
        payout_body(accountNumber="98765432101"),
        key_payout_body("ALPHANUMERIC", "@elias123"),
        key_payout_body("EMAIL", "noexiste@test.com"),
    )
    return [
        outgoing_requests.ask(api, kind=PAYOUT, body=chance.choice(bodies)) for _ in range(count)
    ]


def send_bad_keys(fake: FakeProcess) -> None:
    """The rail resolves no key, which stops no payout: it refuses a bad one only at the send."""
    fake.control.fault(RESOLVE, "error_500", times=None)


def break_calls(fake: FakeProcess, count: int, chance: random.Random) -> None:
    """Faults of the next `count` sends and as many queries."""
    for _ in range(count):
        fake.control.fault(SEND, **chance.choice(BEHAVIOURS))
        if chance.random() < 0.3:
            after = chance.randint(0, 2)
            fake.control.fault(QUERY, chance.choice(QUERY_FAULTS), after=after)


def scan_until_settled(fake: FakeProcess, limit: int) -> int:
    """The scanner with a moved clock; after how many seconds nothing was left that could settle."""
    began = clock.now()
    for seconds in range(0, limit, outgoing_requests.SCAN_SECONDS):
        engine.process_due(now=began + timedelta(seconds=seconds))
        if not left_open(fake):
            return seconds
    raise AssertionError(f"Not settled in {limit} s: {left_open(fake)}")


def left_open(fake: FakeProcess) -> list[str]:
    """The references of payouts that have not ended and that the rail has, or would still take."""
    rows = Payout.objects.filter(status__in=OPEN).values_list("provider_reference", flat=True)
    if not rows:
        return []
    state = fake.control.state()
    return [reference for reference in rows if not rail_books.is_unpayable(state, reference)]


def verdict(fake: FakeProcess) -> rail_books.Verdict:
    with connection.cursor() as cursor:
        cursor.execute(rail_books.PAYOUTS, [[ACCOUNT]])
        return rail_books.compare_payouts(fake.control.state(), cursor.fetchall())
