"""An event as docs/recipes/event.md adds it: one entry of the catalogue, and the rest follows."""

import json
import re
import textwrap
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from rest_framework import serializers

import webhooks.services
from config.devstack.options import PROJECT
from merchants.models import Merchant
from payments.api.reference.document import generate
from payments.core import clock
from tests.admin.conftest import Console, ana  # noqa: F401  a fixture
from tests.admin.test_merchants import NO_KEYS
from webhooks import catalogue, services
from webhooks.catalogue import EventKind, Sent
from webhooks.management.commands.write_event_table import FILE
from webhooks.models import Delivery, Event

KIND = "order.shipped"


class ShippedPayload(serializers.Serializer[Any]):
    id = serializers.CharField()
    carrier = serializers.CharField(help_text="Who has the parcel.")


@pytest.fixture(params=list(Sent))
def sent(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Sent:
    """The toy event is in the catalogue, once with each rule of sending."""
    payload = f"{__name__}.ShippedPayload"
    toy = EventKind(KIND, "", payload, "The parcel is on its way", request.param)
    monkeypatch.setattr(catalogue, "EVENTS", [*catalogue.EVENTS, toy])
    return toy.sent


only_optional = pytest.mark.parametrize("sent", [Sent.IF_ENABLED], indirect=True)


def publish(merchant: Merchant) -> Event | None:
    data = ShippedPayload({"id": "col_1", "carrier": "Servientrega"}).data
    return services.publish(
        services.NewEvent(
            merchant=merchant, kind=KIND, subject_id="col_1", data=data, now=clock.now()
        )
    )


def test_event_of_the_catalogue_is_published_where_the_account_gets_it(
    merchant: Merchant, sent: Sent
) -> None:
    assert (publish(merchant) is None) == (sent is Sent.IF_ENABLED)
    merchant.event_kinds = [KIND]
    event = publish(merchant)
    assert event is not None
    assert json.loads(bytes(event.body))["data"] == {"id": "col_1", "carrier": "Servientrega"}
    assert Delivery.objects.filter(event=event).exists()


@only_optional
def test_code_of_the_recipe_publishes_the_event(merchant: Merchant, sent: Sent) -> None:
    merchant.event_kinds = [KIND]
    page = (PROJECT / "docs/recipes/event.md").read_text()
    blocks = re.findall(r"^ *```python\n(.*?)^ *```", page, re.S | re.M)
    names: dict[str, Any] = {"serializers": serializers, "webhooks": webhooks, "now": clock.now()}
    names |= {"EventKind": EventKind, "parcel": {"id": "col_1", "carrier": "Servientrega"}}
    names["order"] = SimpleNamespace(pk="col_1", merchant=merchant)
    for block in blocks:
        exec(textwrap.dedent(block), names)  # noqa: S102  it is our own document
    (event,) = Event.objects.filter(kind=KIND)
    assert (event.subject_id, len(blocks)) == ("col_1", 3)


def test_event_of_the_catalogue_is_in_the_openapi_document(sent: Sent) -> None:
    document = generate()
    post = document["webhooks"][KIND]["post"]
    assert post["summary"] == "The parcel is on its way"
    assert ("if enabled" in post["description"]) == (sent is Sent.IF_ENABLED)
    message = document["components"]["schemas"]["OrderShippedEvent"]
    assert message["properties"]["event"]["const"] == KIND
    data = document["components"]["schemas"]["ShippedPayload"]["properties"]
    assert data["carrier"]["description"] == "Who has the parcel."


def test_operator_enables_an_optional_event_of_the_catalogue_in_the_console(
    ana: User,  # noqa: F811
    merchant: Merchant,
    sent: Sent,
) -> None:
    console = Console()
    console.force_login(ana)
    page = console.page("merchants_merchant_change", merchant.pk).content.decode()
    assert (f'value="{KIND}"' in page) == (sent is Sent.IF_ENABLED)
    fields = ("name", "email", "webhook_url", "currencies", "methods")
    form = {name: getattr(merchant, name) for name in fields} | {**NO_KEYS, "event_kinds": [KIND]}
    answer = console.submit("merchants_merchant_change", merchant.pk, **form)
    merchant.refresh_from_db()
    assert answer.status_code == (302 if sent is Sent.IF_ENABLED else 200)
    assert merchant.event_kinds == ([KIND] if sent is Sent.IF_ENABLED else [])


@only_optional
def test_create_merchant_enables_an_optional_event_of_the_catalogue(
    db: None, sent: Sent, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("create_merchant", "Tienda", "--event", KIND)
    merchant = Merchant.objects.get(pk=json.loads(capsys.readouterr().out)["merchantId"])
    assert merchant.event_kinds == [KIND]


@only_optional
def test_event_of_the_catalogue_is_in_the_table_of_the_guide(sent: Sent, tmp_path: Any) -> None:
    guide = tmp_path / "webhooks.md"
    guide.write_text(FILE.read_text())
    call_command("write_event_table", "--file", str(guide))
    row = f"| `{KIND}` | (none) | The parcel is on its way | {sent} | shipped |\n"
    assert row in guide.read_text()
    assert guide.read_text().replace(row, "") == FILE.read_text()


def test_table_of_the_guide_is_what_the_catalogue_says() -> None:
    call_command("write_event_table", "--check")


@only_optional
def test_event_of_the_catalogue_needs_no_migration(db: None, sent: Sent) -> None:
    call_command("makemigrations", "--check", "--dry-run")
