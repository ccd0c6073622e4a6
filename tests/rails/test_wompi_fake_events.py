"""Events of the fake of Wompi's collections, good and bad."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.rails.event_receiver import EventReceiver
from tests.rails.fake_server.events import checksum_of
from tests.rails.fake_server.server import RunningServer
from tests.rails.http_calls import wait_until
from tests.rails.wompi.rail import WompiRail
from tests.rails.wompi_client import EVENTS_SECRET, PSE, WompiClient

DOCUMENTED = {
    "id",
    "amount_in_cents",
    "reference",
    "customer_email",
    "currency",
    "payment_method_type",
    "redirect_url",
    "status",
    "shipping_address",
    "payment_link_id",
    "payment_source_id",
}


@pytest.fixture
def receiver() -> Iterator[EventReceiver]:
    with EventReceiver() as receiver:
        yield receiver


@pytest.fixture
def client(receiver: EventReceiver) -> Iterator[WompiClient]:
    rail = WompiRail(
        url_delay_seconds=0, events_url=receiver.url, event_retry_seconds=[0.02, 0.02, 0.02]
    )
    with RunningServer(rail) as server:
        yield WompiClient(server.url, server.control.url)


def one_of(receiver: EventReceiver) -> Any:
    return wait_until(lambda: receiver.bodies)[0]


def is_genuine(body: Any) -> bool:
    signature = body["signature"]
    expected = checksum_of(body["data"], signature["properties"], body["timestamp"], EVENTS_SECRET)
    return bool(signature["checksum"].lower() == expected)


def test_checksum_matches_published_vector() -> None:
    data = {
        "transaction": {
            "id": "1234-1610641025-49201",
            "status": "APPROVED",
            "amount_in_cents": 4490000,
        }
    }
    properties = ["transaction.id", "transaction.status", "transaction.amount_in_cents"]
    secret = "test_events_EqCPDEn5x4lRatGPxLhyZd6YTgd6QSrr"
    assert (
        checksum_of(data, properties, 1530291411, secret)
        == "c7c03147429efbbcfab3cdf585041c871d577ca183b1387581535add1a061780"
    )


def test_event_of_a_final_status_is_signed_as_documented(
    client: WompiClient, receiver: EventReceiver
) -> None:
    created = client.create(reference="chg-a")
    body = one_of(receiver)
    assert body["event"] == "transaction.updated"
    assert body["environment"] == "test"
    assert set(body["data"]["transaction"]) == DOCUMENTED
    assert body["data"]["transaction"]["id"] == created["id"]
    assert body["data"]["transaction"]["reference"] == "chg-a"
    assert body["data"]["transaction"]["status"] == "APPROVED"
    assert is_genuine(body)
    assert receiver.received[0].headers["x-event-checksum"] == body["signature"]["checksum"]
    assert abs(body["timestamp"] - time.time()) < 5
    assert body["sent_at"].endswith("Z")


def test_refusal_sends_its_event_too(client: WompiClient, receiver: EventReceiver) -> None:
    client.create(PSE | {"financial_institution_code": "2"})
    assert one_of(receiver)["data"]["transaction"]["status"] == "DECLINED"


def test_event_is_sent_three_more_times_until_200(
    client: WompiClient, receiver: EventReceiver
) -> None:
    receiver.statuses = [500, 302, 201]
    client.create()
    wait_until(lambda: len(receiver.bodies) == 4)
    first = receiver.bodies[0]
    assert receiver.bodies == [first] * 4
    wait_until(lambda: client.control.state()["deliveries"][0]["state"] == "done")
    assert client.control.state()["deliveries"][0]["attempts"] == [[500], [302], [201], [200]]


def test_event_is_given_up_after_three_more_tries(
    client: WompiClient, receiver: EventReceiver
) -> None:
    receiver.statuses = [500] * 5
    client.create()
    wait_until(lambda: client.control.state()["deliveries"][0]["state"] == "given_up")
    assert len(receiver.bodies) == 4


def test_documented_schedule_is_the_default() -> None:
    assert WompiRail().settings["event_retry_seconds"] == [1800, 10800, 86400]


def test_receiver_that_does_not_listen_counts_as_a_failed_try(client: WompiClient) -> None:
    client.control.set(events_url="http://127.0.0.1:9/events")
    client.create()
    wait_until(lambda: client.control.state()["deliveries"][0]["state"] == "given_up")
    assert client.control.state()["deliveries"][0]["attempts"][0] == ["ClientConnectorError"]


def test_event_comes_twice_if_told(client: WompiClient, receiver: EventReceiver) -> None:
    client.control.set(event_copies=2)
    client.create()
    wait_until(lambda: len(receiver.bodies) == 2)
    assert receiver.bodies[0] == receiver.bodies[1]


def test_event_is_lost_if_told(client: WompiClient, receiver: EventReceiver) -> None:
    client.control.set(event_copies=0)
    client.poll_until(client.create()["id"], "APPROVED")
    assert client.control.state()["deliveries"] == []
    assert receiver.bodies == []


def test_undelivered_event_waits_through_a_restart(receiver: EventReceiver, tmp_path: Path) -> None:
    receiver.statuses = [500]
    settings = {"url_delay_seconds": 0, "events_url": receiver.url, "event_retry_seconds": [0.2]}
    with RunningServer(WompiRail(tmp_path / "wompi.sqlite3", **settings)) as server:
        number = WompiClient(server.url, server.control.url).create()["id"]
        wait_until(lambda: receiver.bodies)
    with RunningServer(WompiRail(tmp_path / "wompi.sqlite3")):
        wait_until(lambda: len(receiver.bodies) == 2)
    assert {body["data"]["transaction"]["id"] for body in receiver.bodies} == {number}


def test_event_comes_late_if_told(client: WompiClient, receiver: EventReceiver) -> None:
    client.control.set(event_delay_seconds=3)
    number = client.create()["id"]
    client.poll_until(number, "APPROVED")
    assert receiver.bodies == []
    one_of(receiver)


def test_events_come_in_reverse_order_if_told(client: WompiClient, receiver: EventReceiver) -> None:
    client.control.set(event_reorder=3)
    made = []
    for _ in range(3):
        made.append(client.create()["id"])
        client.poll_until(made[-1], "APPROVED")
    wait_until(lambda: len(receiver.bodies) == 3)
    assert [body["data"]["transaction"]["id"] for body in receiver.bodies] == made[::-1]


def test_event_comes_before_the_answer_of_the_post_if_told(
    client: WompiClient, receiver: EventReceiver
) -> None:
    client.control.set(event_before_answer=True, pse_resolution="payer", url_delay_seconds=60)
    created = client.create()
    assert created["status"] == "PENDING"
    assert [body["data"]["transaction"]["id"] for body in receiver.bodies] == [created["id"]]
    assert receiver.bodies[0]["data"]["transaction"]["status"] == "APPROVED"


def test_checksum_is_wrong_if_told(client: WompiClient, receiver: EventReceiver) -> None:
    client.control.set(event_checksum="wrong")
    client.create()
    assert not is_genuine(one_of(receiver))


def test_checksum_is_upper_case_or_missing_if_told(
    client: WompiClient, receiver: EventReceiver
) -> None:
    client.control.set(event_checksum="upper", event_header=False)
    client.create()
    body = one_of(receiver)
    assert body["signature"]["checksum"].isupper()
    assert is_genuine(body)
    assert "x-event-checksum" not in receiver.received[0].headers
    client.control.set(event_checksum="missing")
    client.create()
    wait_until(lambda: len(receiver.bodies) == 2)
    assert "checksum" not in receiver.bodies[1]["signature"]


def test_event_is_of_the_other_environment_if_told(
    client: WompiClient, receiver: EventReceiver
) -> None:
    client.control.set(event_environment="other")
    client.create()
    body = one_of(receiver)
    assert body["environment"] == "prod"
    assert is_genuine(body)


def test_properties_are_empty_or_others_if_told(
    client: WompiClient, receiver: EventReceiver
) -> None:
    client.control.set(event_properties=[])
    client.create()
    body = one_of(receiver)
    assert body["signature"]["properties"] == []
    assert is_genuine(body)
    others = ["transaction.reference", "transaction.payment_link_id", "transaction.status"]
    client.control.set(event_properties=others)
    client.create()
    wait_until(lambda: len(receiver.bodies) == 2)
    assert is_genuine(receiver.bodies[1])


def test_amount_of_the_event_is_another_if_told(
    client: WompiClient, receiver: EventReceiver
) -> None:
    client.control.set(event_amount_in_cents=100)
    number = client.create()["id"]
    body = one_of(receiver)
    assert body["data"]["transaction"]["amount_in_cents"] == 100
    assert is_genuine(body)
    assert client.poll(number)["amount_in_cents"] == 2490000


def test_skewed_clock_shows_in_timestamps_and_the_date_header(
    client: WompiClient, receiver: EventReceiver
) -> None:
    client.control.set(clock_skew_seconds=-7200)
    answer = client.post()
    assert abs(one_of(receiver)["timestamp"] + 7200 - time.time()) < 5
    hour = time.strftime("%H", time.gmtime(time.time() - 7200))
    assert answer.headers["date"].split()[4].startswith(f"{hour}:")
    assert answer.json["data"]["created_at"][11:13] == hour


def test_any_event_can_be_sent(client: WompiClient, receiver: EventReceiver) -> None:
    body = {"event": "nequi_token.updated", "data": {"nequi_token": {"id": "nequi_1"}}}
    client.control.call("POST", "events", body)
    assert one_of(receiver)["event"] == "nequi_token.updated"
    stale = {"transaction": {"id": "1", "status": "PENDING", "amount_in_cents": 1}}
    client.control.call("POST", "events", {"event": "transaction.updated", "data": stale})
    wait_until(lambda: len(receiver.bodies) == 2)
    assert is_genuine(receiver.bodies[1])


@pytest.mark.parametrize(
    ("null_as", "boolean_as", "written"), [("", "true", "true"), ("null", "True", "nullTrue")]
)
def test_null_and_boolean_go_into_the_checksum_in_both_ways(
    null_as: str, boolean_as: str, written: str
) -> None:
    data = {"a": {"none": None, "yes": True}}
    found = checksum_of(
        data, ["a.none", "a.yes"], 1, "secret", null_as=null_as, boolean_as=boolean_as
    )
    assert found == checksum_of({"a": written}, ["a"], 1, "secret")
