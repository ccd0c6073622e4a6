"""`make run` as a newcomer meets it: the first payout ends, and the first webhook arrives."""

import contextlib
import http.client
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from config.devstack.demo.receiver import Receiver
from config.devstack.options import PROJECT
from config.devstack.valkey import free_port
from tests.devstack.test_bare_machine import bare_environment
from tests.support.factories import order_body, payout_body

START_SECONDS = 120
# The promise is three; the machine may be busy with other tests.
END_SECONDS = 4
Json = dict[str, Any]


class Started:
    """The running service, and the demo merchant's backend."""

    def __init__(self, data_dir: Path, port: int, banner: str) -> None:
        self.demo: Json = json.loads((data_dir / "demo.json").read_text())
        self.port = port
        self.banner = banner

    def call(self, method: str, path: str, body: Json | None = None) -> Any:
        connection = http.client.HTTPConnection("localhost", self.port, timeout=30)
        with contextlib.closing(connection):
            connection.request(
                method,
                f"/api/v1{path}",
                body=None if body is None else json.dumps(body),
                headers={
                    "X-Api-Key": self.demo["apiKey"],
                    "X-Api-Secret": self.demo["apiSecret"],
                    "Content-Type": "application/json",
                    "Idempotency-Key": f"key-{time.time_ns()}",
                },
            )
            answer = json.load(connection.getresponse())
        assert answer["success"], answer
        return answer["data"]

    def paid_order(self) -> str:
        body = order_body(reference=str(time.time_ns()))
        order_id: str = self.call("POST", "/collect", body)["id"]
        self.call("POST", f"/sandbox/collect/{order_id}", {"status": "COMPLETED"})
        return order_id


@contextlib.contextmanager
def running(data_dir: Path, port: int, **settings: str) -> Iterator[Started]:
    """`make run`, from ready to Ctrl-C; what it printed is its banner."""
    log = data_dir.parent / f"{data_dir.name}.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "config.devstack"],
            cwd=PROJECT,
            env={**bare_environment(), "DATA_DIR": str(data_dir), "PORT": str(port), **settings},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        deadline = time.monotonic() + START_SECONDS
        while "collectUrl" not in log.read_text():
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)
        yield Started(data_dir, port, log.read_text())
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)
        log.unlink()


def seconds_until(read: Callable[[], str], wanted: str, limit: float = 60) -> float:
    """Polls, as a merchant without webhooks does."""
    began = time.monotonic()
    while (found := read()) != wanted:
        assert time.monotonic() - began < limit, f"{found}, not {wanted}"
        time.sleep(0.1)
    return time.monotonic() - began


def test_payouts_and_refunds_end_and_what_waited_for_a_url_arrives(data_dir: Path) -> None:
    port = free_port()
    receiver, other = Receiver(), Receiver()
    with running(data_dir, port) as service:
        receiver.secret = other.secret = service.demo["webhookSecret"]
        assert "NO WEBHOOK URL" in service.banner

        def payout() -> float:
            made = service.call("POST", "/payout", payout_body(recipientDocNumber="79123456"))
            path = f"/payout/{made['payoutId']}"
            return seconds_until(lambda: service.call("GET", path)["status"], "COMPLETED")

        payout()  # the first one loads what the others find
        assert payout() < END_SECONDS

        order_id = service.paid_order()
        body = {"amount": 1000, "reason": "cold"}
        refund_id = service.call("POST", f"/collect/{order_id}/refunds", body)["id"]

        def refund() -> str:
            rows = service.call("GET", f"/collect/{order_id}/refunds")
            return next(row["status"] for row in rows if row["id"] == refund_id)

        assert refund() == "PENDING"
        service.call("POST", f"/sandbox/refund/{refund_id}", {"status": "APPROVED"})
        assert seconds_until(refund, "COMPLETED") < END_SECONDS
        assert receiver.next(0) is None

    with running(data_dir, port, WEBHOOK_URL=receiver.url) as service:
        assert "NO WEBHOOK URL" not in service.banner
        waited = receiver.next(10)
        assert waited is not None
        assert (waited.problem, waited.payload["data"]["id"]) == ("", order_id)

    with running(data_dir, port, WEBHOOK_URL=other.url) as service:
        later = service.paid_order()
        arrived = other.next(10)
        assert arrived is not None
        assert (arrived.problem, arrived.payload["data"]["id"]) == ("", later)
    assert receiver.next(0) is None
    receiver.close()
    other.close()
