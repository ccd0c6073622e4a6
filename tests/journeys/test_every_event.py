"""Every kind of event: brought about from the outside, it arrives signed, with exactly what
docs/webhooks.md and the OpenAPI document say, where the account has it enabled; and nowhere else.

The stories of the contract's table are here, those of additions in added_events.py.
"""

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest
import time_machine
from django.test import Client
from jsonschema import Draft202012Validator, FormatChecker

from merchants.models import Merchant
from payments.api.reference.document import document
from payments.collect import tasks as collect
from payments.collect.models import Charge, Dispute
from payments.core import jsontext
from payments.providers.ports import DisputeKind, DisputeState
from payments.settlement import tasks as settlement
from tests.admin.conftest import Console
from tests.admin.test_merchants import NO_KEYS
from tests.journeys import added_events  # noqa: F401  its stories
from tests.journeys.event_world import METADATA, STORIES, World, order_part, tells
from tests.journeys.test_after_payment import ana, ask, buy, contest, gift  # noqa: F401
from tests.support.fixtures import ApiClient
from tests.support.journey import (  # noqa: F401  its fixtures, too
    Receiver,
    _books_add_up,
    api,
    create,
    merchant,
    pay_at_the_bank,
    payer,
    receiver,
)
from webhooks import catalogue
from webhooks import tasks as webhooks
from webhooks.catalogue import Sent
from webhooks.models import Delivery

# Fixtures are arguments named as the functions above.
# ruff: noqa: F811
pytestmark = pytest.mark.django_db(transaction=True)
NOON = datetime(2026, 3, 2, 17, 0, 0, 123000, UTC)  # in Bogotá
ALWAYS = {"payment.completed", "payment.failed"}
PRODUCTS = ("payout_enabled", "topup_enabled", "bills_enabled", "direct_api_enabled")
# The contract's table, row by row.
KINDS = {
    "payment.completed",
    "payment.failed",
    "payment.expired",
    "payment.cancelled",
    "payment.confirmed",
    "payment.refunded",
    "payment.partially_refunded",
    "payment.chargeback",
    "payment.disputed",
    "refund.requested",
    "refund.approved",
    "refund.rejected",
    "refund.completed",
    "settlement.closed",
}


def refund_part(
    refund: dict[str, Any], amount: int, total: int, at: str, **moments: str
) -> dict[str, Any]:
    return {
        "refundId": refund["id"],
        "refundedAmount": amount,
        "remainingAmount": 50025 - total,
        "totalRefunded": total,
        "reason": "cold coffee",
        "requestedAt": at,
        **moments,
    }


def sell(world: World) -> dict[str, Any]:
    """An order that is paid at the bank, at noon; its part of every later event."""
    noon = world.at("2026-03-02T17:00:00.123Z")
    paid = order_part(buy(world.api, world.payer, metadata=METADATA), "COMPLETED", noon)
    charge = Charge.objects.get()
    paid_by = {"traceCode": charge.trace_code, "failureReason": None, "attempts": 1}
    world.expect("payment.completed", noon, paid, paid_by)
    world.expect("payment.confirmed", noon, paid)
    return paid


@tells("payment.completed", "payment.confirmed")
def it_is_paid(world: World) -> None:
    sell(world)


@tells("payment.failed")
def the_bank_refuses(world: World) -> None:
    order = create(world.api, metadata=METADATA)
    at = world.at("2026-03-02T17:02:00.456Z")
    pay_at_the_bank(world.payer, order, "refuse")
    charge = Charge.objects.get()
    trace_code = charge.trace_code or None
    why = {"traceCode": trace_code, "failureReason": charge.failure_reason, "attempts": 1}
    world.expect("payment.failed", at, order_part(order, "FAILED", None), why)


@tells("payment.expired")
def expires_unpaid(world: World) -> None:
    order = create(world.api, metadata=METADATA, expirationMinutes=5)
    world.at("2026-03-02T17:04:59.000Z")
    collect.expire_due()
    at = world.at("2026-03-02T17:05:01.000Z")
    collect.expire_due()
    collect.expire_due()
    world.expect("payment.expired", at, order_part(order, "EXPIRED", None))


@tells("payment.cancelled")
def the_merchant_cancels(world: World) -> None:
    order = create(world.api, metadata=METADATA)
    at = world.at("2026-03-02T17:03:00.000Z")
    for _ in range(2):
        assert world.api.post(f"/collect/{order['id']}/cancel").status_code == 200
    world.at("2026-03-02T19:00:00.000Z")
    collect.expire_due()
    world.expect("payment.cancelled", at, order_part(order, "EXPIRED", None))


def give_back(world: World, paid: dict[str, Any], amount: int, before: int, hour: int) -> None:
    """Asked for, approved and returned: all of what is left, or a part."""
    asked_at = world.at(f"2026-03-02T{hour}:00:00.001Z")
    refund = ask(world.api, paid, f"r-{hour}", amount=amount)
    world.expect("refund.requested", asked_at, paid, refund_part(refund, amount, before, asked_at))

    approved_at = world.at(f"2026-03-02T{hour}:10:00.020Z")
    assert world.ana.submit("collect_refund_approve", refund["id"]).status_code == 302
    moments = {"approvedAt": approved_at}
    part = refund_part(refund, amount, before, asked_at, **moments)
    world.expect("refund.approved", approved_at, paid, part)

    sent_at = world.at(f"2026-03-02T{hour}:20:00.300Z")
    collect.process_due()
    shown = world.api.get(f"/collect/{paid['id']}/refunds").body["data"]
    (done_at,) = [row["completedAt"] for row in shown if row["id"] == refund["id"]]
    assert sent_at <= done_at < f"2026-03-02T{hour}:20:10"  # the rail's time to answer is counted
    moments["completedAt"] = done_at
    part = refund_part(refund, amount, before + amount, asked_at, **moments)
    world.expect("refund.completed", done_at, paid, part)
    is_all = before + amount == paid["amount"]
    kind = "payment.refunded" if is_all else "payment.partially_refunded"
    world.expect(kind, done_at, paid, part)


@tells(
    *("payment.completed", "payment.confirmed", "refund.requested", "refund.approved"),
    *("refund.completed", "payment.partially_refunded", "payment.refunded"),
)
def all_goes_back_in_two_parts(world: World) -> None:
    gift(world.api)
    paid = sell(world)
    give_back(world, paid, 20000, 0, 18)
    give_back(world, paid, 30025, 20000, 19)


@tells("payment.completed", "payment.confirmed", "refund.requested", "refund.rejected")
def a_refund_is_rejected(world: World) -> None:
    paid = sell(world)
    asked_at = world.at("2026-03-02T18:00:00.001Z")
    refund = ask(world.api, paid, "r-1", amount=20000)
    world.expect("refund.requested", asked_at, paid, refund_part(refund, 20000, 0, asked_at))
    rejected_at = world.at("2026-03-02T18:30:00.020Z")
    assert world.ana.submit("collect_refund_reject", refund["id"]).status_code == 302
    part = refund_part(refund, 20000, 0, asked_at, rejectedAt=rejected_at)
    world.expect("refund.rejected", rejected_at, paid, part)


@tells("payment.completed", "payment.confirmed", "payment.disputed", "payment.chargeback")
def a_dispute_is_lost(world: World) -> None:
    paid = sell(world)
    at = world.at("2026-03-05T14:00:00.777Z")
    for state, kind in (
        (DisputeState.OPEN, "payment.disputed"),
        (DisputeState.LOST, "payment.chargeback"),
    ):
        contest(paid, DisputeKind.DISPUTE, state)
        part = {
            "disputeId": Dispute.objects.get().pk,
            "disputedAmount": 50025,
            "reason": "unknown to the payer",
            "openedAt": at,
            "evidenceDueAt": "2026-03-15T14:00:00.777Z",
        }
        world.expect(kind, at, paid, part)


@tells(
    *("payment.completed", "payment.confirmed", "refund.requested", "refund.approved"),
    *("refund.completed", "payment.partially_refunded", "settlement.closed"),
)
def a_day_is_closed(world: World) -> None:
    rule = {"name": "IVA", "kind": "INCLUDED", "rate": "19", "valid_from": "2026-03-02"}
    assert world.ana.submit("settlement_taxrule_add", **rule).status_code == 302
    paid = sell(world)
    create(world.api)  # no payer pays it
    give_back(world, paid, 20000, 0, 18)
    world.at("2026-03-03T05:09:59.999Z")  # 00:09 in Bogotá
    settlement.close_due()
    assert world.api.get("/settlements").body["data"] == []

    at = world.at("2026-03-03T05:10:00.000Z")
    for _ in range(2):
        settlement.close_due()
    (closed,) = world.api.get("/settlements").body["data"]
    data = {
        "id": closed["id"],
        "date": "2026-03-02",
        "timezone": "America/Bogota",
        "currency": "COPM",
        "collected": 50025,
        "fee": 21,
        "tax": 4,
        "net": 50000,
        "refunded": 20000,
        "orderCount": 1,
        "refundCount": 1,
        "closedAt": at,
    }
    assert {name: closed[name] for name in data} == data
    world.expect("settlement.closed", at, data)


@pytest.fixture(autouse=True)
def _noon() -> Iterator[time_machine.Traveller]:
    """Nothing of a story is as old as the real clock says."""
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def world(api: ApiClient, payer: Client, ana: Console, _noon: time_machine.Traveller) -> World:
    return World(api, payer, ana, _noon)


def enable(ana: Console, merchant: Merchant, kinds: list[str]) -> None:
    """As an operator does, on the console's form of the account; it was otherwise before."""
    others = [kind for kind in catalogue.kinds(Sent.IF_ENABLED) if kind not in kinds]
    Merchant.objects.filter(pk=merchant.pk).update(event_kinds=others)
    fields = ("name", "email", "webhook_url", "currencies", "methods")
    form = {name: getattr(merchant, name) for name in fields}
    form |= {**NO_KEYS, "event_kinds": kinds, **dict.fromkeys(PRODUCTS, "on")}
    assert ana.submit("merchants_merchant_change", merchant.pk, **form).status_code == 302


def arrived(receiver: Receiver) -> list[dict[str, Any]]:
    """Every event that came, each with the contract's signature over its raw body."""
    with time_machine.travel(datetime.now(UTC), tick=True):  # a network needs a clock that goes
        ends_at = time.monotonic() + 60
        while Delivery.objects.filter(status="PENDING").exists() and time.monotonic() < ends_at:
            webhooks.dispatch()
        events = receiver.believed()
    ids = {post.headers["X-Service-Event-Id"] for post in receiver.posts}
    assert len(ids) == len(receiver.posts) == len(events)
    return events


@cache
def published() -> dict[str, Any]:
    """The OpenAPI document as a merchant downloads it."""
    return json.loads(jsontext.dumps(document()))


def validate(event: dict[str, Any]) -> None:
    """The event is what the OpenAPI document says of its kind."""
    body = published()["webhooks"][event["event"]]["post"]["requestBody"]
    schema = body["content"]["application/json"]["schema"]
    whole = {**schema, "components": published()["components"]}
    Draft202012Validator(whole, format_checker=FormatChecker()).validate(event)


def sorted_events(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """They may arrive in any order. No two of a kind are about the same."""
    return sorted(
        events, key=lambda one: (one["event"], one["data"]["id"], one["data"].get("refundId"))
    )


@pytest.mark.parametrize("name", list(STORIES))
@pytest.mark.parametrize("is_enabled", [True, False], ids=["enabled", "not enabled"])
def test_what_happens_is_told_where_it_is_enabled(
    world: World, merchant: Merchant, receiver: Receiver, name: str, is_enabled: bool
) -> None:
    enable(world.ana, merchant, catalogue.kinds(Sent.IF_ENABLED) if is_enabled else [])
    story, kinds = STORIES[name]
    story(world)
    came = arrived(receiver)
    for event in came:
        validate(event)
    assert {event["event"] for event in world.told} == kinds
    told = [event for event in world.told if is_enabled or event["event"] in ALWAYS]
    assert sorted_events(came) == sorted_events(told)


def test_each_kind_is_enabled_by_itself(
    world: World, merchant: Merchant, receiver: Receiver
) -> None:
    """Of the events of one moment only the one that is enabled comes."""
    kinds = {"refund.completed", "settlement.closed"}
    enable(world.ana, merchant, sorted(kinds))
    a_day_is_closed(world)
    told = [event for event in world.told if event["event"] in kinds | ALWAYS]
    assert sorted_events(arrived(receiver)) == sorted_events(told)


def test_every_kind_of_the_catalogue_has_a_story() -> None:
    told = set().union(*(kinds for _, kinds in STORIES.values()))
    assert told == ALWAYS | set(catalogue.kinds(Sent.IF_ENABLED))
    assert len(KINDS) == 14
    assert told > KINDS


def test_a_person_sends_the_test_event(
    world: World, merchant: Merchant, receiver: Receiver
) -> None:
    """The kind that no account enables."""
    assert catalogue.kinds(Sent.ON_REQUEST) == [catalogue.TEST_KIND]
    (endpoint,) = world.get("/webhook-endpoints")
    world.post(f"/webhook-endpoints/{endpoint['id']}/test", {})
    (event,) = arrived(receiver)
    assert (event["event"], event["data"]["merchantId"]) == ("webhook.test", merchant.pk)
    validate(event)
