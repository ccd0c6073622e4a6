"""F25: the whole service over Wompi's fakes while Redis, the database, processes and rails fail.

SOAK_SECONDS says for how long, as in test_soak: 600 in `make faults`, and a few in `make test`.
"""

import os
import random
from collections import Counter
from functools import partial
from typing import Any

import psycopg
import pytest

from tests.faults import SCALE
from tests.faults.fault_injector import FaultInjector
from tests.faults.flaky_receiver import FlakyReceiver
from tests.faults.mixed_traffic import unexpected
from tests.faults.wompi_rails.live import NOT_TAKEN, LiveFakes, WompiTraffic
from tests.faults.wompi_rails.rail_books import Verdict
from tests.support.live_service import LiveService, wait_until, wrong_in
from tests.support.measurements import listed, record_seed
from tests.support.measurements import record as say

pytestmark = pytest.mark.faults("F25")
FULL = SCALE >= 1
SECONDS = float(os.environ.get("SOAK_SECONDS", "600" if FULL else "12"))
SEED = int(
    os.environ.get("SOAK_SEED") or (random.SystemRandom().randrange(1_000_000) if FULL else 25)
)
CLIENTS = 6 if FULL else 3
CONVERGED_SECONDS = 120
LEFT = """
SELECT (SELECT count(*) FROM webhooks_delivery WHERE status = 'PENDING') AS deliveries,
       (SELECT count(*) FROM payout_payout WHERE status IN ('PENDING', 'PROCESSING')
           AND NOT provider = ANY(%s)) AS payouts_of_the_simulator,
       (SELECT count(*) FROM webhooks_eventnumber WHERE number IS NULL) AS unnumbered
"""


def converge(tables: psycopg.Connection, fakes: LiveFakes, injector: FaultInjector) -> float:
    """Seconds until nothing is left to do, but for payouts that only an operator can end."""
    left: dict[str, Any] = {}

    def nothing_left() -> bool:
        injector.revive()
        left.clear()
        found = tables.execute(LEFT, [[*fakes.controls]])
        names = [column.name for column in found.description or ()]
        left.update(zip(names, found.fetchone() or (), strict=True))
        if not any(left.values()):
            left["over Wompi"] = fakes.left_open(tables)
        return not any(left.values())

    try:
        return wait_until(nothing_left, seconds=CONVERGED_SECONDS, what="the end of all")
    except AssertionError:
        print(f"left: {left}")
        raise


def test_everything_breaks_at_random(live_service: LiveService) -> None:
    """What Wompi has executed is what our books say, and every payment that has no money has a
    reason.
    """
    record_seed(SEED)
    say(f"SOAK_SEED={SEED} SOAK_SECONDS={SECONDS:g}")
    with FlakyReceiver() as receiver:
        merchant = live_service.create_merchant(
            "--enable=direct_api", f"--webhook-url={receiver.url}"
        )
        receiver.secret = merchant["webhookSecret"]
        traffic = WompiTraffic(live_service, merchant)
        fakes = LiveFakes(live_service, merchant, SEED)
        injector = FaultInjector(live_service, traffic, receiver, SEED)
        injector.deaths |= {
            f"{name} killed": partial(injector.kill, name) for name in fakes.controls
        }
        injector.spells |= fakes.spells
        with traffic.running(CLIENTS):
            injector.inject_for(SECONDS)
        fakes.calm_down()
        with live_service.connection() as tables:
            converged = converge(tables, fakes, injector)
            verdicts = fakes.verdicts(tables)
    log = {**traffic.log(), "heard": [*receiver.events]}
    found = live_service.compare(merchant["merchantId"], log)
    tell(traffic, injector, converged, verdicts, found)
    assert not traffic.problems
    assert not wrong_kinds(traffic)
    assert not receiver.forged
    assert fakes.complaints() == []
    for name, verdict in verdicts.items():
        assert verdict.is_clean, (name, verdict.doubled, verdict.wrong)
        assert verdict.paid, f"the rail has executed no {name}"
    assert wrong_in(found) == {}


def wrong_kinds(traffic: WompiTraffic) -> dict[str, int]:
    """Answers that no fault excuses, by kind."""
    kinds = traffic.kinds().items()
    return {kind: count for kind, count in kinds if unexpected(kind) and kind not in NOT_TAKEN}


def tell(
    traffic: WompiTraffic,
    injector: FaultInjector,
    converged: float,
    verdicts: dict[str, Verdict],
    found: dict[str, Any],
) -> None:
    """The numbers."""
    say(f"  {traffic.kinds().total():,} requests by answer: {listed(traffic.kinds())}")
    say(f"  {injector.injected.total()} faults: {listed(injector.injected)}")
    for name, verdict in verdicts.items():
        say(f"  {name}: {verdict}")
    for shelf, ends in found["counts"].items():
        say(f"  {shelf}: {ends if isinstance(ends, int) else listed(Counter(ends))}")
    say(
        f"  {traffic.writes:,} writes acknowledged, lost {len(found['lost'])}, doubled"
        f" {found['doubled']}, events unheard {len(found['eventsUnheard'])}; all over"
        f" {converged:.1f} s after the last fault",
        faults=injector.injected.total(),
        writes_acknowledged=traffic.writes,
        payments_at_the_rails=sum(verdict.paid for verdict in verdicts.values()),
        lost=len(found["lost"]),
        doubled=found["doubled"] + sum(len(verdict.doubled) for verdict in verdicts.values()),
        wrong_ends=sum(len(verdict.wrong) for verdict in verdicts.values()),
        events_not_heard=len(found["eventsUnheard"]),
    )
