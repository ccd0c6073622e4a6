"""A soak: all kinds of traffic while everything breaks at random; then the invariants are checked.

SOAK_SECONDS says for how long (600 in `make faults`, 0 leaves it out), SOAK_SEED what is drawn: the
same seed draws the same faults and the same traffic again, though not the same interleaving.
"""

import os
import random
from collections import Counter
from typing import Any

import pytest

from tests.faults import SCALE
from tests.faults.fault_injector import FaultInjector
from tests.faults.flaky_receiver import FlakyReceiver
from tests.faults.mixed_traffic import MixedTraffic, receipts, unexpected
from tests.support.live_service import LiveService, running, wait_until, wrong_in
from tests.support.measurements import listed, record_seed
from tests.support.measurements import record as say

SECONDS = float(os.environ.get("SOAK_SECONDS", "600" if SCALE >= 1 else "0"))
SEED = int(os.environ.get("SOAK_SEED") or random.SystemRandom().randrange(1_000_000))
CLIENTS = 6
# What was begun must have come to its end so long after the last fault.
CONVERGED_SECONDS = 120
EVENTS = (
    "payment.expired",
    "payment.partially_refunded",
    "refund.requested",
    "refund.approved",
    "refund.completed",
)
SETTINGS = {
    # The receiver is away for seconds, often; no delivery may be given up before it is back.
    "WEBHOOK_RETRY_DELAYS": "0,1,2,5,10,20,20,20,20,20",
    "WEBHOOK_TIMEOUT_SECONDS": "5",
    "WEBHOOK_LEASE_SECONDS": "10",
    "CHARGE_RECONCILE_DELAYS": "1,2,5,10",
    "PROVIDER_BREAKER_SECONDS": "2",
}
LEFT = """
SELECT (SELECT count(*) FROM webhooks_delivery WHERE status = 'PENDING') AS deliveries,
       (SELECT count(*) FROM payout_payout WHERE status IN ('PENDING', 'PROCESSING')) AS payouts,
       (SELECT count(*) FROM topup_topup WHERE status IN ('PENDING', 'PROCESSING')) AS topups,
       (SELECT count(*) FROM bills_billpayment WHERE status IN ('PENDING', 'PROCESSING')) AS bills,
       (SELECT count(*) FROM collect_refund WHERE status IN ('PENDING', 'PROCESSING')
           AND approved_at IS NOT NULL) AS refunds,
       (SELECT count(*) FROM collect_order WHERE status = 'PENDING' AND expires_at <= now())
           AS expiries,
       (SELECT count(*) FROM collect_order WHERE id = ANY(%s) AND status <> 'COMPLETED') AS paid,
       (SELECT count(*) FROM collect_charge WHERE id = ANY(%s) AND received = 0) AS money,
       (SELECT count(*) FROM webhooks_eventnumber WHERE number IS NULL) AS unnumbered
"""
# What a failure shows of the orders that should have been completed.
UNPAID = """
SELECT o.id, o.status, c.id, c.status, c.received, c.reconcile_at, c.reconcile_attempts
FROM collect_order o LEFT JOIN collect_charge c ON c.order_id = o.id
WHERE o.id = ANY(%s) AND o.status <> 'COMPLETED'
"""

pytestmark = [
    pytest.mark.faults("soak"),
    pytest.mark.slow,
    pytest.mark.skipif(not SECONDS, reason="SOAK_SECONDS is 0: `make faults` soaks"),
]


def converge(live_service: LiveService, injector: FaultInjector, paid: list[str]) -> float:
    """Seconds until nothing is left to do."""
    left: dict[str, int] = {}

    def nothing_left() -> bool:
        injector.revive()
        found = tables.execute(LEFT, [paid, live_service.charges_with_money()])
        names = [column.name for column in found.description or ()]
        left.update(zip(names, found.fetchone() or (), strict=True))
        return not any(left.values())

    with live_service.connection() as tables:
        try:
            return wait_until(nothing_left, seconds=CONVERGED_SECONDS, what="the end of all")
        except AssertionError:
            print(f"left: {left}")
            for row in tables.execute(UNPAID, [paid]):
                print(row)
            raise


def soak(
    live_service: LiveService, receiver: FlakyReceiver
) -> tuple[MixedTraffic, FaultInjector, float, dict[str, Any]]:
    """The whole experiment on a running service."""
    products = ["--enable=topup", "--enable=bills", "--enable=direct_api"]
    events = [f"--event={kind}" for kind in EVENTS]
    merchant = live_service.create_merchant(f"--webhook-url={receiver.url}", *products, *events)
    receiver.secret = merchant["webhookSecret"]
    traffic = MixedTraffic(live_service, merchant, SEED)
    injector = FaultInjector(live_service, traffic, receiver, SEED)
    with traffic.running(CLIENTS):
        injector.inject_for(SECONDS)
    converged = converge(live_service, injector, traffic.paid)
    assert not live_service.ended()
    found = live_service.compare(
        merchant["merchantId"], {**traffic.log(), "heard": [*receiver.events]}
    )
    return traffic, injector, converged, found


def test_everything_breaks_at_random() -> None:
    """Nothing acknowledged is lost or doubled, no money is in two places or in none, everybody is
    told, and it is over soon after the last fault.
    """
    record_seed(SEED)
    say(f"SOAK_SEED={SEED} SOAK_SECONDS={SECONDS:g}")
    with FlakyReceiver() as receiver, running(web_workers=2, **SETTINGS) as live_service:
        traffic, injector, converged, found = soak(live_service, receiver)
    unsent = receipts(traffic) - set(receiver.told)
    tell(traffic, injector, receiver, converged, found, unsent)
    assert not traffic.problems
    wrong = {kind: count for kind, count in traffic.kinds().items() if unexpected(kind)}
    assert not wrong
    assert not receiver.forged
    assert not unsent
    assert wrong_in(found) == {}


def tell(
    traffic: MixedTraffic,
    injector: FaultInjector,
    receiver: FlakyReceiver,
    converged: float,
    found: dict[str, Any],
    unsent: set[tuple[str, str]],
) -> None:
    """The numbers."""
    kinds = traffic.kinds()
    wrong = sum(count for kind, count in kinds.items() if unexpected(kind))
    say(f"  {kinds.total():,} requests by answer: {listed(kinds)}")
    say(f"  {injector.injected.total()} faults: {listed(injector.injected)}")
    for shelf, ends in found["counts"].items():
        say(f"  {shelf}: {ends if isinstance(ends, int) else listed(Counter(ends))}")
    worst = {name: f"{seconds:.2f} s" for name, seconds in sorted(injector.worst.items())}
    say(f"  first 2xx after the end of a fault, at worst: {worst}")
    repeated = receiver.events.total() - len(receiver.events)
    say(
        f"  webhooks: {len(receiver.events):,} events heard, {repeated} repeated,"
        f" {receiver.turned_away} POSTs turned away, forged {len(receiver.forged)}"
    )
    say(
        f"  {traffic.writes:,} writes acknowledged ({traffic.replayed} after a fault had hidden the"
        f" answer): lost {len(found['lost'])}, doubled {found['doubled']}, wrong ends"
        f" {len(found['wrongEnds'])}, wrong answers {wrong}, paid and not known"
        f" {len(found['moneyUnheard'])}, events unheard {len(found['eventsUnheard'])}, unsent"
        f" {len(unsent)}; worst recovery {max(injector.worst.values()):.2f} s, all over"
        f" {converged:.1f} s after the last fault",
        requests=kinds.total(),
        faults=injector.injected.total(),
        writes_acknowledged=traffic.writes,
        lost=len(found["lost"]),
        doubled=found["doubled"],
        wrong_ends=len(found["wrongEnds"]),
        wrong_responses=wrong,
        payments_not_known=len(found["moneyUnheard"]),
        events_not_heard=len(found["eventsUnheard"]),
        webhooks_not_sent=len(unsent),
        first_2xx_after_seconds=max(injector.worst.values()),
        all_over_after_seconds=converged,
    )
