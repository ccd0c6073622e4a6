"""Faults on the wire, outages and restarts, as every fake of tests/rails/ has them."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.rails.fake_server.server import RunningServer
from tests.rails.http_calls import Answer, wait_until
from tests.rails.wompi.rail import WompiRail
from tests.rails.wompi_client import WompiClient

CREATE = "POST /v1/transactions"


@pytest.fixture
def client() -> Iterator[WompiClient]:
    with RunningServer(WompiRail(url_delay_seconds=0, pse_resolution="payer")) as server:
        yield WompiClient(server.url, server.control.url)


def references(client: WompiClient) -> list[str]:
    return list(client.control.state()["reference"])


def test_answer_is_lost_after_executing(client: WompiClient) -> None:
    client.control.fault(CREATE, "lose_answer")
    with pytest.raises((ConnectionResetError, http.client.RemoteDisconnected)):
        client.post(reference="chg-a")
    assert references(client) == ["chg-a"]
    assert client.post(reference="chg-a").status == 422


def test_request_is_lost_before_executing(client: WompiClient) -> None:
    client.control.fault(CREATE, "lose_request")
    with pytest.raises((ConnectionResetError, http.client.RemoteDisconnected)):
        client.post(reference="chg-a")
    assert references(client) == []


@pytest.mark.parametrize("executes", [True, False])
@pytest.mark.parametrize(
    ("fault", "status"),
    [("error_500", 500), ("bad_gateway", 502), ("too_many", 429), ("conflict", 409)],
)
def test_error_is_answered_with_or_without_executing(
    client: WompiClient, fault: str, status: int, executes: bool
) -> None:
    client.control.fault(CREATE, fault, executes=executes)
    assert client.post(reference="chg-a").status == status
    assert references(client) == (["chg-a"] if executes else [])


def answer_of(client: WompiClient, fault: str, **fields: Any) -> Answer:
    client.control.fault(CREATE, fault, **fields)
    return client.post(reference="chg-a")


def test_bad_gateway_is_a_page_of_html(client: WompiClient) -> None:
    answer = answer_of(client, "bad_gateway")
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.content.startswith(b"<html>")


def test_too_many_says_when_to_come_back(client: WompiClient) -> None:
    assert answer_of(client, "too_many", retry_after=7).headers["retry-after"] == "7"


def test_conflict_has_an_error_body_of_the_rail(client: WompiClient) -> None:
    assert set(answer_of(client, "conflict").json["error"]) == {"type", "reason"}


def test_invalid_json_comes_after_executing(client: WompiClient) -> None:
    answer = answer_of(client, "invalid_json")
    assert answer.status == 201
    with pytest.raises(json.JSONDecodeError):
        json.loads(answer.content)
    assert references(client) == ["chg-a"]


def test_slow_drip_ends_in_a_whole_answer(client: WompiClient) -> None:
    started = time.monotonic()
    answer = answer_of(client, "slow_drip", interval_seconds=0.002, bytes=20)
    assert answer.json["data"]["reference"] == "chg-a"
    assert time.monotonic() - started > 0.05


def test_delay_waits_and_then_answers(client: WompiClient) -> None:
    started = time.monotonic()
    assert answer_of(client, "delay", seconds=0.1).status == 201
    assert time.monotonic() - started >= 0.1


def test_fault_counts_its_times_and_lets_some_pass_first(client: WompiClient) -> None:
    client.control.fault("* /v1/*", "error_500", times=2, after=1)
    found = [client.call("GET", "/pse/financial_institutions").status for _ in range(4)]
    assert found == [200, 500, 500, 200]


def test_fault_stays_until_it_is_cleared(client: WompiClient) -> None:
    client.control.fault("GET /v1/pse/*", "too_many", times=None)
    found = [client.call("GET", "/pse/financial_institutions").status for _ in range(3)]
    assert found == [429, 429, 429]
    client.control.call("DELETE", "faults")
    assert client.call("GET", "/pse/financial_institutions").status == 200


def test_unknown_fault_is_refused(client: WompiClient) -> None:
    with pytest.raises(ValueError, match="400"):
        client.control.fault(CREATE, "earthquake")


def test_no_connection_is_accepted_for_a_time(client: WompiClient) -> None:
    client.control.call("POST", "outage", {"seconds": 0.1})
    with pytest.raises(ConnectionRefusedError):
        client.tokens()

    def is_back() -> bool:
        with suppress(ConnectionRefusedError):
            return bool(client.tokens())
        return False

    wait_until(is_back)


def test_outage_lasts_until_it_is_ended_and_cuts_kept_connections(client: WompiClient) -> None:
    connection = http.client.HTTPConnection(client.url.removeprefix("http://"), timeout=60)
    connection.request("GET", "/v1/nothing")
    connection.getresponse().read()
    client.control.call("POST", "outage", {"seconds": None})
    connection.request("GET", "/v1/nothing")
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        connection.getresponse()
    connection.close()
    with pytest.raises(ConnectionRefusedError):
        client.tokens()
    client.control.call("POST", "outage", {"seconds": 0})
    assert client.tokens()


def test_complaints_are_kept_until_they_are_cleared(client: WompiClient) -> None:
    assert client.call("GET", "/no/such/path").json["error"]["type"] == "NOT_FOUND_ERROR"
    assert client.control.complaints() == ["GET /v1/no/such/path: 404"]
    client.control.call("DELETE", "complaints")
    assert client.control.complaints() == []


@contextmanager
def process_of(module: str, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], Any]]:
    """A fake as a program of its own, and its addresses; it is killed, not ended."""
    command = [sys.executable, "-m", f"tests.rails.{module}", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process, json.loads(process.stdout.readline())
        finally:
            process.kill()


@pytest.mark.slow
def test_state_survives_a_kill(tmp_path: Path) -> None:
    arguments = ("--state-file", str(tmp_path / "wompi.sqlite3"), "--set", "url_delay_seconds=0.3")
    with process_of("wompi", *arguments, "--set", "pse_resolution=payer") as (process, urls):
        client = WompiClient(urls["rail"], urls["control"])
        tokens = client.tokens()
        number = client.create(reference="chg-a", **tokens)["id"]
        client.control.fault("GET /v1/pse/*", "too_many")
        process.kill()
        process.wait()
    with process_of("wompi", *arguments) as (_, urls):
        client = WompiClient(urls["rail"], urls["control"])
        assert client.poll(number)["reference"] == "chg-a"
        assert client.post(reference="chg-a").status == 422
        assert "ya fue usado" in client.post(**tokens).content.decode()
        assert client.call("GET", "/pse/financial_institutions").status == 429
        assert client.poll_for_url(number) == f"{urls['rail']}/bank/{number}"
        assert client.control.state()["settings"]["pse_resolution"] == "payer"


@pytest.mark.slow
def test_ended_program_leaves_without_an_error(tmp_path: Path) -> None:
    with process_of("wompi", "--set", "environment=prod") as (process, urls):
        assert urls["rail"].startswith("http://127.0.0.1:")
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(60) == 0
