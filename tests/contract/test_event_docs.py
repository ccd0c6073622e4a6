"""Every event of the contract is documented, in the OpenAPI document and in docs/webhooks.md."""

import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from merchants.models import Merchant
from payments.collect.models import Order
from payments.collect.services.disputes import dispute_decisions
from payments.collect.services.endings import cancellation
from payments.collect.services.endings.expiry import expire_order
from payments.core import clock
from payments.payout_batches.models import BatchStatus, PayoutBatch
from payments.payout_batches.services import batch_events, payout_creation, steps
from payments.payout_batches.services.steps import Person
from tests.links.conftest import new_link
from tests.links.conftest import pay as pay_link
from tests.payout_batches.test_api import line as batch_line
from tests.support import outgoing_payments, outgoing_requests
from tests.support.charges import create, say, start
from tests.support.fixtures import ApiClient
from tests.support.outgoing_products import KINDS, Kind, id_of
from tests.support.refunds import approve, asked, paid, reject
from tests.support.settlement_days import MONDAY, Till, at
from webhooks import catalogue, services, signing
from webhooks.catalogue import Sent
from webhooks.models import Event

pytestmark = pytest.mark.django_db
SECRET = "whsec_dGhpcyBpcyBhIHNlY3JldCBvZiAzMiBieXRlcyBsb25n"
GUIDE = (Path(__file__).parents[2] / "docs" / "webhooks.md").read_text()
OPTIONAL = catalogue.kinds(Sent.IF_ENABLED)
ALL = [event.kind for event in catalogue.EVENTS]


@pytest.fixture
def document(anonymous: ApiClient) -> dict[str, Any]:
    return json.loads(anonymous.get("/openapi.json").content)


def _pay_out(api: ApiClient, kind: Kind) -> None:
    """One that comes back, and one that fails."""
    for states in (("COMPLETED", "RETURNED"), ("FAILED",)):
        data = outgoing_requests.ask(api, "pending", kind=kind)
        kind.engine.process_due(now=clock.now())
        payment = kind.model.objects.get(pk=id_of(data))
        for state in states:
            outgoing_payments.say(kind.engine, payment, state, reason="ACCOUNT_CLOSED")


def _pay_by_batch_and_link(api: ApiClient, merchant: Merchant) -> None:
    person = Person(actor="paula", reason="x")
    for end in ("done", "cancelled", "rejected"):
        lines = {"lines": [batch_line()]}
        made = api.post("/payout/batches", lines, headers={"Idempotency-Key": end})
        batch_id = made.body["data"]["batchId"]
        if end == "done":
            payout_creation.create_some(batch_id=batch_id, now=clock.now())
            payout_creation.create_some(batch_id=batch_id, now=clock.now())
        elif end == "cancelled":
            steps.pause(batch_id=batch_id, person=person, now=clock.now())
            steps.cancel(batch_id=batch_id, person=person, now=clock.now())
        else:  # only a file can be rejected
            batch = PayoutBatch.objects.get(pk=batch_id)
            batch.status = BatchStatus.REJECTED
            batch_events.publish(batch, clock.now())
    order = pay_link(new_link(merchant))
    api.post(f"/sandbox/collect/{order.pk}", {"status": "COMPLETED"})


@pytest.fixture
def sent(
    api: ApiClient, merchant: Merchant, catalogues: None, settings: Any
) -> list[dict[str, Any]]:
    """Every event there is, as it was really written; several of some kinds."""
    settings.DOORBELL = False
    merchant.event_kinds = OPTIONAL
    merchant.save()
    now = clock.now()
    Till(merchant).collect(at(MONDAY))
    Till(merchant).close(MONDAY)
    api.post("/sandbox/balance", {"currency": "COPM", "amount": 10_000_000})
    for kind in KINDS:
        _pay_out(api, kind)
    whole, part = paid(api), paid(api, metadata={"mesa": 7})
    approve(asked(api, whole))
    approve(asked(api, part, "part", amount=10_000))
    reject(asked(api, part, "no", amount=5_000))
    for kind in ("DISPUTE", "CHARGEBACK"):
        dispute_decisions.open_by_operator(
            order=paid(api),
            claim=dispute_decisions.NewDispute(
                kind=kind,
                amount=Decimal(1000),
                reason="unknown",
                evidence_due_at=now if kind == "DISPUTE" else None,
            ),
            actor="ana",
            now=now,
        )
    failed, expired, cancelled = (create(api) for _ in range(3))
    say(start(failed), "FAILED", reason="INSUFFICIENT_FUNDS")
    expire_order(order=expired, now=now)
    cancellation.cancel_order(order=cancelled, now=now, actor="ana", reason="x")
    _pay_by_batch_and_link(api, merchant)
    services.send_test_event(merchant=merchant, actor="ana", now=now)
    return [json.loads(bytes(event.body)) for event in Event.objects.order_by("id")]


def schema_of(document: dict[str, Any], kind: str) -> dict[str, Any]:
    body = document["webhooks"][kind]["post"]["requestBody"]
    schema = body["content"]["application/json"]["schema"]
    return {**schema, "components": document["components"]}


def fields_of(document: dict[str, Any], kind: str) -> tuple[set[str], set[str]]:
    """(all, required) fields of `data`."""
    schema = schema_of(document, kind)
    for step in (None, "data"):
        if step:
            schema = schema["properties"][step]
        schema = schema.get("allOf", [schema])[0]
        while "$ref" in schema:
            schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return set(schema["properties"]), set(schema.get("required", []))


def test_the_openapi_document_knows_every_kind(document: dict[str, Any]) -> None:
    assert set(document["webhooks"]) == set(ALL)
    for kind, item in document["webhooks"].items():
        assert set(item["post"]["responses"]) == {"200"}, kind
        assert item["post"]["summary"], kind
        assert ("if enabled" in item["post"]["description"]) == (kind in OPTIONAL)


def test_the_openapi_document_knows_the_headers(document: dict[str, Any]) -> None:
    """Those that are really sent, each explained; the usual ones of HTTP aside."""
    sent = signing.headers(event_id="evt_1", attempt=1, body=b"{}", secret=SECRET, at=clock.now())
    usual = {"Content-Type", "User-Agent", "Accept-Encoding"}
    for kind, item in document["webhooks"].items():
        rows = item["post"]["parameters"]
        assert {row["name"] for row in rows} == set(sent) - usual, kind
        for row in rows:
            ours = row["name"].startswith("X-Service-")
            assert (row["in"], row.get("required", False)) == ("header", ours)
            assert row["description"]
            Draft202012Validator(row["schema"]).validate(
                int(sent[row["name"]]) if row["schema"]["type"] == "integer" else sent[row["name"]]
            )


def test_what_is_sent_is_what_is_documented(
    document: dict[str, Any], sent: list[dict[str, Any]]
) -> None:
    assert {body["event"] for body in sent} == set(ALL)
    for body in sent:
        kind = body["event"]
        schema = schema_of(document, kind)
        Draft202012Validator(schema, format_checker=FormatChecker()).validate(body)
        known, required = fields_of(document, kind)
        assert required <= body["data"].keys() <= known, kind


def test_another_kind_or_a_missing_field_is_refused(
    document: dict[str, Any], sent: list[dict[str, Any]]
) -> None:
    """Or else the test above would prove nothing."""
    body = next(body for body in sent if body["event"] == "payment.refunded")
    validator = Draft202012Validator(schema_of(document, "payment.refunded"))
    assert validator.is_valid(body)
    assert not validator.is_valid({**body, "event": "payment.completed"})
    for name in ("refundId", "amount", "remainingAmount"):
        data = {key: value for key, value in body["data"].items() if key != name}
        assert not validator.is_valid({**body, "data": data}), name


@pytest.mark.parametrize("kind", ALL)
def test_the_guide_names_every_kind_with_an_example(kind: str) -> None:
    assert f"| `{kind}` |" in GUIDE


def examples() -> dict[str, dict[str, Any]]:
    """The messages of the guide, by kind."""
    found = re.findall(r"^```json\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)
    messages = [json.loads(text) for text in found]
    return {message["event"]: message for message in messages if "event" in message}


def test_the_guides_examples_are_what_is_sent(
    document: dict[str, Any], sent: list[dict[str, Any]]
) -> None:
    """Each family of payloads is shown whole, with the fields that are really sent."""
    shown = examples()
    families = {
        "payment.completed",
        "payment.partially_refunded",
        "payment.disputed",
        "settlement.closed",
        "payout.failed",
        "topup.completed",
        "bill.completed",
        "batch.done",
        "webhook.test",
    }
    assert families <= set(shown)
    for kind, message in shown.items():
        Draft202012Validator(schema_of(document, kind)).validate(message)
        real = next(body for body in sent if body["event"] == kind)
        assert list(message["data"]) == list(real["data"]), kind
        assert list(message) == list(real)


def test_the_guide_explains_every_field(document: dict[str, Any]) -> None:
    for kind in ALL:
        known, _ = fields_of(document, kind)
        missing = [name for name in sorted(known) if f"`data.{name}`" not in GUIDE]
        assert missing == [], kind


def test_orders_end_as_the_guide_says(sent: list[dict[str, Any]]) -> None:
    """The column data.status of the guide."""
    rows = re.findall(r"^\| `([a-z._]+)` \| ([A-Za-z]+|\(none\)) \|", GUIDE, re.MULTILINE)
    said = dict(rows)
    assert set(said) == set(ALL)
    for body in sent:
        assert body["data"].get("status", "(none)") == said[body["event"]], body["event"]
    assert Order.objects.count() >= 7
