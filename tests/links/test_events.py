"""link.paid: an order of a payment link was paid, for accounts that have enabled it."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from merchants.models import Merchant
from tests.links.conftest import MakeLink, pay
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from webhooks.models import Event

pytestmark = pytest.mark.django_db


def enable(merchant: Merchant, *kinds: str) -> None:
    merchant.event_kinds = list(kinds)
    merchant.save()


def complete(api: ApiClient, order_id: str) -> None:
    response = api.post(f"/sandbox/collect/{order_id}", {"status": "COMPLETED"})
    assert response.status_code == 200, response.content


def told(kind: str) -> list[dict[str, Any]]:
    events = Event.objects.filter(kind=kind).order_by("id")
    return [json.loads(bytes(event.body))["data"] for event in events]


def test_each_paid_order_of_a_link_is_told_with_the_link(
    make_link: MakeLink, api: ApiClient, merchant: Merchant
) -> None:
    enable(merchant, "link.paid")
    link = make_link()
    orders = [pay(link), pay(link)]
    for order in orders:
        complete(api, order.pk)
        order.refresh_from_db()
    assert [data["id"] for data in told("link.paid")] == [order.pk for order in orders]
    first = told("link.paid")[0]
    completed = told("payment.completed")[0]
    assert (completed["traceCode"], completed["attempts"]) == (orders[0].settled_by.trace_code, 1)
    assert first == completed | {
        "linkCode": link.code,
        "linkTitle": "Café de Nariño, 2 libras",
        "linkUrl": link.url,
    }
    assert first["linkId"] == link.pk


def test_order_without_a_link_is_not_told(api: ApiClient, merchant: Merchant) -> None:
    enable(merchant, "link.paid")
    complete(api, api.post("/collect", order_body()).body["data"]["id"])
    assert told("link.paid") == []


def test_account_without_the_event_pays_no_statement_for_it(
    make_link: MakeLink, api: ApiClient, merchant: Merchant
) -> None:
    order = pay(make_link())
    with CaptureQueriesContext(connection) as asked:
        complete(api, order.pk)
    assert told("link.paid") == []
    assert not [query for query in asked if "links_paymentlink" in query["sql"]]
