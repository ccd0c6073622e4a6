"""Events of a merchant with several endpoints: who gets what, and who waits for whom."""

import asyncio
import threading
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from merchants.models import Merchant
from payments.core import clock
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from tests.webhooks.conftest import counts, event_ids, publish, run_dispatcher
from tests.webhooks.receivers import Receiver, answering_after
from tests.webhooks.verification import verify_contract, verify_standard
from webhooks import services
from webhooks.models import Delivery, Event

pytestmark = pytest.mark.django_db(transaction=True)
PATH = "/webhook-endpoints"
KINDS = ["payment.completed"]


def endpoint(api: ApiClient, receiver: Receiver, **changes: Any) -> dict[str, Any]:
    answer = api.post(PATH, {"url": receiver.url, "events": KINDS, **changes})
    assert answer.status_code == 201, answer.body
    made: dict[str, Any] = answer.body["data"]
    return made


def without_account(api: ApiClient) -> Merchant:
    """The merchant, whose account has no URL."""
    (first, *_) = api.get(PATH).body["data"]
    assert api.call("PATCH", f"{PATH}/{first['id']}", {"url": None}).status_code == 200
    return fresh(api)


def at_account(api: ApiClient, receiver: Receiver) -> Merchant:
    """The merchant, whose account has this URL."""
    (first, *_) = api.get(PATH).body["data"]
    assert api.call("PATCH", f"{PATH}/{first['id']}", {"url": receiver.url}).status_code == 200
    return fresh(api)


def fresh(api: ApiClient) -> Merchant:
    assert api.merchant is not None
    return Merchant.objects.get(pk=api.merchant.pk)


@pytest.fixture
def other() -> Any:
    with Receiver() as running:
        yield running


def test_each_endpoint_gets_the_event_signed_with_its_own_secret(
    api: ApiClient, receiver: Receiver, other: Receiver
) -> None:
    made = endpoint(api, other)
    merchant = at_account(api, receiver)
    event = publish(merchant)
    run_dispatcher()
    assert event_ids(receiver) == event_ids(other) == [event.pk]
    now = clock.now().timestamp()
    for request, secret in (
        (receiver.requests[0], merchant.webhook_secret),
        (other.requests[0], made["secret"]),
    ):
        assert request.body == bytes(event.body)
        assert verify_contract(request.headers, request.body, secret, int(now * 1000))
        assert verify_standard(request.headers, request.body, secret, now)
    deliveries = Delivery.objects.filter(event=event).order_by("id")
    assert {row.endpoint_id for row in deliveries} == {None, made["id"]}
    assert [row.status for row in deliveries] == ["DELIVERED"] * 2
    # The feed has it once.
    assert [row["id"] for row in api.get("/events").body["data"]] == [event.pk]


def test_an_endpoint_gets_only_its_kinds_and_the_account_only_its_own(
    api: ApiClient, receiver: Receiver, other: Receiver
) -> None:
    endpoint(api, other, events=["payment.expired"])
    merchant = at_account(api, receiver)
    completed = publish(merchant)
    expired = publish(merchant, 2, kind="payment.expired")
    run_dispatcher()
    assert event_ids(receiver) == [completed.pk]
    assert event_ids(other) == [expired.pk]
    unwanted = services.NewEvent(
        merchant=merchant,
        kind="payment.cancelled",
        subject_id="",
        data={},
        now=clock.now(),
    )
    assert services.publish(unwanted) is None


def test_an_account_without_a_url_keeps_no_event_that_an_endpoint_gets(
    api: ApiClient, other: Receiver
) -> None:
    endpoint(api, other)
    publish(without_account(api))
    publish(fresh(api), 2, kind="payment.failed")
    run_dispatcher()
    assert len(other.requests) == 1
    assert counts() == {"DELIVERED": 1, "WAITING": 1}


def test_an_event_is_published_once_for_all_endpoints(
    api: ApiClient, receiver: Receiver, other: Receiver
) -> None:
    endpoint(api, other)
    merchant = at_account(api, receiver)
    publish(merchant, dedupe_key="payment.completed:col_1")
    again = services.NewEvent(
        merchant=merchant,
        kind="payment.completed",
        subject_id="",
        data={},
        now=clock.now(),
        dedupe_key="payment.completed:col_1",
    )
    assert services.publish(again) is None
    assert (Event.objects.count(), Delivery.objects.count()) == (1, 2)


def test_endpoints_cost_an_event_no_further_statement(api: ApiClient, receiver: Receiver) -> None:
    merchant = at_account(api, receiver)
    with CaptureQueriesContext(connection) as alone:
        publish(merchant)
    for _ in range(3):
        endpoint(api, receiver)
    merchant = fresh(api)
    with CaptureQueriesContext(connection) as several:
        publish(merchant, 2)
    assert len(several) == len(alone) == 1
    assert Delivery.objects.count() == 5


def test_endpoints_cost_a_new_order_no_statement(api: ApiClient, receiver: Receiver) -> None:
    api.post("/collect", order_body())
    with CaptureQueriesContext(connection) as alone:
        assert api.post("/collect", order_body(reference="A-2")).status_code == 201
    endpoint(api, receiver)
    with CaptureQueriesContext(connection) as several:
        assert api.post("/collect", order_body(reference="A-3")).status_code == 201
    assert len(several) == len(alone)


def test_a_dead_endpoint_delays_no_other_of_its_merchant(
    api: ApiClient, receiver: Receiver, other: Receiver, settings: Any
) -> None:
    """Its slots are its own: it keeps all of them, and the others' deliveries go out."""
    settings.WEBHOOK_TIMEOUT_SECONDS = settings.WEBHOOK_LEASE_SECONDS = 300
    settings.WEBHOOK_ENDPOINT_CAP = settings.WEBHOOK_MERCHANT_CAP = 2
    ends = asyncio.Event()
    with Receiver(answering_after(ends)) as dead:
        endpoint(api, dead)
        endpoint(api, other)
        merchant = at_account(api, receiver)
        for number in range(20):
            publish(merchant, number)
        sending = threading.Thread(target=run_dispatcher)
        sending.start()
        receiver.wait_for(20)
        other.wait_for(20)
        assert len(dead.requests) == 2
        dead.call(ends.set)
        sending.join(60)
    assert counts() == {"DELIVERED": 60}


def test_an_endpoint_that_is_off_lets_its_deliveries_wait(api: ApiClient, other: Receiver) -> None:
    made = endpoint(api, other)
    event = publish(without_account(api))
    path = f"{PATH}/{made['id']}"
    assert api.call("PATCH", path, {"enabled": False}).status_code == 200
    run_dispatcher()
    assert (other.requests, counts()) == ([], {"WAITING": 1})
    # What happens while it is off goes to the account.
    publish(fresh(api), 2)
    assert Delivery.objects.filter(endpoint=None).count() == 1

    assert api.call("PATCH", path, {"enabled": True}).status_code == 200
    run_dispatcher()
    run_dispatcher()
    assert event_ids(other) == [event.pk]


def test_deliveries_of_a_deleted_endpoint_fail_and_delay_no_other(
    api: ApiClient, receiver: Receiver, other: Receiver
) -> None:
    made = endpoint(api, other)
    off = endpoint(api, other)
    merchant = at_account(api, receiver)
    publish(merchant)
    path = f"{PATH}/{off['id']}"
    api.call("PATCH", path, {"enabled": False})
    run_dispatcher()
    assert counts() == {"DELIVERED": 2, "WAITING": 1}

    publish(merchant, 2)
    for each in (made, off):
        assert api.call("DELETE", f"{PATH}/{each['id']}").status_code == 200
    run_dispatcher()
    run_dispatcher()
    assert len(other.requests) == 1
    assert len(receiver.requests) == 2
    assert counts() == {"DELIVERED": 3, "FAILED": 2}


def test_a_change_of_the_url_takes_the_waiting_deliveries_along(
    api: ApiClient, receiver: Receiver, other: Receiver
) -> None:
    made = endpoint(api, receiver)
    publish(without_account(api))
    api.call("PATCH", f"{PATH}/{made['id']}", {"url": other.url})
    run_dispatcher()
    assert (len(receiver.requests), len(other.requests)) == (0, 1)


def test_resending_a_delivery_goes_where_it_went(api: ApiClient, other: Receiver) -> None:
    endpoint(api, other)
    event = publish(without_account(api))
    run_dispatcher()
    services.resend(event=event, of=Delivery.objects.get(), actor="ana", now=clock.now())
    run_dispatcher()
    assert event_ids(other) == [event.pk] * 2
