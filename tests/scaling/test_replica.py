"""A streaming replica: lists may lag behind, what was just written may not."""

import time
from functools import partial
from typing import Any

import psycopg

from tests.scaling import full_size_only
from tests.scaling.fleet import Fleet, Replica
from tests.scaling.operator import Operator
from tests.support.factories import order_body, payout_body
from tests.support.live_service import LiveService, running, wait_until
from tests.support.traffic import Client, Traffic

pytestmark = full_size_only
ORDERS = 20
LAG_SECONDS, BACK_SECONDS = 10, 30


class MerchantProgram:
    """A merchant's program that asks one thing after the other."""

    def __init__(self, live_service: LiveService) -> None:
        self.merchant = live_service.create_merchant()
        self.traffic = Traffic(live_service, self.merchant)
        self.client: Client = self.traffic.open_client()

    def order(self, number: int) -> dict[str, Any]:
        """Created, and at once asked for by its id."""
        key = f"order-{number}"
        order = self.client.write("/collect", order_body(reference=key), key)
        self.traffic.orders[key] = order
        kind, _, answer = self.client.ask("GET", f"/collect/{order['id']}")
        assert (kind, answer["data"]["id"]) == ("2xx", order["id"])
        return order

    def payout(self, key: str) -> None:
        body = payout_body(recipientDocNumber="9999001001")
        data = self.client.write("/payout", body, key)
        again = self.client.write("/payout", body, key)
        assert again["payoutId"] == data["payoutId"]
        self.traffic.payouts[key] = data

    def listed(self) -> int:
        """How many orders the statistics know."""
        kind, _, answer = self.client.ask("GET", "/collect/stats")
        assert kind == "2xx"
        return int(answer["data"]["total"])

    def newest(self) -> str:
        """The key of the first order in the list."""
        kind, _, answer = self.client.ask("GET", "/collect?limit=1")
        assert kind == "2xx"
        return str(answer["data"][0]["reference"])


def test_lists_are_read_from_the_replica_and_nothing_else() -> None:
    """Behind, gone, and back again."""
    with running(partial(Fleet, replicated=True)) as live_service:
        replica: Replica = live_service.service("replica")
        program = MerchantProgram(live_service)
        person = Operator(live_service.postgres.data_dir)
        person.log_in(live_service.options)
        for number in range(ORDERS):
            program.order(number)
        began = time.monotonic()
        wait_until(lambda: program.listed() == ORDERS, seconds=LAG_SECONDS, what="the list")
        lag = time.monotonic() - began

        replay(replica, "pause")
        program.order(ORDERS)  # read by its id: from the primary
        program.payout("payout-behind")
        assert program.newest() == f"order-{ORDERS - 1}"
        behind = (program.listed(), person.rows_now(live_service.options, "collect/order"))
        replay(replica, "resume")
        wait_until(lambda: program.listed() == ORDERS + 1, seconds=LAG_SECONDS, what="the list")

        replica.stop()
        program.order(ORDERS + 1)
        first = len(program.traffic.answers)
        assert program.newest() == f"order-{ORDERS + 1}"
        away = (program.listed(), person.rows_now(live_service.options, "collect/order"))
        slowest = max(answer.seconds for answer in program.traffic.answers[first:])
        said = live_service.log("web-1").count("replica.away")

        replica.start()
        replay(replica, "pause")
        program.order(ORDERS + 2)
        back = wait_until(
            lambda: program.listed() == ORDERS + 2, seconds=BACK_SECONDS, what="the replica in use"
        )
        replay(replica, "resume")
        program.client.close()
        found = live_service.compare(program.merchant["merchantId"], program.traffic.log())
    print(
        f"Replica: {ORDERS} orders listed {lag:.2f} s after the last; replay paused:"
        f" statistics and export know {behind} of {ORDERS + 1}, GET by id all; stopped: {away} of"
        f" {ORDERS + 2}, slowest answer {slowest:.2f} s, replica.away logged {said} times; in use"
        f" again {back:.1f} s after its start; lost {len(found['lost'])}, doubled"
        f" {found['doubled']}"
    )
    assert behind == (ORDERS, ORDERS)
    assert away == (ORDERS + 2, ORDERS + 2)
    assert said
    assert (found["lost"], found["doubled"]) == ([], 0)


def replay(replica: Replica, act: str) -> None:
    """The replica stays open for questions, and falls behind; or catches up."""
    with psycopg.connect(replica.url, autocommit=True) as connection:
        connection.execute(f"SELECT pg_wal_replay_{act}()")
