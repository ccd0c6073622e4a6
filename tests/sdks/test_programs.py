"""The SDKs for TypeScript and PHP do a merchant's work with the service."""

import json
from datetime import timedelta
from typing import Any

import pytest

from merchants.models import Merchant
from payments.collect.models import Order, Refund
from payments.core import clock
from payments.payout.models import Payout
from tests.sdks.programs import environment_of
from tests.support.programs import Program
from webhooks import signing

BODY = {
    "event": "payment.partially_refunded",
    "data": {
        "refundId": "ref_1",
        "amount": 0.12345678,
        "remainingAmount": 30025,
        "reason": 'Ñ 1.50 "2"',
    },
    "timestamp": "2026-03-02T10:30:04.120Z",
}
OLD = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
REFUSED = {"class": "SignatureError", "idempotencyKey": False}
NEW = "whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXphYmNkZWY="


@pytest.fixture
def program(command: list[str], environment: dict[str, str]) -> Program:
    """A merchant of its own, with nothing yet."""
    return Program(command, environment_of(environment))


def test_program_creates_and_reads_orders(program: Program) -> None:
    seen = program.run("order")
    order = Order.objects.get()
    assert seen == {
        "created": [order.pk, "PEDIDO-1", 50025, "PENDING"],
        "read": [order.pk, "María Ñáñez", 50000, 25, {"cart": "A-7"}],
        "statistics": 1,
    }


def test_the_same_key_twice_is_one_order(program: Program) -> None:
    seen = program.run("replay")
    order = Order.objects.get()
    assert seen == {"ids": [order.pk, order.pk], "replayed": [False, True]}


def test_iterator_goes_through_all_pages_and_repeats_nothing(program: Program) -> None:
    assert program.run("list") == {
        "walked": [f"PEDIDO-{number}" for number in (5, 4, 3, 2, 1)],
        "page": [f"PEDIDO-{number}" for number in (5, 4, 3)],
        "total": 6,
    }


def test_refusals_are_classes_with_code_and_field(program: Program, merchant: Merchant) -> None:
    merchant.topup_enabled = False
    merchant.save()
    taken, stranger, absent, not_enabled, no_id, no_number = program.run("refusals")
    assert taken == {
        "class": "InvalidRequestError",
        "idempotencyKey": True,
        "status": 400,
        "code": "VALIDATION_ERROR",
        "field": "reference",
        "fields": ["reference"],
        "retryAfter": None,
        "requestId": True,
    }
    assert (stranger["class"], stranger["code"]) == ("AuthenticationError", "INVALID_CREDENTIALS")
    assert (absent["class"], absent["code"]) == ("NotFoundError", "ORDER_NOT_FOUND")
    assert (not_enabled["class"], not_enabled["status"], not_enabled["code"]) == (
        *("ServiceUnavailableError", 503, "TOPUP_NOT_ENABLED"),
    )
    # Before any request: an empty id would be the list, and no number a refund of everything.
    assert no_id.keys() == no_number.keys() == {"class"}


def test_program_refunds_a_part_and_reads_it_in_the_events(
    program: Program, merchant: Merchant
) -> None:
    merchant.event_kinds = ["payment.partially_refunded", "refund.requested"]
    merchant.save()
    assert program.run("refund") == {
        "paid": ["COMPLETED", True],
        "asked": [20000, "PENDING"],
        "done": "COMPLETED",
        "read": "COMPLETED",
        "listed": [True],
        "events": ["payment.completed", "refund.requested", "payment.partially_refunded"],
    }
    assert Refund.objects.get().status == "COMPLETED"


def test_program_sends_a_payout(program: Program) -> None:
    seen = program.run("payout")
    assert Payout.objects.count() == 1
    assert seen == {
        "balance": ["COPM", 500000],
        "made": [100000, "PENDING", "bank"],
        "read": True,
        "listed": [True],
    }


def test_program_keeps_webhook_endpoints(program: Program) -> None:
    assert program.run("endpoints") == {
        "secret": "whsec_",
        "changed": "Tienda",
        "listed": True,
        "deleted": True,
        "gone": "NotFoundError",
    }


def test_amounts_keep_every_digit(program: Program) -> None:
    assert program.run("amounts") == {
        "exact": [["BTC", "987654321.12345678"], ["COPM", "12345.67"]],
        "moved": ["987654321", "0.12345678"],
    }


def signed(body: str, *secrets: str, seconds: int = 0) -> dict[str, str]:
    """As the service sends it, so many seconds from now; with two secrets as in a rotation."""
    at = clock.now() + timedelta(seconds=seconds)
    made = [
        signing.headers(event_id="evt_1", attempt=1, body=body.encode(), secret=each, at=at)
        for each in secrets
    ]
    every = " ".join(each["webhook-signature"] for each in made)
    return {**made[0], "webhook-signature": every}


@pytest.mark.parametrize("secrets", [OLD, [OLD], [NEW, OLD]])
def test_genuine_webhooks_are_taken(program: Program, secrets: str | list[str]) -> None:
    body = json.dumps(BODY, ensure_ascii=False)
    told = ["evt_1", "payment.partially_refunded", "ref_1", 30025]
    seen = program.run("webhooks", {"body": body, "headers": signed(body, OLD), "secrets": secrets})
    assert seen == {"told": told, "byBytes": told, "own": told, "exact": "0.12345678"}


@pytest.mark.parametrize("secrets", [(OLD, NEW), (NEW, OLD)])
@pytest.mark.parametrize("known", [OLD, NEW])
def test_a_receiver_with_either_secret_takes_what_both_signed(
    program: Program, secrets: tuple[str, str], known: str
) -> None:
    given = {"body": json.dumps(BODY), "secrets": known}
    given["headers"] = signed(given["body"], *secrets)
    standard, own = program.run("refusedWebhooks", given)
    assert standard == "taken"
    assert own == ("taken" if known == secrets[0] else REFUSED)  # it has one signature


GENUINE = json.dumps(BODY)


@pytest.mark.parametrize(
    ("changes", "seconds"),
    [
        ({"body": GENUINE.replace("30025", "30026")}, 0),
        ({"secrets": [NEW]}, 0),
        ({"headers": {}}, 0),
        ({"headers": dict.fromkeys(signed(GENUINE, OLD), "v1,")}, 0),
        ({}, -100_000),
        ({}, 100_000),
    ],
    ids=["body", "secret", "nothing", "words", "old", "future"],
)
def test_what_is_not_genuine_is_refused(
    program: Program, changes: dict[str, Any], seconds: int
) -> None:
    headers = signed(GENUINE, OLD, seconds=seconds)
    given = {"body": GENUINE, "headers": headers, "secrets": [OLD], **changes}
    assert program.run("refusedWebhooks", given) == [REFUSED, REFUSED]


def test_an_id_that_was_changed_is_refused(program: Program) -> None:
    headers = signed(GENUINE, OLD) | {"webhook-id": "evt_2"}
    given = {"body": GENUINE, "headers": headers, "secrets": [OLD]}
    assert program.run("refusedWebhooks", given)[0] == REFUSED


def test_an_empty_secret_verifies_nothing(program: Program) -> None:
    for empty in ("", [], "whsec_", [OLD, ""]):
        given = {"body": GENUINE, "headers": signed(GENUINE, OLD), "secrets": empty}
        assert "taken" not in program.run("refusedWebhooks", given)


def test_merchants_sign_messages_for_tests_of_their_receiver(program: Program) -> None:
    given = {"body": GENUINE, "secret": OLD, "id": "evt_1"}
    headers = program.run("signed", given)
    seen = program.run("webhooks", {"body": GENUINE, "headers": headers, "secrets": OLD})
    assert seen["told"] == seen["own"]
