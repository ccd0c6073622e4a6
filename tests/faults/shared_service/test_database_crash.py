"""F6: the database dies under load, again and again; nothing acknowledged is lost."""

import time
from typing import Any

import pytest

from tests.faults import SCALE, scaled
from tests.faults.flaky_receiver import FlakyReceiver
from tests.faults.mixed_traffic import DONE
from tests.support.live_service import LiveService, wait_until, wrong_in
from tests.support.measurements import record
from tests.support.traffic import Client, Traffic, others

pytestmark = pytest.mark.faults("F6")
RESTARTS = scaled(5)
CLIENTS = 8 if SCALE >= 1 else 3
# Acknowledged before each crash, and after the last one.
WRITES = 300 if SCALE >= 1 else 20
# The promise; a tenth runs beside other tests, which take the processor away.
BACK_SECONDS = 5 if SCALE >= 1 else 20
# A payment whose callback met the crash ends when its rail is asked: after 5 and after 35 seconds.
SETTLED_SECONDS = 120
OPEN = """
SELECT (SELECT count(*) FROM payout_payout WHERE status IN ('PENDING', 'PROCESSING')) +
       (SELECT count(*) FROM webhooks_delivery WHERE status <> 'DELIVERED') +
       (SELECT count(*) FROM collect_order WHERE id = ANY(%s) AND status <> 'COMPLETED') +
       (SELECT count(*) FROM collect_charge WHERE id = ANY(%s) AND received = 0)
"""


class PaidOrders(Traffic):
    """Of three orders one is paid."""

    def __init__(self, live_service: LiveService, merchant: dict[str, str]) -> None:
        super().__init__(live_service, merchant)
        self.paid: list[str] = []

    def after_order(self, client: Client, order: dict[str, Any], number: int) -> None:
        """Told to the merchant whatever the callback met."""
        if number % 3 == 0:
            path = f"/sandbox/collect/{order['id']}"
            kind, _ = client.insist(path, {"status": "COMPLETED"}, enough=DONE)
            if kind == "2xx":
                self.paid.append(order["id"])


def crash(live_service: LiveService, traffic: Traffic) -> float:
    """Seconds from the database's return to the first 2xx."""
    gone_at, back_at = live_service.crash_database()

    def first() -> float | None:
        later = (a.ended_at for a in list(traffic.answers) if a.began_at > gone_at and a.is_good)
        return min(later, default=None)

    wait_until(lambda: first() is not None, seconds=BACK_SECONDS, what="a 2xx after the crash")
    return max(0.0, first() - back_at)


def settle(live_service: LiveService, paid: list[str]) -> float:
    """Seconds until every payout and payment has come to its end, and the merchant knows.

    A payment is also what only the rail knows of: no client saw its 2xx.
    """
    with live_service.connection() as connection:
        return wait_until(
            lambda: (
                connection.execute(OPEN, [paid, live_service.charges_with_money()]).fetchone()
                == (0,)
            ),
            seconds=SETTLED_SECONDS,
            what="everything at its end",
        )


def compare(
    live_service: LiveService, traffic: Traffic, receiver: FlakyReceiver, merchant: dict[str, str]
) -> dict[str, Any]:
    """What the clients and the receiver saw beside the tables.

    A payment whose callback met a fault ends when its rail is asked, perhaps while the tables are
    read: its event has SETTLED_SECONDS to arrive.
    """
    log = {**traffic.log(), "heard": [*receiver.events]}
    found: dict[str, Any] = live_service.compare(merchant["merchantId"], log)
    deadline = time.monotonic() + SETTLED_SECONDS
    while found["eventsUnheard"] and time.monotonic() < deadline:
        time.sleep(0.1)
        heard = set(receiver.events)
        found["eventsUnheard"] = [each for each in found["eventsUnheard"] if each not in heard]
    return found


def test_the_database_crashes_under_load(live_service: LiveService) -> None:
    """No acknowledged write is lost or doubled, and clients see nothing worse than a 503."""
    waits = []
    with FlakyReceiver() as receiver:
        merchant = live_service.create_merchant(f"--webhook-url={receiver.url}")
        receiver.secret = merchant["webhookSecret"]
        traffic = PaidOrders(live_service, merchant)
        with traffic.running(CLIENTS):
            for _ in range(RESTARTS):
                traffic.wait_for_writes(WRITES)
                waits.append(crash(live_service, traffic))
            traffic.wait_for_writes(WRITES)
        assert not live_service.ended()
        settled = settle(live_service, traffic.paid)
        found = compare(live_service, traffic, receiver, merchant)

    kinds = traffic.kinds()
    wrong = others(kinds, lambda kind: kind in ("2xx", "503", *DONE))
    record(
        f"{RESTARTS} restarts, {kinds.total():,} requests, {kinds['2xx']:,} x 2xx,"
        f" {kinds['503']:,} x 503, others {wrong or 0}; first 2xx after"
        f" {'/'.join(f'{seconds:.2f}' for seconds in waits)} s; acknowledged"
        f" {len(traffic.orders):,} orders and {len(traffic.payouts):,} payouts"
        f" ({traffic.replayed} of them committed behind a 503), lost {len(found['lost'])},"
        f" doubled {found['doubled']}; {len(traffic.paid):,} orders paid, events that the merchant"
        f" has not heard {len(found['eventsUnheard'])} of {found['counts']['events']:,}; all"
        f" settled after {settled:.1f} s",
        restarts=RESTARTS,
        requests=kinds.total(),
        requests_with_503=kinds["503"],
        other_failures=sum(wrong.values()),
        acknowledged_writes=len(traffic.orders) + len(traffic.payouts),
        lost=len(found["lost"]),
        doubled=found["doubled"],
        events_not_heard=len(found["eventsUnheard"]),
        first_2xx_after_seconds=max(waits),
    )
    assert not traffic.problems
    assert not receiver.forged
    assert set(traffic.paid) <= {subject for subject, _ in receiver.told}
    assert not wrong
    assert kinds["503"], "no client noticed: that was no crash under load"
    assert wrong_in(found) == {}
    assert max(waits) < BACK_SECONDS
