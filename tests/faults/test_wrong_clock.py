"""F19: the workers and beat on a machine whose clock is two hours ahead of the database's."""

import http.client
import json

import pytest

from tests.factories import order_body
from tests.faults import SCALE, scaled
from tests.faults.rig import Rig, running, wait_until, wrong_in
from tests.faults.traffic import Traffic
from tests.figures import tell

pytestmark = pytest.mark.faults("F19")
ORDERS = scaled(900)
DUE = scaled(100)
# As long as the scanner of the clock that is ahead has to do harm; beat sends it every two seconds.
WATCHED_SECONDS = 20 if SCALE >= 1 else 8
AHEAD_SECONDS = 7200
MOVED = "tests.faults.other_clock"
ON_THAT_MACHINE = ("money", "pump", "beat")


def move_clock(rig: Rig, seconds: int) -> None:
    """The machine of the workers starts again, with another clock. Beat keeps its file, which it
    writes when it ends.
    """
    rig.service("beat").stop()
    for name in ON_THAT_MACHINE:
        if rig.service(name).process.poll() is None:
            rig.kill(name)
        service = rig.service(name)
        moved = [MOVED, str(seconds)] if seconds else []
        service.command = [*service.command[:2], *moved, *rest(service.command)]
        rig.start(name)


def rest(command: list[str]) -> list[str]:
    """Behind `python -m`: the module of the service and its arguments."""
    return command[4:] if command[2] == MOVED else command[2:]


def readiness(rig: Rig) -> str:
    connection = http.client.HTTPConnection(*rig.address, timeout=30)
    try:
        connection.request("GET", "/readyz?only=workers")
        return str(json.loads(connection.getresponse().read())["checks"]["workers"])
    finally:
        connection.close()


def expired(rig: Rig, orders: list[str]) -> int:
    with rig.connection() as connection:
        row = connection.execute(
            "SELECT count(*) FROM collect_order WHERE id = ANY(%s) AND status = 'EXPIRED'", [orders]
        ).fetchone()
    assert row is not None
    return int(row[0])


def test_a_worker_two_hours_ahead_ends_no_payable_order() -> None:
    with running() as rig:
        merchant = rig.create_merchant()
        traffic = Traffic(rig, merchant)
        client = traffic.open_client()
        for number in range(ORDERS + DUE):
            key = f"order-{number}"
            body = order_body(reference=key, expirationMinutes=60)
            traffic.orders[key] = client.write("/collect", body, key)
        orders = [order["id"] for order in traffic.orders.values()]
        payable, due = orders[:ORDERS], orders[ORDERS:]

        move_clock(rig, AHEAD_SECONDS)
        named = wait_until(
            lambda: "wrong clock: money@" in readiness(rig),
            seconds=120,
            what="/readyz names the clock",
        )
        with rig.connection() as connection:
            connection.execute(
                "UPDATE collect_order SET expires_at = now(), expire_check_at = now()"
                " WHERE id = ANY(%s)",
                [due],
            )
        traffic.moved += due
        # Nothing is waited for that would happen: what must not happen has this long to.
        left = "task.skipped"
        seen = rig.log("money").count(left)
        wait_until(
            lambda: rig.log("money").count(left) >= seen + WATCHED_SECONDS,
            seconds=20 * WATCHED_SECONDS,
            what="tasks that the worker left alone",
        )
        ended, ended_due = expired(rig, payable), expired(rig, due)
        tasks_left = rig.log("money").count(left)

        move_clock(rig, 0)
        back = wait_until(
            lambda: expired(rig, due) == DUE, seconds=60, what="due orders end by the right clock"
        )
        still = expired(rig, payable)
        assert "wrong clock" not in readiness(rig)
        found = rig.compare(merchant["merchantId"], traffic.log())

    tell(
        f"a worker two hours ahead: named by /readyz after {named:.1f} s, {tasks_left:,} tasks left"
        f" alone, {ended} of {ORDERS:,} payable orders ended, {ended_due} of {DUE:,} due ones; with"
        f" the right clock {DUE:,} due ones after {back:.1f} s, payable ones {still}"
    )
    assert (ended, ended_due, still) == (0, 0, 0)
    assert tasks_left
    assert wrong_in(found) == {}
