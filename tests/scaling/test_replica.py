"""A streaming replica: lists may lag behind, what was just written may not."""

import time
from functools import partial
from typing import Any

import psycopg

from tests.factories import order_body, payout_body
from tests.faults.rig import Rig, running, wait_until
from tests.faults.traffic import Client, Traffic
from tests.scaling import full_size_only
from tests.scaling.fleet import Fleet, Replica
from tests.scaling.operator import Operator

pytestmark = full_size_only
ORDERS = 20
LAG_SECONDS, BACK_SECONDS = 10, 30


class Shop:
    """A merchant's program that asks one thing after the other."""

    def __init__(self, rig: Rig) -> None:
        self.merchant = rig.create_merchant()
        self.traffic = Traffic(rig, self.merchant)
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
    with running(partial(Fleet, replicated=True)) as rig:
        replica: Replica = rig.service("replica")
        shop = Shop(rig)
        person = Operator(rig.postgres.data_dir)
        person.log_in(rig.options)
        for number in range(ORDERS):
            shop.order(number)
        began = time.monotonic()
        wait_until(lambda: shop.listed() == ORDERS, seconds=LAG_SECONDS, what="the list")
        lag = time.monotonic() - began

        replay(replica, "pause")
        shop.order(ORDERS)  # read by its id: from the primary
        shop.payout("payout-behind")
        assert shop.newest() == f"order-{ORDERS - 1}"
        behind = (shop.listed(), person.rows_now(rig.options, "collect/order"))
        replay(replica, "resume")
        wait_until(lambda: shop.listed() == ORDERS + 1, seconds=LAG_SECONDS, what="the list")

        replica.stop()
        shop.order(ORDERS + 1)
        first = len(shop.traffic.answers)
        assert shop.newest() == f"order-{ORDERS + 1}"
        away = (shop.listed(), person.rows_now(rig.options, "collect/order"))
        slowest = max(answer.seconds for answer in shop.traffic.answers[first:])
        said = rig.log("web-1").count("replica.away")

        replica.start()
        replay(replica, "pause")
        shop.order(ORDERS + 2)
        back = wait_until(
            lambda: shop.listed() == ORDERS + 2, seconds=BACK_SECONDS, what="the replica in use"
        )
        replay(replica, "resume")
        shop.client.close()
        found = rig.compare(shop.merchant["merchantId"], shop.traffic.log())
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
