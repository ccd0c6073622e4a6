"""F19: the workers and beat on a machine whose clock is two hours ahead of the database's."""

import http.client
import json

import pytest

from tests.faults import SCALE, scaled
from tests.support.factories import order_body
from tests.support.live_service import LiveService, wait_until, wrong_in
from tests.support.measurements import record
from tests.support.traffic import Traffic

pytestmark = pytest.mark.faults("F19")
ORDERS = scaled(900)
DUE = scaled(100)
# As long as the scanner of the clock that is ahead has to do harm; beat sends it every two seconds.
WATCHED_SECONDS = 20 if SCALE >= 1 else 8
AHEAD_SECONDS = 7200
MOVED = "tests.faults.other_clock"
ON_THAT_MACHINE = ("money", "pump", "beat")


def move_clock(live_service: LiveService, seconds: int) -> None:
    """The machine of the workers starts again, with another clock. Beat keeps its file, which it
    writes when it ends.
    """
    live_service.service("beat").stop()
    for name in ON_THAT_MACHINE:
        if live_service.service(name).process.poll() is None:
            live_service.kill(name)
        service = live_service.service(name)
        moved = [MOVED, str(seconds)] if seconds else []
        service.command = [*service.command[:2], *moved, *rest(service.command)]
        live_service.start(name)


def rest(command: list[str]) -> list[str]:
    """Behind `python -m`: the module of the service and its arguments."""
    return command[4:] if command[2] == MOVED else command[2:]


def readiness(live_service: LiveService) -> str:
    connection = http.client.HTTPConnection(*live_service.address, timeout=30)
    try:
        connection.request("GET", "/readyz?only=workers")
        return str(json.loads(connection.getresponse().read())["checks"]["workers"])
    finally:
        connection.close()


def expired(live_service: LiveService, orders: list[str]) -> int:
    with live_service.connection() as connection:
        row = connection.execute(
            "SELECT count(*) FROM collect_order WHERE id = ANY(%s) AND status = 'EXPIRED'", [orders]
        ).fetchone()
    assert row is not None
    return int(row[0])


def test_a_worker_two_hours_ahead_ends_no_payable_order(live_service: LiveService) -> None:
    merchant = live_service.create_merchant()
    traffic = Traffic(live_service, merchant)
    client = traffic.open_client()
    for number in range(ORDERS + DUE):
        key = f"order-{number}"
        body = order_body(reference=key, expirationMinutes=60)
        traffic.orders[key] = client.write("/collect", body, key)
    orders = [order["id"] for order in traffic.orders.values()]
    payable, due = orders[:ORDERS], orders[ORDERS:]

    move_clock(live_service, AHEAD_SECONDS)
    named = wait_until(
        lambda: "wrong clock: money@" in readiness(live_service),
        seconds=120,
        what="/readyz names the clock",
    )
    with live_service.connection() as connection:
        connection.execute(
            "UPDATE collect_order SET expires_at = now(), expire_check_at = now()"
            " WHERE id = ANY(%s)",
            [due],
        )
    traffic.moved += due
    # Nothing is waited for that would happen: what must not happen has this long to.
    left = "task.skipped"
    seen = live_service.log("money").count(left)
    wait_until(
        lambda: live_service.log("money").count(left) >= seen + WATCHED_SECONDS,
        seconds=20 * WATCHED_SECONDS,
        what="tasks that the worker left alone",
    )
    ended, ended_due = expired(live_service, payable), expired(live_service, due)
    tasks_left = live_service.log("money").count(left)

    move_clock(live_service, 0)
    back = wait_until(
        lambda: expired(live_service, due) == DUE,
        seconds=60,
        what="due orders end by the right clock",
    )
    still = expired(live_service, payable)
    # The pump may beat later than the orders end, and until then its last beat counts.
    wait_until(
        lambda: "wrong clock" not in readiness(live_service),
        seconds=60,
        what="no process with a wrong clock",
    )
    found = live_service.compare(merchant["merchantId"], traffic.log())

    record(
        f"a worker two hours ahead: named by /readyz after {named:.1f} s, {tasks_left:,} tasks left"
        f" alone, {ended} of {ORDERS:,} payable orders ended, {ended_due} of {DUE:,} due ones; with"
        f" the right clock {DUE:,} due ones after {back:.1f} s, payable ones {still}"
    )
    assert (ended, ended_due, still) == (0, 0, 0)
    assert tasks_left
    assert wrong_in(found) == {}
