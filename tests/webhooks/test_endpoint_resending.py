"""Test events, and events that are sent to an endpoint again, over the API."""

from datetime import timedelta
from typing import Any

import pytest

from payments.core import clock
from tests.support.fixtures import ApiClient
from tests.support.outgoing_payments import refusal
from tests.webhooks.conftest import event_ids, publish, run_dispatcher
from tests.webhooks.receivers import Receiver
from tests.webhooks.test_endpoint_deliveries import at_account, endpoint, fresh, without_account
from webhooks.models import Delivery

pytestmark = pytest.mark.django_db(transaction=True)
PATH = "/webhook-endpoints"


@pytest.fixture
def other() -> Any:
    with Receiver() as running:
        yield running


def resend(api: ApiClient, endpoint_id: str, key: str | None = None, **body: Any) -> Any:
    headers = {"Idempotency-Key": key} if key else {}
    return api.post(f"{PATH}/{endpoint_id}/resend", body, headers=headers)


def today(**more: Any) -> dict[str, Any]:
    now = clock.now()
    hour = timedelta(hours=1)
    return {"from": clock.iso(now - hour), "to": clock.iso(now + hour), **more}


def test_a_test_event_goes_to_that_endpoint_alone(
    api: ApiClient, receiver: Receiver, other: Receiver
) -> None:
    made = endpoint(api, other)
    at_account(api, receiver)
    answer = api.post(f"{PATH}/{made['id']}/test")
    assert answer.status_code == 201
    run_dispatcher()
    assert event_ids(other) == [answer.body["data"]["eventId"]]
    assert b'"event":"webhook.test"' in other.requests[0].body
    assert receiver.requests == []

    first = api.get(PATH).body["data"][0]["id"]
    api.post(f"{PATH}/{first}/test")
    run_dispatcher()
    assert (len(receiver.requests), len(other.requests)) == (1, 1)


def test_a_test_event_needs_somewhere_to_go(api: ApiClient, other: Receiver) -> None:
    made = endpoint(api, other, enabled=False)
    without_account(api)
    assert refusal(api.post(f"{PATH}/{made['id']}/test")) == (400, "NOT_ALLOWED")
    first = api.get(PATH).body["data"][0]["id"]
    assert refusal(api.post(f"{PATH}/{first}/test")) == (400, "NO_WEBHOOK_URL")


def test_one_event_is_sent_again_with_the_same_id(api: ApiClient, other: Receiver) -> None:
    made = endpoint(api, other)
    event = publish(without_account(api))
    run_dispatcher()
    answer = resend(api, made["id"], eventId=event.pk)
    assert answer.body["data"] == {"id": made["id"], "events": 1}
    run_dispatcher()
    assert event_ids(other) == [event.pk] * 2
    assert other.requests[0].body == other.requests[1].body


def test_a_new_endpoint_gets_what_happened_before_it(
    api: ApiClient, receiver: Receiver, other: Receiver
) -> None:
    merchant = at_account(api, receiver)
    events = [publish(merchant, number) for number in (1, 2)]
    publish(merchant, 3, kind="payment.failed")
    made = endpoint(api, other)
    assert resend(api, made["id"], **today()).body["data"]["events"] == 2
    run_dispatcher()
    assert sorted(event_ids(other)) == sorted(event.pk for event in events)
    # It has them now.
    assert resend(api, made["id"], **today()).body["data"]["events"] == 0
    assert resend(api, made["id"], **today(onlyMissing=False)).body["data"]["events"] == 2


def test_the_same_key_sends_once(api: ApiClient, other: Receiver) -> None:
    made = endpoint(api, other)
    event = publish(fresh(api))
    before = Delivery.objects.count()
    first = resend(api, made["id"], "again-1", eventId=event.pk)
    again = resend(api, made["id"], "again-1", eventId=event.pk)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.body == first.body
    assert Delivery.objects.count() == before + 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "from"),
        ({"from": "2026-01-01T00:00:00Z"}, "to"),
        ({"from": "2026-01-02T00:00:00Z", "to": "2026-01-02T00:00:00Z"}, "to"),
        ({"from": "2026-01-01T00:00:00Z", "to": "2026-03-01T00:00:00Z"}, "to"),
        ({"from": "yesterday", "to": "2026-03-01T00:00:00Z"}, "from"),
        ({"eventId": "evt_00000000000000000000000000"}, "eventId"),
        ({"eventId": "evt_1", "to": "2026-03-01T00:00:00Z"}, "eventId"),
    ],
)
def test_what_is_to_be_sent_must_be_clear(
    api: ApiClient, other: Receiver, body: dict[str, Any], field: str
) -> None:
    answer = resend(api, endpoint(api, other)["id"], **body)
    assert answer.status_code == 400
    assert answer.body["error"]["details"]["field"] == field


def test_another_merchants_event_is_absent(
    api: ApiClient, stranger_api: ApiClient, other: Receiver
) -> None:
    event = publish(fresh(stranger_api))
    answer = resend(api, endpoint(api, other)["id"], eventId=event.pk)
    assert answer.body["error"]["details"]["field"] == "eventId"
