"""/webhook-endpoints over HTTP: creating, reading, changing and deleting them, and who may."""

from typing import Any

import pytest
from django.db import connection

from merchants.models import Merchant
from payments.core.models import AuditEntry
from tests.support.factories import issue_key
from tests.support.fixtures import ApiClient
from tests.support.outgoing_payments import refusal
from webhooks.endpoint_models import ENDPOINTS_MAX, Endpoint

pytestmark = pytest.mark.django_db
URL = "https://tienda.example/hooks"
BODY = {"url": URL, "events": ["payment.completed", "refund.completed"]}
PATH = "/webhook-endpoints"


def created(api: ApiClient, **changes: Any) -> dict[str, Any]:
    answer = api.post(PATH, {**BODY, **changes})
    assert answer.status_code == 201, answer.body
    made: dict[str, Any] = answer.body["data"]
    return made


def changed(api: ApiClient, endpoint: dict[str, Any], **changes: Any) -> Any:
    return api.call("PATCH", f"{PATH}/{endpoint['id']}", changes)


def account(api: ApiClient) -> dict[str, Any]:
    first: dict[str, Any] = api.get(PATH).body["data"][0]
    return first


def test_a_merchant_creates_an_endpoint_and_sees_its_secret_once(api: ApiClient) -> None:
    made = created(api, description="Tienda")
    secret = made.pop("secret")
    assert secret.startswith("whsec_")
    assert made["id"].startswith("whe_")
    assert (made["url"], made["events"], made["description"]) == (URL, BODY["events"], "Tienda")
    assert (made["enabled"], made["account"]) == (True, False)
    read = api.get(f"{PATH}/{made['id']}")
    assert read.body["data"] == made
    assert secret not in api.get(PATH).content.decode()
    assert Endpoint.objects.get().secret == secret
    with connection.cursor() as cursor:
        cursor.execute("SELECT secret FROM webhooks_endpoint")
        assert secret not in str(cursor.fetchall())


def test_the_url_of_the_account_is_the_first_endpoint(api: ApiClient) -> None:
    changed(api, account(api), url=None)
    first = account(api)
    assert (first["url"], first["enabled"], first["account"]) == (None, False, True)
    assert first["events"] == ["payment.completed", "payment.failed"]
    made = created(api)
    answer = api.get(PATH)
    assert [each["id"] for each in answer.body["data"]] == [first["id"], made["id"]]
    assert answer.headers["X-Total-Count"] == "2"
    assert api.get(f"{PATH}/{first['id']}").body["data"] == first


def test_a_merchant_sets_url_and_events_of_the_account(api: ApiClient, merchant: Merchant) -> None:
    always = ["payment.completed", "payment.failed"]
    answer = changed(api, account(api), url=URL, events=["payment.expired", *always])
    assert answer.status_code == 200, answer.body
    assert answer.body["data"]["events"] == [*always, "payment.expired"]
    assert answer.body["data"]["enabled"] is True
    merchant.refresh_from_db()
    assert (merchant.webhook_url, merchant.event_kinds) == (URL, ["payment.expired"])
    assert AuditEntry.objects.filter(action="merchant.changed").count() == 1

    assert changed(api, account(api), url=None).body["data"]["url"] is None
    merchant.refresh_from_db()
    assert merchant.webhook_url == ""


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"events": ["payment.completed"]}, "events"),
        ({"enabled": False}, "enabled"),
        ({"description": "x"}, "description"),
        ({"url": "http://169.254.169.254/"}, "url"),
    ],
)
def test_the_endpoint_of_the_account_keeps_what_the_contract_gives_it(
    api: ApiClient, changes: dict[str, Any], field: str
) -> None:
    answer = changed(api, account(api), **changes)
    assert answer.status_code == 400
    assert answer.body["error"]["details"]["field"] == field


def test_the_endpoint_of_the_account_cannot_be_deleted(api: ApiClient) -> None:
    answer = api.call("DELETE", f"{PATH}/{account(api)['id']}")
    assert refusal(answer) == (400, "NOT_ALLOWED")


def test_a_merchant_changes_an_endpoint(api: ApiClient) -> None:
    made = created(api)
    other = "https://otra.example/h"
    answer = changed(api, made, url=other, events=["payout.failed"], enabled=False, description="B")
    assert answer.status_code == 200, answer.body
    now = answer.body["data"]
    assert (now["url"], now["events"], now["description"]) == (other, ["payout.failed"], "B")
    assert now["enabled"] is False
    entry = AuditEntry.objects.get(action="webhook_endpoint.changed")
    assert entry.subject_id == made["id"]
    assert entry.details["old"]["url"] == URL
    # What is left out stays, and a change of nothing leaves no trace.
    assert changed(api, made, description="B").body["data"] == now
    assert AuditEntry.objects.filter(action="webhook_endpoint.changed").count() == 1


def test_a_deleted_endpoint_is_absent(api: ApiClient) -> None:
    made = created(api)
    answer = api.call("DELETE", f"{PATH}/{made['id']}")
    assert answer.status_code == 200
    assert answer.body["data"] == {"id": made["id"], "deleted": True}
    assert len(api.get(PATH).body["data"]) == 1
    for again in (
        api.get(f"{PATH}/{made['id']}"),
        changed(api, made, description="x"),
    ):
        assert refusal(again) == (404, "NOT_FOUND")
    # The answer may have been lost.
    assert api.call("DELETE", f"{PATH}/{made['id']}").body == answer.body
    assert AuditEntry.objects.filter(action="webhook_endpoint.deleted").count() == 1


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"url": ""}, "url"),
        ({"url": None}, "url"),
        ({"url": "ftp://tienda.example"}, "url"),
        ({"url": "https://user:word@tienda.example"}, "url"),
        ({"url": "http://169.254.169.254/latest"}, "url"),
        ({"url": "https://tienda.example:22/"}, "url"),
        ({"events": []}, "events"),
        ({"events": ["payment.complete"]}, "events"),
        ({"events": ["webhook.test"]}, "events"),
        ({"events": "payment.completed"}, "events"),
        ({"enabled": "yes"}, "enabled"),
        ({"description": "x" * 201}, "description"),
    ],
)
def test_an_endpoint_that_cannot_work_is_refused(
    api: ApiClient, changes: dict[str, Any], field: str
) -> None:
    answer = api.post(PATH, {**BODY, **changes})
    assert answer.status_code == 400
    assert answer.body["error"]["details"]["field"] == field
    assert not Endpoint.objects.exists()


def test_private_addresses_are_refused_in_production(api: ApiClient, settings: Any) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = False
    for url in ("http://127.0.0.1:9000/h", "http://localhost/h", "http://10.0.0.8/h"):
        answer = api.post(PATH, {**BODY, "url": url})
        assert answer.body["error"]["message"] == "url: This address cannot receive webhooks."
    settings.WEBHOOK_ALLOW_PRIVATE = True
    assert api.post(PATH, {**BODY, "url": "http://127.0.0.1:9000/h"}).status_code == 201


def test_a_merchant_has_at_most_sixteen(api: ApiClient) -> None:
    made = [created(api) for _ in range(ENDPOINTS_MAX - 1)]
    assert refusal(api.post(PATH, BODY)) == (400, "NOT_ALLOWED")
    assert len(api.get(PATH).body["data"]) == 16
    api.call("DELETE", f"{PATH}/{made[0]['id']}")
    assert api.post(PATH, BODY).status_code == 201


def test_the_same_key_creates_one_endpoint(api: ApiClient) -> None:
    headers = {"Idempotency-Key": "tienda-1"}
    first = api.post(PATH, BODY, headers=headers)
    again = api.post(PATH, BODY, headers=headers)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.body == first.body
    assert Endpoint.objects.count() == 1
    # A day later it is no way to read the secret.
    Endpoint.objects.update(created_at="2026-01-01T00:00:00Z")
    assert api.post(PATH, BODY, headers=headers).body["data"]["secret"] is None


def test_unknown_parameters_are_refused(api: ApiClient) -> None:
    assert api.get(f"{PATH}?page=2").status_code == 400
    assert [len(api.get(f"{PATH}?limit=1&offset={n}").body["data"]) for n in (0, 1)] == [1, 0]


def test_a_key_without_the_permission_only_reads(api: ApiClient, merchant: Merchant) -> None:
    made = created(api)
    reader = ApiClient(merchant)
    key, secret = issue_key(merchant, ("payout:create",))
    reader.headers = {"X-Api-Key": key.public_key, "X-Api-Secret": secret}
    assert reader.get(f"{PATH}/{made['id']}").status_code == 200
    assert reader.get(PATH).status_code == 200
    for answer in (
        reader.post(PATH, BODY),
        changed(reader, made, enabled=False),
        reader.call("DELETE", f"{PATH}/{made['id']}"),
    ):
        assert refusal(answer) == (403, "FORBIDDEN")


def test_no_audit_row_has_a_secret(api: ApiClient) -> None:
    secret = created(api)["secret"]
    shown = str(list(AuditEntry.objects.values()))
    assert "webhook_endpoint.created" in shown
    assert secret not in shown
