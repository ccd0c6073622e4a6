"""POST, GET and PATCH /links."""

from typing import Any

import pytest

from payments.core.models import AuditEntry
from payments.links.models import PaymentLink
from tests.links.conftest import pay
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db
BODY = {"title": "Café de Nariño", "amount": 50000}


def created(api: ApiClient, **changes: Any) -> dict[str, Any]:
    answer = api.post("/links", {**BODY, **changes})
    assert answer.status_code == 201, answer.body
    return answer.body["data"]


def test_merchant_creates_a_link_and_gets_its_address(api: ApiClient) -> None:
    link = created(api)
    assert link["url"].startswith("http://testserver/l/")
    assert (link["status"], link["availability"], link["left"]) == ("ACTIVE", "PAYABLE", None)
    assert link["ask"] == {
        "name": "REQUIRED",
        "email": "REQUIRED",
        "document": "NONE",
        "phone": "NONE",
    }
    assert link["statistics"]["paid"] == 0
    assert api.get(f"/links/{link['id']}").body["data"] == link
    assert api.get("/links").body["data"] == [link]
    assert AuditEntry.objects.filter(action="link.created", subject_id=link["id"]).exists()


def test_every_field_of_a_link_comes_back_as_it_was_sent(api: ApiClient) -> None:
    sent = {
        "description": "Molido, 500 g",
        "amount": None,
        "minAmount": 5000,
        "maxAmount": 900000,
        "ask": {"name": "OPTIONAL", "email": "NONE", "document": "REQUIRED", "phone": "OPTIONAL"},
        "fields": [{"label": "Mesa", "required": True}, {"label": "Nota", "required": False}],
        "maxUses": 30,
        "stock": 20,
        "expiresAt": "2099-12-31T23:59:59.000Z",
        "callbackUrl": "https://cafeandino.example/gracias",
    }
    link = created(api, **sent)
    assert {name: link[name] for name in sent} == sent
    assert link["left"] == 20


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"title": ""}, "title"),
        ({"amount": 999}, "amount"),
        ({"amount": 50000.001}, "amount"),
        ({"amount": 5000, "minAmount": 2000}, "amount"),
        ({"amount": None, "minAmount": 9000, "maxAmount": 5000}, "maxAmount"),
        ({"currency": "EUR"}, "currency"),
        ({"maxUses": 0}, "maxUses"),
        ({"stock": -1}, "stock"),
        ({"expiresAt": "2020-01-01T00:00:00Z"}, "expiresAt"),
        ({"expiresAt": "mañana"}, "expiresAt"),
        ({"callbackUrl": "http://cafeandino.example"}, "callbackUrl"),
        ({"fields": [{"label": f"Campo {n}"} for n in range(6)]}, "fields"),
        ({"fields": [{"label": "Mesa"}, {"label": "mesa"}]}, "fields"),
        ({"ask": {"name": "MAYBE"}}, "ask.name"),
    ],
)
def test_wrong_field_is_named(api: ApiClient, changes: dict[str, Any], field: str) -> None:
    answer = api.post("/links", {**BODY, **changes})
    assert (answer.status_code, answer.body["error"]["details"]["field"]) == (400, field)
    assert not PaymentLink.objects.exists()


def test_currency_that_the_account_does_not_have_is_refused(api: ApiClient) -> None:
    api.merchant.currencies = ["COP"]
    api.merchant.save()
    answer = api.post("/links", {**BODY, "currency": "USDC"})
    assert answer.body["error"]["details"]["field"] == "currency"


def test_same_key_and_body_return_the_same_link(api: ApiClient) -> None:
    first, again = (
        api.post("/links", BODY, headers={"Idempotency-Key": "link-1"}) for _each in range(2)
    )
    assert first.body["data"]["id"] == again.body["data"]["id"]
    assert again.headers["Idempotent-Replayed"] == "true"
    other = api.post("/links", {**BODY, "amount": 1000}, headers={"Idempotency-Key": "link-1"})
    assert other.body["error"]["code"] == "IDEMPOTENCY_KEY_REUSED"


def test_link_changes_and_its_orders_keep_what_they_have(api: ApiClient) -> None:
    link = created(api)
    order = pay(PaymentLink.objects.get(pk=link["id"]))
    changed = api.call(
        "PATCH", f"/links/{link['id']}", {"amount": 60000, "ask": {"phone": "OPTIONAL"}}
    )
    assert changed.body["data"]["amount"] == 60000
    assert changed.body["data"]["ask"]["phone"] == "OPTIONAL"
    assert changed.body["data"]["ask"]["name"] == "REQUIRED"
    assert api.get(f"/collect/{order.pk}").body["data"]["baseAmount"] == 50000


def test_fixed_amount_does_not_become_open(api: ApiClient) -> None:
    link = created(api)
    answer = api.call("PATCH", f"/links/{link['id']}", {"amount": None})
    assert answer.body["error"]["details"]["field"] == "amount"


def test_link_is_paused_resumed_and_ended_for_ever(api: ApiClient) -> None:
    address = f"/links/{created(api)['id']}"
    for status in ("PAUSED", "ACTIVE", "ENDED"):
        assert api.call("PATCH", address, {"status": status}).body["data"]["status"] == status
    answer = api.call("PATCH", address, {"status": "ACTIVE"})
    assert (answer.status_code, answer.body["error"]["code"]) == (400, "NOT_ALLOWED")


def test_order_and_its_events_name_the_link(api: ApiClient) -> None:
    link = created(api)
    order = pay(PaymentLink.objects.get(pk=link["id"]))
    api.post(f"/sandbox/collect/{order.pk}", {"status": "COMPLETED"})
    read = api.get(f"/collect/{order.pk}").body["data"]
    assert read["linkId"] == link["id"]
    assert read["customer"]["documentType"] == ""
    events = [event["data"] for event in api.get("/events").body["data"]]
    assert any(data.get("linkId") == link["id"] for data in events)
    assert api.get(f"/links/{link['id']}").body["data"]["statistics"]["collected"] == 50000


def test_links_of_another_merchant_are_not_found(api: ApiClient, stranger_api: ApiClient) -> None:
    link = created(api)
    for answer in (
        stranger_api.get(f"/links/{link['id']}"),
        stranger_api.call("PATCH", f"/links/{link['id']}", {"amount": 1000}),
        api.get("/links/lnk_nothing"),
    ):
        assert (answer.status_code, answer.body["error"]["code"]) == (404, "NOT_FOUND")
    assert stranger_api.get("/links").body["data"] == []


def test_list_filters_by_status(api: ApiClient) -> None:
    kept, paused = created(api), created(api)
    api.call("PATCH", f"/links/{paused['id']}", {"status": "PAUSED"})
    found = api.get("/links?status=PAUSED")
    assert [link["id"] for link in found.body["data"]] == [paused["id"]]
    assert found.headers["X-Total-Count"] == "1"
    assert kept["id"] != paused["id"]
