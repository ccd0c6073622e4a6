"""POST /sandbox/settlement: the event of a closed day without waiting for midnight."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine

from merchants.models import Merchant
from payments.ledger.models import Posting
from payments.settlement.models import Settlement
from payments.settlement.services import day_closing
from tests.settlement.test_taxes import vat
from tests.support.fixtures import ApiClient
from tests.support.settlement_days import MONDAY, Till, at, night_after
from webhooks.models import Delivery, Event

pytestmark = pytest.mark.django_db
KIND = "settlement.closed"


@pytest.fixture(autouse=True)
def traveller() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(at(MONDAY), tick=False) as clock:
        yield clock


@pytest.fixture
def merchant(merchant: Merchant) -> Merchant:
    merchant.event_kinds = [KIND]
    merchant.save()
    return merchant


def close(api: ApiClient, **body: Any) -> dict[str, Any]:
    response = api.post("/sandbox/settlement", body)
    assert response.status_code == 200, response.content
    return response.body["data"]


def sent() -> list[dict[str, Any]]:
    events = Event.objects.filter(kind=KIND).order_by("id")
    return [json.loads(bytes(event.body)) for event in events]


def test_the_event_has_the_figures_that_the_closing_has_at_night(
    api: ApiClient, merchant: Merchant, traveller: time_machine.Traveller
) -> None:
    vat()
    till = Till(merchant)
    till.collect(at(MONDAY), fee="119")
    answer = close(api, currency="COPM")

    (event,) = sent()
    assert event["data"] == {name: text for name, text in answer.items() if name != "eventId"}
    assert answer["eventId"] == Event.objects.get(kind=KIND).pk
    assert Delivery.objects.get(event=answer["eventId"]).merchant == merchant
    traveller.move_to(night_after(MONDAY))
    till.close(MONDAY)
    closed = max((event["data"] for event in sent()), key=lambda data: data["closedAt"])
    its_own = {"id", "closedAt"}
    assert {**event["data"], **{name: closed[name] for name in its_own}} == closed
    assert (closed["collected"], closed["fee"], closed["tax"], closed["net"]) == (
        50119,
        100,
        19,
        50000,
    )
    assert all(event["data"][name] != closed[name] for name in its_own)


def test_no_settlement_is_stored_and_no_money_moves(api: ApiClient, merchant: Merchant) -> None:
    Till(merchant).collect(at(MONDAY))
    before, figures = Posting.objects.count(), close(api)

    assert (Settlement.objects.count(), Posting.objects.count()) == (0, before)
    assert api.get("/settlements").body["data"] == []
    assert api.get(f"/settlements/{figures['id']}").status_code == 404
    assert day_closing.due_days(night_after(MONDAY)) != []  # the night closes the day as ever


def test_each_request_sends_an_event_of_its_own(api: ApiClient, merchant: Merchant) -> None:
    first, second = close(api), close(api)

    assert first["eventId"] != second["eventId"]
    assert {event["data"]["id"] for event in sent()} == {first["id"], second["id"]}
    assert first["id"] != second["id"]


def test_a_day_without_movements_has_figures_of_zero(api: ApiClient, merchant: Merchant) -> None:
    answer = close(api, currency="BTC")

    assert (answer["date"], answer["currency"]) == ("2026-03-02", "BTC")
    assert (answer["collected"], answer["net"], answer["orderCount"]) == (0, 0, 0)
    assert len(sent()) == 1


def test_the_answer_says_that_the_event_is_not_enabled(api: ApiClient, merchant: Merchant) -> None:
    Merchant.objects.filter(pk=merchant.pk).update(event_kinds=[])

    assert close(api)["eventId"] is None
    assert sent() == []


def test_an_endpoint_that_takes_the_event_gets_it(api: ApiClient, merchant: Merchant) -> None:
    Merchant.objects.filter(pk=merchant.pk).update(event_kinds=[], endpoint_kinds=[KIND])

    assert close(api)["eventId"] is not None


@pytest.mark.parametrize("currency", ["COP", "EUR", 7])
def test_another_currency_is_refused(api: ApiClient, currency: object) -> None:
    response = api.post("/sandbox/settlement", {"currency": currency})

    assert response.status_code == 400
    assert response.body["error"]["details"]["field"] == "currency"
    assert sent() == []


def test_another_merchants_money_is_not_in_the_figures(
    api: ApiClient, stranger_api: ApiClient, merchant: Merchant
) -> None:
    Till(stranger_api.merchant).collect(at(MONDAY))

    assert close(api)["collected"] == 0
