"""SIGTERM to the web server and to a worker: what is under way is finished, then they end."""

import contextlib
import ctypes
import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection
from psycopg.conninfo import conninfo_to_dict

from config.celery import app
from config.devstack.options import PROJECT, read_options
from config.devstack.valkey import free_port
from config.devstack.workers import celery_worker, web_command
from merchants.models import Merchant
from payments.core.models import Heartbeat
from payments.payout.models import Payout
from tests.support.database import sessions
from tests.support.factories import payout_body
from tests.support.fixtures import API, ApiClient
from tests.support.funds import fund
from tests.support.services import child_environment

pytestmark = pytest.mark.django_db(transaction=True)
TOKEN = "a-token-of-prometheus"
PATIENCE = 90
# A worker that takes long to import Django, and one that takes long to come to our application.
SLOW_STARTS = {
    "ours": """
import sys, time
from pathlib import Path

class Slow:
    def find_spec(self, name, *more):
        if name.partition(".")[0] == "django":
            Path(__file__).with_name("starts").touch()
            time.sleep(60)

sys.meta_path.insert(0, Slow())
from config.wsgi import application
""",
    "the server's": """
import time
from pathlib import Path

Path(__file__).with_name("starts").touch()
time.sleep(2)
from config.wsgi import application
""",
}


def wait_for(what: str, truth: Any) -> Any:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if found := truth():
            return found
        time.sleep(0.05)
    raise AssertionError(f"Waited {PATIENCE} s for {what}.")


@contextmanager
def process(command: list[str], log: Path, **changes: str) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as output:
        running = subprocess.Popen(
            command,
            cwd=PROJECT,
            env=child_environment(**changes),
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield running
    except BaseException:
        sys.stderr.write(log.read_text())
        raise
    finally:
        # With its workers, which would outlive it.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()


@contextmanager
def locked(sql: str, key: str) -> Iterator[None]:
    """A session that needs the row waits until this ends."""
    host = conninfo_to_dict(os.environ["DATABASE_URL"])["host"]
    name = connection.settings_dict["NAME"]
    with psycopg.connect(host=host, user="postgres", dbname=name) as other:
        other.execute(sql, [key])
        yield
        other.rollback()


def session_waits() -> bool:
    return sessions("wait_event_type = 'Lock'") > 0


def ends_well(running: subprocess.Popen[bytes]) -> None:
    assert running.wait(timeout=PATIENCE) == 0


def ask(port: int, method: str, path: str, headers: dict[str, str], body: Any = None) -> Any:
    """One request on a connection of its own: status and text."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        client.request(method, path, json.dumps(body) if body else None, headers)
        answer = client.getresponse()
        return answer.status, answer.read().decode()
    finally:
        client.close()


def answers(port: int) -> bool:
    try:
        return bool(ask(port, "GET", "/healthz", {})[0] == 200)
    except OSError:
        return False


def test_a_web_server_finishes_its_requests(
    api: ApiClient, merchant: Merchant, tmp_path: Path
) -> None:
    """Two processes, whose figures add up; then a payout under way when the signal comes."""
    fund(merchant, 1_000_000)
    port = free_port()
    options = read_options({"PORT": str(port), "WEB_WORKERS": "2", "WEB_THREADS": "2"})
    # However slow the machine is, the lock is let go long before the server loses its patience.
    command = [part.replace("timeout=10s", "timeout=60s") for part in web_command(options)]
    changes = {
        "PROMETHEUS_MULTIPROC_DIR": str(tmp_path / "metrics"),
        "METRICS_TOKEN": TOKEN,
        "DOORBELL": "0",
    }
    headers = {**api.headers, "Content-Type": "application/json", "Idempotency-Key": "k-1"}
    with process(command, tmp_path / "web.log", **changes) as web:
        wait_for("the web server", lambda: answers(port))
        for _ in range(8):
            assert ask(port, "GET", f"{API}/collect/col_x", api.headers)[0] == 404
        bearer = {"Authorization": f"Bearer {TOKEN}"}
        count = 'method="GET",route="api/v1/collect/<str:order_id>",status="404"} 8.0'
        # Whichever process answers. One asked has served some of the eight at most.
        for _ in range(3):
            assert (
                f"pasarela_http_request_seconds_count{{{count}"
                in (ask(port, "GET", "/metrics", bearer)[1])
            )

        told: list[Any] = []

        def send() -> None:
            try:
                told.append(ask(port, "POST", f"{API}/payout", headers, payout_body()))
            except OSError as error:
                told.append((error, (tmp_path / "web.log").read_text()))

        late = threading.Thread(target=send)
        with locked("SELECT FROM ledger_account WHERE merchant_id = %s FOR UPDATE", merchant.pk):
            late.start()
            wait_for("the payout to be under way", session_waits)
            web.terminate()
            wait_for("the server to take nothing new", lambda: not answers(port))
            assert web.poll() is None
        late.join(PATIENCE)
        ends_well(web)

    ((status, text),) = told
    assert status == 201, text
    assert Payout.objects.get().pk in text


def test_a_web_worker_hears_the_signal_in_any_thread(tmp_path: Path) -> None:
    """The kernel may give it to a thread that is just making another one."""
    port = free_port()
    options = read_options({"PORT": str(port), "WEB_WORKERS": "1", "WEB_THREADS": "2"})
    # Without another worker in its place, the server ends with the only one.
    command = [part for part in web_command(options) if part != "--respawn-failed-workers"]
    with process(command, tmp_path / "web.log") as web:
        wait_for("the web server", lambda: answers(port))
        (worker,) = Path(f"/proc/{web.pid}/task/{web.pid}/children").read_text().split()
        threads = {int(path.name) for path in Path(f"/proc/{worker}/task").iterdir()}
        other = max(threads - {int(worker)})
        assert ctypes.CDLL(None).tgkill(int(worker), other, signal.SIGTERM) == 0
        web.wait(PATIENCE)


@pytest.mark.parametrize("part", SLOW_STARTS)
def test_a_web_worker_that_still_starts_ends_at_once(tmp_path: Path, part: str) -> None:
    """Else it would serve, and be killed with requests in hand."""
    (tmp_path / "slow.py").write_text(SLOW_STARTS[part])
    command = [
        f"--working-dir={tmp_path}" if word == "--log-level=warning" else word
        for word in web_command(read_options({"PORT": str(free_port())}))
    ]
    command = [part.replace("timeout=10s", f"timeout={PATIENCE - 10}s") for part in command]
    command[-1] = "slow:application"
    with process(command, tmp_path / "web.log", PYTHONPATH=str(PROJECT)) as web:
        wait_for("a worker that starts", (tmp_path / "starts").exists)
        told = time.monotonic()
        web.terminate()
        ends_well(web)
    # Long before the server loses its patience.
    assert time.monotonic() - told < PATIENCE / 2


def test_a_worker_finishes_its_task(api: ApiClient, merchant: Merchant, tmp_path: Path) -> None:
    fund(merchant, 1_000_000)
    body = payout_body(recipientDocNumber="9999001001")
    assert api.post("/payout", body, headers={"Idempotency-Key": "k-1"}).status_code == 201
    payout = Payout.objects.get()
    alive = tmp_path / "heartbeat"
    command = celery_worker("money", queue="default", threads=2)
    with process(command, tmp_path / "money.log", LIVENESS_PATH=str(alive)) as worker:
        wait_for("the worker", Heartbeat.objects.filter(name="money").exists)
        wait_for("its file", alive.exists)
        with locked("SELECT FROM payout_payout WHERE id = %s FOR UPDATE", payout.pk):
            app.send_task("payments.payout.tasks.send_payout", (payout.pk,))
            wait_for("the task to be under way", session_waits)
            worker.terminate()
            time.sleep(0.5)
            assert worker.poll() is None
        ends_well(worker)

    payout.refresh_from_db()
    assert payout.status == Payout.Status.COMPLETED
