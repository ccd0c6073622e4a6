"""During a rotation of a webhook secret every SDK takes both secrets; after it, not the old one."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from pytest_httpserver import HTTPServer

from merchants.models import Merchant
from payments.core import clock
from tests.sdks.programs import environment_of
from tests.support.programs import Program
from webhooks import tasks
from webhooks.endpoint_models import EarlierSecret
from webhooks.models import Delivery

if TYPE_CHECKING:
    from pasarela import Pasarela

REFUSED = {"class": "SignatureError", "idempotencyKey": False}
# Message and secrets -> by webhook-signature and by X-Service-Signature: taken or refused.
Verify = Callable[[dict[str, Any], list[str]], list[Any]]


@pytest.fixture
def shop(merchant: Merchant, httpserver: HTTPServer) -> Merchant:
    """A merchant with a receiver that takes everything."""
    merchant.webhook_url = httpserver.url_for("/hook")
    merchant.save()
    httpserver.expect_request("/hook").respond_with_data("")
    return merchant


@pytest.fixture
def program(command: list[str], environment: dict[str, str]) -> Program:
    return Program(command, environment_of(environment))


def last(httpserver: HTTPServer) -> dict[str, Any]:
    """What the service sends to the receiver."""
    tasks.dispatch()
    request, _answer = httpserver.log[-1]
    return {"body": request.data.decode(), "headers": dict(request.headers)}


def check(verify: Verify, message: dict[str, Any], *, taken: str, own: str, refused: str) -> None:
    """`own` is the secret that signs X-Service-Signature."""
    for secret in taken, own:
        assert verify(message, [secret])[0] == "taken"
    assert verify(message, [own])[1] == "taken"
    assert verify(message, [taken, own]) == ["taken", "taken"]
    assert verify(message, [refused]) == [REFUSED, REFUSED]


def days() -> tuple[datetime, datetime]:
    """Around now."""
    return clock.now() - timedelta(days=1), clock.now() + timedelta(days=1)


def end_of_overlap() -> None:
    assert EarlierSecret.objects.update(until=clock.now() - timedelta(seconds=1)) == 1


def test_typescript_and_php_rotate_a_secret_and_take_both(
    program: Program, shop: Merchant, httpserver: HTTPServer
) -> None:
    def verify(message: dict[str, Any], secrets: list[str]) -> list[Any]:
        seen: list[Any] = program.run("refusedWebhooks", {**message, "secrets": secrets})
        return seen

    old, stranger = shop.webhook_secret, "whsec_" + "A" * 44
    rotated = program.run("rotation", {"rotation": {"overlapHours": 24}})
    during = last(httpserver)
    assert Delivery.objects.get().event_id == rotated["eventId"]
    check(verify, during, taken=rotated["secret"], own=old, refused=stranger)
    end_of_overlap()
    first, to = (each.isoformat() for each in days())
    resent = {"id": rotated["id"], "eventId": rotated["eventId"], "from": first, "to": to}
    assert program.run("resend", resent) == [1, 1]
    new = rotated["secret"]
    check(verify, last(httpserver), taken=new, own=new, refused=old)


def test_python_rotates_a_secret_and_takes_both(
    client: "Pasarela", shop: Merchant, httpserver: HTTPServer
) -> None:
    endpoints, old = client.webhook_endpoints, shop.webhook_secret
    (account,) = endpoints.all()
    new = endpoints.rotate_secret(account["id"], contractSignature="NEW")["secret"]
    assert new is not None
    event = endpoints.test(account["id"])["eventId"]
    assert Delivery.objects.get().event_id == event
    check(verify_python, last(httpserver), taken=old, own=new, refused="whsec_" + "A" * 44)
    end_of_overlap()
    assert endpoints.resend(account["id"], event)["events"] == 1
    check(verify_python, last(httpserver), taken=new, own=new, refused=old)
    assert endpoints.resend_range(account["id"], *days())["events"] == 0  # it has them all
    again = endpoints.resend_range(account["id"], *days(), only_missing=False)
    assert again == {"id": account["id"], "events": 1}


def verify_python(message: dict[str, Any], secrets: list[str]) -> list[Any]:
    from pasarela import WebhookNotGenuine, webhooks

    def told(headers: dict[str, str]) -> Any:
        try:
            webhooks.verify(message["body"].encode(), headers, secrets)
        except WebhookNotGenuine:
            return REFUSED
        return "taken"

    headers: dict[str, str] = message["headers"]
    own = {name: text for name, text in headers.items() if not name.lower().startswith("webhook-")}
    return [told(headers), told(own)]
