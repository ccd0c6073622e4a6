"""A merchant with customers and a receiver: orders paid and left, payouts, and what it hears of."""

import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import psycopg

from config.devstack.demo.receiver import Receiver
from tests.support.concurrency import run_concurrently
from tests.support.factories import payout_body
from tests.support.live_service import LiveService
from tests.support.traffic import Client, Traffic

FINISHED_SECONDS = 120
UNFINISHED = """
SELECT (SELECT count(*) FROM webhooks_delivery WHERE status <> 'DELIVERED') AS deliveries,
       (SELECT count(*) FROM payout_payout WHERE status IN ('PENDING', 'PROCESSING')) AS payouts,
       (SELECT count(*) FROM collect_order WHERE status = 'PENDING' AND expires_at <= now())
"""
MOVE_DEADLINE = "UPDATE collect_order SET expires_at = now(), expire_check_at = now() WHERE id = %s"


class Scenario(Traffic):
    """Of three orders one is paid, one is not paid in time, and one stays open."""

    def __init__(
        self, live_service: LiveService, merchant: dict[str, str], tables: psycopg.Connection
    ) -> None:
        super().__init__(live_service, merchant)
        self.tables = tables
        self.events: set[tuple[str, str]] = set()  # (order, kind) that the merchant must hear of

    def after_order(self, client: Client, order: dict[str, Any], number: int) -> None:
        """Only what was acknowledged must be told."""
        if number % 3 == 0:
            path = f"/sandbox/collect/{order['id']}"
            if client.ask("POST", path, {"status": "COMPLETED"})[0] == "2xx":
                self.events.add((order["id"], "payment.completed"))
        elif number % 3 == 1:
            self.moved.append(order["id"])
            self.tables.execute(MOVE_DEADLINE, [order["id"]])
            self.events.add((order["id"], "payment.expired"))

    def ask_with_one_key(self, clients: Sequence[Client]) -> set[str]:
        """The ids in the answers to one payout, asked by all of them at the same instant."""
        body = payout_body(recipientDocNumber="9999001001")
        asking = [
            partial(client.ask, "POST", "/payout", body, {"Idempotency-Key": "one-key"})
            for client in clients
        ]
        answers = run_concurrently(asking)
        for client in clients:
            client.close()
        kinds = Counter(kind for kind, _, _ in answers)
        assert kinds == {"2xx": len(clients)}, kinds
        told = [answer["data"] for _, _, answer in answers]
        self.payouts["one-key"] = told[0]
        self.expected_ends[told[0]["payoutId"]] = "COMPLETED"
        return {data["payoutId"] for data in told}


class Inbox:
    """What the merchant's healthy receiver has got."""

    def __init__(self, receiver: Receiver) -> None:
        self.events: Counter[tuple[str, str]] = Counter()
        self.forged: list[str] = []
        self._receiver = receiver
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._empty, name="inbox")

    @contextmanager
    def open(self) -> Iterator[None]:
        """Reads until the block ends."""
        self._thread.start()
        try:
            yield
        finally:
            self._stopping.set()
            self._thread.join()
            self._receiver.close()

    def _empty(self) -> None:
        while not self._stopping.is_set():
            if (received := self._receiver.next(0.1)) is None:
                continue
            if received.problem:
                self.forged.append(received.problem)
            else:
                self.events[(received.payload["data"]["id"], received.payload["event"])] += 1


def finish(tables: psycopg.Connection) -> float:
    """Seconds until nothing that was due is left: deliveries, payouts, expiries."""
    began = time.monotonic()
    while any(left := tables.execute(UNFINISHED).fetchone()):
        assert time.monotonic() - began < FINISHED_SECONDS, f"left of each: {left}"
        time.sleep(0.1)
    return time.monotonic() - began
