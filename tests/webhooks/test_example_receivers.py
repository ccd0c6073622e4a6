"""The receivers in examples/ take what the dispatcher really sends: once, and nothing else."""

import http.client
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from config.devstack.valkey import free_port
from payments.core import clock
from tests.webhooks.conftest import merchant_at, publish, run_dispatcher
from webhooks import services, signing
from webhooks.models import Delivery, Event

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
EXAMPLES = Path(__file__).parents[2] / "examples" / "receivers"
PROGRAMS = {"receiver.py": sys.executable, "receiver.js": "node", "receiver.php": "php"}
SECRET = "whsec_dGhpcyBpcyBhIHNlY3JldCBvZiAzMiBieXRlcyBsb25n"


class Example:
    """One of the receivers in a process of its own."""

    def __init__(self, name: str, folder: Path, **more: str) -> None:
        self.port = free_port()
        path, program = str(EXAMPLES / name), PROGRAMS[name]
        listen = ["-S", f"127.0.0.1:{self.port}"] if program == "php" else []
        own = {"WEBHOOK_SECRET": SECRET, "PORT": str(self.port), "SEEN_DIR": str(folder), **more}
        self.log = folder / "out"
        with self.log.open("wb") as out:
            self.process = subprocess.Popen(
                [program, *listen, path], env={**os.environ, **own}, stdout=out, stderr=out
            )

    def wait(self) -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise AssertionError(f"It did not start: {self.log.read_text()}")

    def post(self, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("POST", "/hooks", body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def lines(self) -> list[str]:
        return [line for line in self.log.read_text().splitlines() if line.startswith("evt_")]


@contextmanager
def running(name: str, folder: Path, **more: str) -> Iterator[Example]:
    """The receiver, if its program is installed."""
    program = PROGRAMS[name]
    if shutil.which(program) is None:
        message = f"{program} is not installed: examples/receivers/{name} is NOT TRIED"
        warnings.warn(message, stacklevel=1)
        pytest.skip(message)
    started = Example(name, folder, **more)
    try:
        started.wait()
        yield started
    finally:
        started.process.terminate()
        started.process.wait(10)


@pytest.fixture(params=list(PROGRAMS))
def example(request: Any, tmp_path: Path) -> Iterator[Example]:
    with running(request.param, tmp_path) as started:
        yield started


def test_a_real_delivery_is_taken_once(example: Example) -> None:
    merchant = merchant_at(f"http://127.0.0.1:{example.port}/hooks", webhook_secret=SECRET)
    data = {"id": "col_1", "reference": "PEDIDO-ñ-☕", "amount": 50025}
    event = publish(merchant, data=data)
    services.send_test_event(merchant=merchant, actor="ana", now=clock.now())
    run_dispatcher()
    services.resend(event=event, actor="ana", now=clock.now())
    run_dispatcher()
    states = Delivery.objects.values_list("status", flat=True)
    assert sorted(states) == ["DELIVERED"] * 3, example.log.read_text()
    test = Event.objects.get(kind="webhook.test")
    lines = [line.strip() for line in example.lines()]
    assert sorted(lines) == sorted(
        [f"{event.pk} payment.completed PEDIDO-ñ-☕", f"{test.pk} webhook.test"]
    )


def test_example_receiver_refuses_what_is_not_genuine(example: Example) -> None:
    body = b'{"event":"payment.completed","data":{"reference":"P-1"}}'

    def headers(**changes: Any) -> dict[str, str]:
        values = {"event_id": "evt_1", "attempt": 1, "body": body, "secret": SECRET}
        return signing.headers(**{**values, "at": clock.now(), **changes})

    old = clock.now().timestamp() - 301
    forged = [
        (body + b" ", headers()),
        (body, headers(secret=SECRET + "A")),
        (body, headers(at=clock.now().fromtimestamp(old, clock.now().tzinfo))),
        (body, {"Content-Type": "application/json"}),
    ]
    for message, given in forged:
        assert example.post(message, given) == (401, "not genuine")
    assert example.lines() == []
    assert example.post(body, headers()) == (200, "ok")
    assert example.post(body, headers(attempt=2)) == (200, "known")
    assert example.lines() == ["evt_1 payment.completed P-1"]


def test_what_cannot_be_remembered_is_not_swallowed(tmp_path: Path) -> None:
    """The marks of the PHP receiver need a folder: without it the event must come again."""
    body, folder = b'{"event":"payment.completed","data":{}}', tmp_path / "seen"
    headers = signing.headers(event_id="evt_1", attempt=1, body=body, secret=SECRET, at=clock.now())
    with running("receiver.php", tmp_path, SEEN_DIR=str(folder)) as example:
        for _ in range(2):
            assert example.post(body, headers) == (500, "cannot remember")
        assert example.lines() == []
        folder.mkdir()
        assert example.post(body, headers) == (200, "ok")
        assert example.post(body, headers) == (200, "known")
        assert [line.strip() for line in example.lines()] == ["evt_1 payment.completed"]


def test_of_deliveries_side_by_side_one_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python receiver answers in threads; a slow look must let no second one in."""
    spec = importlib.util.spec_from_file_location("example_receiver", EXAMPLES / "receiver.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    class SlowSet(set[str]):
        def __contains__(self, item: object) -> bool:
            found = super().__contains__(item)
            time.sleep(0.02)
            return found

    monkeypatch.setenv("WEBHOOK_SECRET", SECRET)
    monkeypatch.setattr(module, "seen", SlowSet())
    server = module.ThreadingHTTPServer(("127.0.0.1", 0), module.Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    body = b'{"event":"payment.completed","data":{}}'
    headers = signing.headers(event_id="evt_1", attempt=1, body=body, secret=SECRET, at=clock.now())

    def post(_: int) -> tuple[int, str]:
        connection = http.client.HTTPConnection(*server.server_address, timeout=10)
        connection.request("POST", "/hooks", body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    try:
        with ThreadPoolExecutor(8) as pool:
            answers = sorted(pool.map(post, range(8)))
    finally:
        server.shutdown()
        server.server_close()
    assert answers == [(200, "known")] * 7 + [(200, "ok")]
