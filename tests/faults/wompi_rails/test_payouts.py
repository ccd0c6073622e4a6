"""F25: Wompi's payouts as the rail: doubts, killed workers, a rail that dies."""

import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connections

from merchants.models import Merchant
from payments.core import clock
from payments.payout.models import Payout
from payments.payout.services.engine import engine
from payments.rails.models import KeyCheck
from tests.faults import SCALE, scaled
from tests.faults.wompi_rails import payouts, rail_books
from tests.support import outgoing_requests
from tests.support.factories import key_payout_body
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.invariants import check_invariants
from tests.support.measurements import record, seeded
from tests.support.outgoing_products import MOST, PAYOUT

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("catalogues")]
KILLS = scaled(20)
# Each costs ten requests over HTTP, most of them events: less than a tenth shows each behaviour.
PAYOUTS = 800 if SCALE >= 1 else 40
PAUSE_SECONDS = 0.2


@pytest.fixture(autouse=True)
def _quiet(settings: Any) -> None:
    outgoing_requests.quiet(settings)
    settings.PROVIDER_TIMEOUT_SECONDS = 2


def ends() -> dict[str, int]:
    return dict(Counter(Payout.objects.values_list("status", flat=True)))


@pytest.mark.faults("F25")
def test_payout_that_the_rail_neither_shows_nor_takes_again_waits_for_an_operator(
    api: ApiClient, merchant: Merchant, tmp_path: Path
) -> None:
    """Its refusal was lost and has used up the key: the money stays held, whatever the time."""
    fund(merchant, MOST)
    with payouts.fake_of_payouts(tmp_path / "rail.sqlite3") as fake:
        payouts.send_bad_keys(fake)
        fake.control.fault(payouts.SEND, "lose_answer")
        body = key_payout_body("EMAIL", "noexiste@test.com")
        outgoing_requests.ask(api, kind=PAYOUT, body=body)
        began = clock.now()
        for seconds in (0, 30, 600):
            engine.process_due(now=began + timedelta(seconds=seconds))
        engine.process_due(now=began + timedelta(hours=25))
        found = payouts.verdict(fake)
        assert found.is_clean
        assert found.explained == {rail_books.KEY_USED_UP: 1}
    payout = Payout.objects.get()
    assert (payout.status, payout.needs_operator) == ("PROCESSING", True)
    check_invariants([merchant.pk])


@pytest.mark.faults("F25")
@pytest.mark.parametrize("bad_key", ["refuse", "fail"])
def test_unknown_is_never_failed(
    api: ApiClient, merchant: Merchant, tmp_path: Path, bad_key: str
) -> None:
    """A bad key is refused at the send, or fails later.

    A refusal whose answer is lost must not have used up the idempotency key: else the rail neither
    shows the payout nor takes it again, and it waits for an operator with its money held.
    """
    count = PAYOUTS
    chance = seeded(f"wompi {bad_key}")
    fund(merchant, MOST * count)
    settings = {"bad_key_at_send": bad_key, "event_before_answer": True}
    settings["refusal_spends_key"] = False
    with payouts.fake_of_payouts(tmp_path / "rail.sqlite3", **settings) as fake:
        payouts.send_bad_keys(fake)
        answers = payouts.ask(api, count, chance)
        payouts.break_calls(fake, count, chance)
        seconds = payouts.scan_until_settled(fake, 600)
        found = payouts.verdict(fake)
    record(
        f"{count} payouts over Wompi (a bad key: {bad_key}): {found}, settled after"
        f" {seconds} s of the moved clock",
        payments=count,
        doubled=len(found.doubled),
        wrong_ends=len(found.wrong),
        settled_after_seconds=float(seconds),
    )
    assert {*ends()} == {"COMPLETED", "FAILED"}
    results = KeyCheck.objects.values_list("result", flat=True)
    assert {*results} == {KeyCheck.Result.UNRESOLVED}  # so each bad key was sent
    assert found.is_clean, (found.doubled, found.wrong)
    check_invariants([merchant.pk], answers)


@pytest.mark.faults("F25")
def test_rail_is_killed_and_started_again(
    api: ApiClient, merchant: Merchant, tmp_path: Path
) -> None:
    """Two scanners send while it dies: what it had taken stands, what it had not is sent again."""
    count = PAYOUTS
    chance = seeded("wompi dies")
    fund(merchant, MOST * count)
    with payouts.fake_of_payouts(tmp_path / "rail.sqlite3", dies=True) as fake:
        answers = payouts.ask(api, count, chance)
        with ThreadPoolExecutor(2) as scanners:
            scans = [scanners.submit(_scan) for _ in range(2)]
            kills = _kill_while(fake, scans, chance)
        for scan in scans:
            scan.result()
        seconds = payouts.scan_until_settled(fake, 900)
        found = payouts.verdict(fake)
    record(
        f"Wompi's fake killed {kills} times among {count} payouts: {found}, settled after"
        f" {seconds} s of the moved clock",
        kills=kills,
        doubled=len(found.doubled),
        wrong_ends=len(found.wrong),
    )
    assert kills
    assert found.is_clean, (found.doubled, found.wrong)
    check_invariants([merchant.pk], answers)


def _scan() -> None:
    try:
        for _ in range(3):
            outgoing_requests.scan()
    finally:
        connections.close_all()


def _kill_while(fake: Any, scans: list[Future[None]], chance: Any) -> int:
    kills = 0
    while kills < KILLS and not all(scan.done() for scan in scans):
        time.sleep(chance.uniform(0, PAUSE_SECONDS))
        fake.kill()
        kills += 1
        fake.start()
    return kills
