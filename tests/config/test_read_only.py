"""A database that takes no writes, as after a failover: the service says when to come back.

On the suite's real PostgreSQL. Sessions that began read-only stay so for as long as they are open:
the connection is given up at the first refusal, so that no operator has to cut it.
"""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection, transaction
from django.test import Client
from psycopg.sql import SQL, Identifier

from merchants.models import Merchant
from payments.api import request_log
from payments.api.models import ApiCall
from payments.collect.models import Order
from payments.core import clock, jsontext
from payments.core.models import Heartbeat
from payments.core.tasks import beat
from tests.admin.conftest import Console
from tests.contract.answers import assert_refused
from tests.contract.wire import Server, request, running_server
from tests.support.factories import order_body, payout_body
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.services import child_environment
from webhooks import event_loop
from webhooks.dispatcher import Dispatcher

pytestmark = pytest.mark.django_db(transaction=True)


class Switch:
    """What an administrator, or a failover, does to the whole database."""

    def __init__(self, name: str) -> None:
        self.name = Identifier(name)

    def set(self, value: str, *, cut: bool) -> None:
        """For sessions that begin from now on; with `cut` all others end."""
        with psycopg.connect(child_environment()["DATABASE_URL"], autocommit=True) as other:
            other.execute("SET default_transaction_read_only = off")
            change = SQL("ALTER DATABASE {} SET default_transaction_read_only = {}")
            other.execute(change.format(self.name, SQL(value)))
            if cut:
                other.execute(
                    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )

    def lock(self) -> None:
        self.set("on", cut=True)

    def unlock(self) -> None:
        """No session is cut."""
        self.set("off", cut=False)


@pytest.fixture
def switch() -> Iterator[Switch]:
    found = Switch(connection.settings_dict["NAME"])
    try:
        yield found
    finally:
        found.set("off", cut=True)
        connection.close()


@pytest.fixture
def rich(merchant: Merchant) -> ApiClient:
    fund(merchant, 1_000_000)
    client = ApiClient(merchant)
    assert client.post("/collect", order_body(reference="ANTES")).status_code == 201
    return client


WRITES = [("/collect", order_body), ("/payout", payout_body)]


@pytest.mark.parametrize(("path", "body"), WRITES)
def test_writes_are_503_and_work_at_once_when_the_database_takes_them(
    rich: ApiClient, switch: Switch, path: str, body: Any
) -> None:
    headers, asked = {"Idempotency-Key": "k-1"}, body()
    switch.lock()
    connection.close()  # as before each request of a web server, when it was cut
    for _ in range(3):
        refused = rich.post(path, asked, headers=headers)
        assert_refused(refused, 503, "SERVICE_UNAVAILABLE")
        assert int(refused.headers["Retry-After"]) > 0
    switch.unlock()
    assert rich.post(path, asked, headers=headers).status_code == 201
    assert rich.post(path, asked, headers=headers).headers["Idempotent-Replayed"] == "true"


def test_a_refusal_closes_the_connection_also_inside_a_transaction(switch: Switch) -> None:
    switch.lock()
    connection.close()
    for _ in range(2):
        with pytest.raises(OperationalError), transaction.atomic():
            Heartbeat.objects.create(name="money", at=clock.now())
        assert connection.connection is None
    with pytest.raises(OperationalError):
        Heartbeat.objects.filter(name="money").update(at=clock.now())
    assert connection.connection is None
    switch.unlock()
    beat("money")
    assert Heartbeat.objects.get(name="money")


def test_readyz_says_that_the_database_is_read_only(switch: Switch) -> None:
    def database() -> tuple[int, str]:
        answer = Client().get("/readyz?only=database")
        return answer.status_code, answer.json()["checks"]["database"]

    assert database() == (200, "ok")
    switch.lock()
    connection.close()
    assert database() == (503, "read-only")
    switch.unlock()
    assert database() == (200, "ok")


def test_pages_say_that_nothing_is_lost(rich: ApiClient, switch: Switch) -> None:
    page = Order.objects.get().collect_url.removeprefix("http://testserver")
    switch.lock()
    connection.close()
    payer = Client(raise_request_exception=False)
    refused = payer.post(f"{page}/transfer", {"method": "BANK_TRANSFER"})
    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) > 0
    assert refused.headers["Content-Type"].startswith("text/html")
    switch.unlock()
    assert payer.get(page).status_code == 200
    assert payer.post(f"{page}/transfer").status_code in (302, 303)


def test_a_session_that_cannot_be_saved_is_no_session_that_was_deleted(
    switch: Switch, settings: Any
) -> None:
    browser = Console(raise_request_exception=False)
    browser.force_login(User.objects.create_superuser("ana", "a@pasarela.example", "Purace-11"))
    assert browser.page("access").status_code == 200
    settings.SESSION_SAVE_EVERY_REQUEST = True  # as each minute's first click does
    switch.lock()
    connection.close()
    refused = browser.page("access")
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
    switch.unlock()
    assert browser.page("access").status_code == 200


def test_the_log_of_calls_waits_for_the_database(
    rich: ApiClient, switch: Switch, call_log: None
) -> None:
    rich.get("/balance")
    switch.lock()
    connection.close()
    assert not request_log.writer.flush()
    assert (len(request_log.writer.calls), request_log.writer.lost) == (1, 0)
    switch.unlock()
    assert request_log.writer.flush()
    assert ApiCall.objects.count() == 1


def test_the_pump_goes_on_when_the_database_takes_writes(rich: ApiClient, switch: Switch) -> None:
    switch.lock()
    connection.close()
    assert event_loop.run(Dispatcher().run()).sent == 0
    switch.unlock()
    assert event_loop.run(Dispatcher().run()).cycles == 1


@pytest.mark.slow
def test_a_web_server_takes_writes_at_once_although_it_served_reads(
    rich: ApiClient, switch: Switch
) -> None:
    lines = [f"{name}: {value}" for name, value in rich.headers.items()]
    lines.append("Content-Type: application/json")
    read = request("GET", "/api/v1/balance", *lines)

    def write(server: Server) -> int:
        body = jsontext.dumps(order_body()).encode()
        return server.send(request("POST", "/api/v1/collect", *lines, body=body))[0].status

    with running_server() as server:
        assert write(server) == 201
        switch.lock()
        assert [server.send(read)[0].status for _ in range(8)] == [200] * 8
        assert [write(server) for _ in range(3)] == [503] * 3
        assert [server.send(read)[0].status for _ in range(8)] == [200] * 8
        switch.unlock()
        assert [write(server) for _ in range(8)] == [201] * 8


def test_a_session_that_began_read_only_is_given_up_after_one_refusal(
    rich: ApiClient, switch: Switch
) -> None:
    """Reads keep it open over the end of the trouble; no operator cuts it."""
    switch.lock()
    connection.close()
    assert rich.get("/balance").status_code == 200
    switch.unlock()
    answers = [rich.post("/collect", order_body()).status_code for _ in range(2)]
    assert answers == [503, 201]


@pytest.mark.slow
def test_a_replica_that_refuses_writes_is_no_read_only_database(rich: ApiClient) -> None:
    """Lists are read from it; /readyz and writes are about the primary."""
    url = child_environment()["DATABASE_URL"]
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("CREATE ROLE reader SUPERUSER LOGIN")
        other.execute("ALTER ROLE reader SET default_transaction_read_only = on")
    try:
        reader = url.replace("postgres@", "reader@")
        with running_server(DATABASE_REPLICA_URL=reader) as server:
            lines = [f"{name}: {value}" for name, value in rich.headers.items()]
            lines.append("Content-Type: application/json")
            body = jsontext.dumps(order_body()).encode()
            asked = [
                request("GET", "/api/v1/collect", *lines),
                request("POST", "/api/v1/collect", *lines, body=body),
                request("GET", "/readyz?only=database"),
            ]
            answers = [server.send(each)[0] for each in asked]
            with psycopg.connect(url) as other:
                sessions = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'reader'"
                assert other.execute(sessions).fetchone() != (0,)
        assert [answer.status for answer in answers] == [200, 201, 200]
        assert answers[2].body["checks"] == {"database": "ok"}
    finally:
        with psycopg.connect(url, autocommit=True) as other:
            other.execute("DROP ROLE reader")
