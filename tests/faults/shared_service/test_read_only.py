"""F18: the database takes no writes for a while, as in a failover; nothing is restarted."""

import http.client
import json

import pytest

from tests.faults import SCALE, scaled
from tests.faults.flaky_receiver import FlakyReceiver
from tests.faults.mixed_traffic import DONE
from tests.faults.shared_service.test_database_crash import (
    BACK_SECONDS,
    CLIENTS,
    WRITES,
    PaidOrders,
    compare,
    settle,
)
from tests.support.live_service import LiveService, wait_until, wrong_in
from tests.support.measurements import record
from tests.support.traffic import Traffic, others

pytestmark = pytest.mark.faults("F18")
TIMES = scaled(5)
# Refused while it takes no writes; a tenth is there to see that they are refused at all.
REFUSED = 300 if SCALE >= 1 else 20


def readiness(live_service: LiveService) -> str:
    connection = http.client.HTTPConnection(*live_service.address, timeout=30)
    try:
        connection.request("GET", "/readyz?only=database")
        return str(json.loads(connection.getresponse().read())["checks"]["database"])
    finally:
        connection.close()


def refuse_writes(live_service: LiveService, traffic: Traffic) -> float:
    """Seconds from the end of it to the first write that was acknowledged."""
    refused = traffic.kinds()["503"]
    with live_service.read_only_database():
        wait_until(
            lambda: traffic.kinds()["503"] >= refused + REFUSED,
            seconds=60,
            what=f"{REFUSED} refused writes",
        )
        assert readiness(live_service) == "read-only"
    done = traffic.writes
    seconds = wait_until(
        lambda: traffic.writes > done, seconds=BACK_SECONDS, what="a write after it"
    )
    assert readiness(live_service) == "ok"
    return seconds


def test_the_database_takes_no_writes_for_a_while(live_service: LiveService) -> None:
    """No acknowledged write is lost or doubled; reads are served, writes are the JSON 503."""
    waits = []
    with FlakyReceiver() as receiver:
        merchant = live_service.create_merchant(f"--webhook-url={receiver.url}")
        receiver.secret = merchant["webhookSecret"]
        traffic = PaidOrders(live_service, merchant)
        with traffic.running(CLIENTS):
            for _ in range(TIMES):
                traffic.wait_for_writes(WRITES)
                waits.append(refuse_writes(live_service, traffic))
            traffic.wait_for_writes(WRITES)
        assert not live_service.ended()
        settled = settle(live_service, traffic.paid)
        found = compare(live_service, traffic, receiver, merchant)

    kinds = traffic.kinds()
    wrong = others(kinds, lambda kind: kind in ("2xx", "503", *DONE))
    record(
        f"{TIMES} times without writes, nothing restarted: {kinds.total():,} requests,"
        f" {kinds['2xx']:,} x 2xx, {kinds['503']:,} x 503, others {wrong or 0}; first write after"
        f" {'/'.join(f'{seconds:.2f}' for seconds in waits)} s; acknowledged"
        f" {len(traffic.orders):,} orders and {len(traffic.payouts):,} payouts, lost"
        f" {len(found['lost'])}, doubled {found['doubled']}; {len(traffic.paid):,} orders paid,"
        f" events that the merchant has not heard {len(found['eventsUnheard'])} of"
        f" {found['counts']['events']:,}; all settled after {settled:.1f} s",
        times_without_writes=TIMES,
        requests=kinds.total(),
        requests_with_503=kinds["503"],
        other_failures=sum(wrong.values()),
        acknowledged_writes=len(traffic.orders) + len(traffic.payouts),
        lost=len(found["lost"]),
        doubled=found["doubled"],
        events_not_heard=len(found["eventsUnheard"]),
        first_write_after_seconds=max(waits),
    )
    assert not traffic.problems
    assert not receiver.forged
    assert not wrong
    assert wrong_in(found) == {}
    assert max(waits) < BACK_SECONDS
