"""The Python SDK believes what the service signed, and nothing else."""

import hmac
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from merchants.models import Merchant
from merchants.services import new_webhook_secret
from pasarela import Pasarela, WebhookNotGenuine, webhooks
from payments.core import clock
from tests.support.factories import order_body
from webhooks import signing, tasks

BODY = b'{"event":"payment.completed","data":{"id":"col_1","amount":50025},"timestamp":"t"}'
OLD, NEW = new_webhook_secret(), new_webhook_secret()


def signed(secret: str, **more: Any) -> dict[str, str]:
    """As the service signs."""
    given = {"event_id": "evt_1", "attempt": 1, "body": BODY, "at": clock.now(), **more}
    return signing.headers(secret=secret, **given)


def own_only(headers: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in headers.items() if not name.startswith("webhook-")}


def test_a_real_delivery_is_genuine(
    client: Pasarela, merchant: Merchant, httpserver: HTTPServer
) -> None:
    merchant.webhook_url = httpserver.url_for("/hook")
    merchant.save()
    httpserver.expect_request("/hook").respond_with_data("")
    order = client.orders.create(**order_body())
    client.sandbox.order(order["id"], status="COMPLETED")
    tasks.dispatch()
    ((request, _answer),) = httpserver.log
    event = webhooks.verify(request.data, request.headers, merchant.webhook_secret)
    assert event["event"] == "payment.completed"
    assert event["id"] == request.headers["webhook-id"]
    assert event["data"]["id"] == order["id"]
    assert event["data"]["amount"] == order["amount"]


def test_both_signatures_of_the_service_are_genuine() -> None:
    headers = signed(NEW)
    assert webhooks.verify(BODY, headers, NEW)["data"]["amount"] == 50025
    assert webhooks.verify(BODY, own_only(headers), NEW)
    assert webhooks.verify(BODY, {name.title(): text for name, text in headers.items()}, NEW)


def test_rotation_two_secrets_at_the_receiver() -> None:
    for secret in (OLD, NEW):
        assert webhooks.verify(BODY, signed(secret), [OLD, NEW])
        assert webhooks.verify(BODY, own_only(signed(secret)), [OLD, NEW])
    with pytest.raises(WebhookNotGenuine):
        webhooks.verify(BODY, signed(new_webhook_secret()), [OLD, NEW])


def test_rotation_two_values_in_the_header() -> None:
    both = " ".join(signed(secret)["webhook-signature"] for secret in (OLD, NEW))
    headers = {**signed(OLD), "webhook-signature": both}
    for secret in (OLD, NEW):
        assert webhooks.verify(BODY, headers, secret)
    with pytest.raises(WebhookNotGenuine):
        webhooks.verify(BODY, headers, new_webhook_secret())


@pytest.mark.parametrize("part", [dict, own_only], ids=["standard", "own"])
def test_changes_and_old_messages_are_refused(part: Any) -> None:
    headers = part(signed(NEW))
    with pytest.raises(WebhookNotGenuine, match="signature"):
        webhooks.verify(BODY.replace(b"50025", b"99999"), headers, NEW)
    for minutes in (-6, 6):
        at = clock.now() + minutes * clock.now().resolution * 60_000_000
        with pytest.raises(WebhookNotGenuine, match="timestamp"):
            webhooks.verify(BODY, part(signed(NEW, at=at)), NEW)
        assert webhooks.verify(BODY, part(signed(NEW, at=at)), NEW, tolerance=600)


def test_another_event_id_is_refused() -> None:
    with pytest.raises(WebhookNotGenuine):
        webhooks.verify(BODY, {**signed(NEW), "webhook-id": "evt_2"}, NEW)


@pytest.mark.parametrize(
    "headers", [{}, {"webhook-signature": "v1,x"}, {"X-Service-Signature": "é"}]
)
def test_strange_headers_are_refused(headers: dict[str, str]) -> None:
    with pytest.raises(WebhookNotGenuine):
        webhooks.verify(BODY, headers, NEW)


@pytest.mark.parametrize("empty", ["", "whsec_", "secret", [], [NEW, ""]])
def test_an_empty_secret_verifies_nothing(empty: Any) -> None:
    """With an empty key anybody could sign."""
    at = str(int(clock.now().timestamp() * 1000))
    key = empty if isinstance(empty, str) else ""
    mark = hmac.digest(key.encode(), at.encode() + b"." + BODY, "sha256").hex()
    forged = {"X-Service-Timestamp": at, "X-Service-Signature": f"sha256={mark}"}
    for headers in (forged, signed(NEW)):
        with pytest.raises(ValueError, match="secret"):
            webhooks.verify(BODY, headers, empty)


def test_sign_is_what_the_service_sends() -> None:
    at = clock.now()
    made = webhooks.sign(BODY, event_id="evt_1", secret=NEW, at=at.timestamp())
    theirs = signed(NEW, at=at)
    ours_only = {"User-Agent", "Accept-Encoding"}
    assert made == {name: text for name, text in theirs.items() if name not in ours_only}
