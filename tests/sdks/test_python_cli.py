"""`pasarela`, as a developer types it."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from config.devstack.valkey import free_port
from merchants.models import Merchant
from merchants.services import new_webhook_secret
from pasarela import Pasarela, webhooks
from pasarela.cli import main
from pasarela.cli.trigger import BY_PEOPLE, STORIES
from pasarela.models import EVENT_KINDS
from payments.bills import tasks as bills
from payments.collect import tasks as collect
from payments.payout import tasks as payouts
from payments.payout_batches import tasks as batches
from payments.simulator import clockwork
from payments.topup import tasks as topups
from tests.sdks.conftest import SDKS
from tests.support.factories import order_body, payout_body
from webhooks import catalogue
from webhooks.models import Event

Run = Callable[..., list[str]]


@pytest.fixture
def run(environment: dict[str, str]) -> Run:
    """The lines that a command prints; it must succeed."""

    def call(*arguments: str, fails: bool = False, **more: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-m", "pasarela", *arguments],
            env={**environment, "PYTHONPATH": str(SDKS / "python" / "src"), **more},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return (done.stderr if fails else done.stdout).splitlines()

    return call


def test_orders_are_created_listed_and_read(run: Run, client: Pasarela) -> None:
    payer = ("--name", "Ana Ñ", "--email", "ana@example.com", "--document", "CC:1020304050")
    (line,) = run("orders", "create", "--amount", "50000", *payer, "--json")
    made = json.loads(line)
    assert made["baseAmount"] == 50000
    (line,) = run("orders", "list", "--status", "PENDING")
    assert line.startswith(f"{made['id']}  PENDING  50025  COP  cli-")
    shown = dict(line.split(maxsplit=1) for line in run("orders", "get", made["id"]))
    assert shown["collectUrl"] == made["collectUrl"]
    client.sandbox.credit(1_000_000)
    payout = client.payouts.create(**payout_body())["payoutId"]
    assert json.loads(run("payouts", "get", payout, "--json")[0])["payoutId"] == payout
    assert run("payouts", "list")[0].startswith(payout)


def test_a_refusal_names_the_field(run: Run) -> None:
    payer = ("--name", "Ana", "--email", "not an address", "--document", "CC:1020304050")
    first, second = run("orders", "create", "--amount", "50000", *payer, fails=True)
    assert first.startswith("VALIDATION_ERROR")
    assert second.strip().startswith("customerEmail:")


def test_missing_keys_are_named(run: Run) -> None:
    (line,) = run("orders", "list", fails=True, PASARELA_SECRET_KEY="")
    assert "PASARELA_SECRET_KEY" in line


class Receiver:
    """A merchant's program on this machine: believes what its secret signed."""

    def __init__(self, server: HTTPServer, secret: str) -> None:
        self.secret = secret
        self.seen: list[Any] = []
        self.status = 200
        server.expect_request("/hook").respond_with_handler(self.receive)
        self.url = server.url_for("/hook")

    def receive(self, request: Request) -> Response:
        event: Any = webhooks.verify(request.data, request.headers, self.secret)
        own = {n: t for n, t in request.headers.items() if not n.lower().startswith("webhook-")}
        assert webhooks.verify(request.data, own, self.secret) == event
        self.seen.append((request.headers["X-Service-Event-Id"], event))
        return Response(status=self.status)


@pytest.fixture
def receiver(httpserver: HTTPServer) -> Receiver:
    return Receiver(httpserver, new_webhook_secret())


def test_listen_forwards_signed_and_keeps_its_place(
    run: Run, client: Pasarela, receiver: Receiver, tmp_path: Path
) -> None:
    place = ("--place", str(tmp_path / "place"), "--once")
    listen = ("listen", "--forward", receiver.url, "--secret", receiver.secret, *place)
    end(client, "COMPLETED")
    assert run(*listen) == []  # only what happens from now on
    receiver.status = 500
    refused, paid = end(client, "FAILED"), end(client, "COMPLETED")
    lines = run(*listen, "--json")
    assert [json.loads(line)["status"] for line in lines] == [500, 500]
    assert [event["data"]["id"] for _id, event in receiver.seen] == [refused, paid]
    assert [json.loads(line)["id"] for line in lines] == [name for name, _event in receiver.seen]
    assert run(*listen) == []
    assert len(run(*listen, "--from-start", "--events", "payment.failed")) == 1
    assert receiver.seen[-1] == receiver.seen[0]


def test_listen_says_that_the_receiver_is_away(run: Run, client: Pasarela, tmp_path: Path) -> None:
    away = f"http://127.0.0.1:{free_port()}/hook"
    end(client, "COMPLETED")
    (line,) = run(
        "listen", "--forward", away, "--from-start", "--once", XDG_STATE_HOME=str(tmp_path)
    )
    assert "payment.completed" in line
    assert "refused" in line
    assert list(tmp_path.glob("pasarela/*.place"))


def test_logs_tail_shows_events(run: Run, client: Pasarela, tmp_path: Path) -> None:
    end(client, "COMPLETED")
    place = ("--place", str(tmp_path / "place"))
    (line,) = run("logs", "tail", "--from-start", "--once", *place)
    assert " payment.completed evt_" in line


def test_every_kind_is_triggered_or_says_why_not(run: Run) -> None:
    assert set(STORIES) | set(BY_PEOPLE) == set(EVENT_KINDS)
    assert not set(STORIES) & set(BY_PEOPLE)
    listed = dict(line.split(maxsplit=1) for line in run("trigger", "--list"))
    assert listed.keys() == set(EVENT_KINDS)
    (line,) = run("trigger", "batch.paused", fails=True)
    assert "cannot be triggered over the API" in line


@pytest.mark.parametrize("kind", list(STORIES))
def test_trigger_makes_the_event_happen(
    kind: str,
    environment: dict[str, str],
    merchant: Merchant,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    merchant.event_kinds = list(catalogue.kinds(catalogue.Sent.IF_ENABLED))
    merchant.save()
    for name in ("PUBLIC_KEY", "SECRET_KEY", "URL"):
        monkeypatch.setenv(f"PASARELA_{name}", environment[f"PASARELA_{name}"])
    codes: list[int] = []
    given = ["trigger", kind, "--json", "--wait", "600"]
    command = threading.Thread(target=lambda: codes.append(main(given)))
    command.start()
    while command.is_alive():
        work()
    assert codes == [0], capsys.readouterr().err
    assert json.loads(capsys.readouterr().out)["event"] == kind
    work()
    assert Event.objects.filter(merchant=merchant, kind=kind).exists()


def work() -> None:
    """What the workers of `make run` do all the time."""
    clockwork.tick()
    batches.process_batches()
    for product in (payouts, topups, bills, collect):
        product.process_due()


def end(client: Pasarela, status: Any) -> str:
    order = client.orders.create(**order_body())
    return client.sandbox.order(order["id"], status=status)["id"]
