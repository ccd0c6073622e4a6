"""POST /callbacks/payin/<provider>: what a provider reports, and no other sender may report."""

import hashlib
import hmac
import json
import time
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client

from merchants.models import Merchant
from payments.collect.models import Charge, UnmatchedFunds
from payments.core import clock
from payments.ledger.models import Entry
from tests.contract.answers import assert_refused, check_each
from tests.support.charges import create, start
from tests.support.fixtures import ApiClient
from tests.support.funds import available
from webhooks.models import Event

PATH = "/callbacks/payin/simulator"
Status = Callable[[], str]


@pytest.fixture
def charge(api: ApiClient) -> Charge:
    """An order of 50,025 COP whose payer was shown an account to transfer to."""
    return start(create(api, amount=50000), "BANK_TRANSFER")


def message(charge: Charge, **changes: Any) -> bytes:
    """The provider's wire format (docs/simulator.md), written by hand."""
    body = {
        "reference": charge.pk,
        "providerId": charge.provider_id,
        "status": "SUCCEEDED",
        "received": "50025",
        "unconfirmed": "0",
        "currency": "COP",
        "traceCode": "TR0000000001",
        "reason": "",
        "occurredAt": clock.now().isoformat(),
        **changes,
    }
    return json.dumps(body).encode()


def signed(body: bytes, *, at: float | None = None, secret: str | None = None) -> dict[str, str]:
    """The two headers, signed as docs/simulator.md says."""
    timestamp = str(int((time.time() if at is None else at) * 1000))
    key = settings.SIMULATOR_CALLBACK_SECRET if secret is None else secret
    digest = hmac.new(key.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return {"X-Simulator-Timestamp": timestamp, "X-Simulator-Signature": digest}


def call(body: bytes, headers: dict[str, str], path: str = PATH) -> HttpResponse:
    client = Client(raise_request_exception=False)
    response = client.generic("POST", path, body, "application/json", headers=headers)
    response.body = response.json()
    return response


def say(charge: Charge, **changes: Any) -> HttpResponse:
    """A genuine message, signed now."""
    body = message(charge, **changes)
    return call(body, signed(body))


def read(api: ApiClient, charge: Charge) -> dict[str, Any]:
    """The order of the charge, as its merchant sees it."""
    return api.get(f"/collect/{charge.order_id}").body["data"]


def assert_nothing_happened(api: ApiClient, charge: Charge) -> None:
    assert read(api, charge)["status"] == "WAITING_TRANSFER"
    assert not any(model.objects.exists() for model in (Entry, Event, UnmatchedFunds))


def test_signed_callback_completes_the_order(
    api: ApiClient, charge: Charge, merchant: Merchant
) -> None:
    response = say(charge)

    assert response.status_code == 200
    assert response.body == {
        "success": True,
        "data": {"reference": charge.pk, "status": "SUCCEEDED"},
    }
    order = read(api, charge)
    assert (order["status"], order["selectedMethod"]) == ("COMPLETED", "BANK_TRANSFER")
    assert order["paidAt"] is not None
    assert available(merchant) == 50000
    assert Event.objects.get().kind == "payment.completed"


def test_what_is_not_signed_changes_nothing(api: ApiClient, charge: Charge) -> None:
    body = message(charge)
    genuine = signed(body)
    timestamp, signature = genuine.values()

    def check(name: str, headers: dict[str, str]) -> None:
        assert_refused(call(body, headers), 401, "INVALID_SIGNATURE")

    forged = {
        "unsigned": {},
        "no signature": {"X-Simulator-Timestamp": timestamp},
        "no timestamp": {"X-Simulator-Signature": signature},
        "blank": {"X-Simulator-Timestamp": "", "X-Simulator-Signature": ""},
        "another secret": signed(body, secret="guess"),
        "an empty secret": signed(body, secret=""),
        "another body": signed(message(charge, received="50024")),
        "another time": {**genuine, "X-Simulator-Timestamp": str(int(timestamp) + 1)},
        "cut off": {**genuine, "X-Simulator-Signature": signature[:-1]},
        "in capitals": {**genuine, "X-Simulator-Signature": signature.upper()},
        "with a prefix": {**genuine, "X-Simulator-Signature": f"sha256={signature}"},
        "not ASCII": {**genuine, "X-Simulator-Signature": "ñ" * 64},
        "8 KB": {**genuine, "X-Simulator-Signature": "a" * 8192},
        "a time that is no number": {**genuine, "X-Simulator-Timestamp": "now"},
        "a negative time": {**genuine, "X-Simulator-Timestamp": f"-{timestamp}"},
        "a time of 5,000 digits": {**genuine, "X-Simulator-Timestamp": "9" * 5000},
        "full-width digits": {**genuine, "X-Simulator-Timestamp": "１７００００００００００００"},
        "old": signed(body, at=time.time() - 301),
        "from the future": signed(body, at=time.time() + 600),
    }
    check_each(forged.items(), check)
    assert_nothing_happened(api, charge)


def test_a_message_of_almost_five_minutes_ago_is_taken(api: ApiClient, charge: Charge) -> None:
    body = message(charge)
    assert call(body, signed(body, at=time.time() - 290)).status_code == 200
    assert read(api, charge)["status"] == "COMPLETED"


def test_sixty_four_replays_are_one_payment(
    api: ApiClient, charge: Charge, merchant: Merchant
) -> None:
    body = message(charge)
    headers = signed(body)
    statuses = [call(body, headers).status_code for _ in range(64)]

    assert statuses == [200] * 64
    assert available(merchant) == 50000
    assert (Entry.objects.count(), Event.objects.count()) == (1, 1)
    assert not UnmatchedFunds.objects.exists()


def test_the_same_news_signed_again_is_one_payment(charge: Charge, merchant: Merchant) -> None:
    assert [say(charge).status_code for _ in range(3)] == [200] * 3
    assert available(merchant) == 50000
    assert Event.objects.count() == 1


def test_a_cent_less_is_not_the_whole_and_the_cent_completes_it(
    api: ApiClient, charge: Charge, merchant: Merchant
) -> None:
    assert say(charge, received="50024.99").status_code == 200
    assert read(api, charge)["status"] == "WAITING_TRANSFER"
    assert read(api, charge)["paidAt"] is None
    assert available(merchant) == 0

    assert say(charge, received="50025.00").status_code == 200
    assert read(api, charge)["status"] == "COMPLETED"
    assert available(merchant) == 50000


def test_a_cent_more_completes_and_waits_for_an_operator(
    api: ApiClient, charge: Charge, merchant: Merchant
) -> None:
    assert say(charge, received="50025.01").status_code == 200

    assert read(api, charge)["status"] == "COMPLETED"
    assert read(api, charge)["amount"] == 50025
    assert available(merchant) == 50000
    excess = UnmatchedFunds.objects.get()
    assert (excess.reason, excess.amount) == ("EXCESS", Decimal("0.01"))


def test_another_currency_completes_nothing(
    api: ApiClient, charge: Charge, merchant: Merchant
) -> None:
    assert say(charge, currency="USDT").status_code == 200

    assert read(api, charge)["status"] == "WAITING_TRANSFER"
    assert available(merchant) == 0
    assert UnmatchedFunds.objects.get().reason == "CURRENCY"


def test_an_unknown_currency_is_refused(api: ApiClient, charge: Charge) -> None:
    assert_refused(say(charge, currency="XAU"), 400, "CURRENCY_MISMATCH")
    assert_nothing_happened(api, charge)


@pytest.mark.parametrize(
    "reference",
    [
        "chg_00000000000000000000000000",
        "",
        "x" * 5000,
        "ñ",
        "'",
        "a\u0000b",
    ],
)
def test_signed_callback_about_no_charge_of_ours_is_taken_and_changes_nothing(
    api: ApiClient, charge: Charge, reference: str
) -> None:
    """Else the rail would send it again for days."""
    response = say(charge, reference=reference)
    assert response.status_code == 200
    assert response.json()["data"]["status"] == "IGNORED"
    assert_nothing_happened(api, charge)


@pytest.mark.parametrize("provider", ["unknown", "SIMULATOR", "simulator%00", "x" * 5000, "%2e%2e"])
def test_callback_of_an_unknown_provider_is_not_found(
    api: ApiClient, charge: Charge, provider: str
) -> None:
    body = message(charge)
    response = call(body, signed(body), f"/callbacks/payin/{provider}")
    assert_refused(response, 404, "NOT_FOUND")
    assert_nothing_happened(api, charge)


def test_a_signed_message_that_makes_no_sense(api: ApiClient, charge: Charge) -> None:
    def check(name: str, body: bytes) -> None:
        assert_refused(call(body, signed(body)), 401, "INVALID_SIGNATURE")

    senseless = {
        "empty": b"",
        "not JSON": b"received=50025",
        "a list": b"[]",
        "null": b"null",
        "an empty object": b"{}",
        "deep": b"[" * 10_000,
        "not UTF-8": b'{"reference":"\xff"}',
        "an amount as a number": message(charge, received=50025),
        "NaN": message(charge, received="NaN"),
        "negative": message(charge, received="-1"),
        "Infinity": message(charge, received="Infinity"),
        "an unknown status": message(charge, status="PAID"),
        "no time": message(charge, occurredAt="yesterday"),
        "a bigger body": message(charge, reason="x" * 20_000),
    }
    check_each(senseless.items(), check)
    assert_nothing_happened(api, charge)


def test_callback_with_a_huge_body_is_refused(api: ApiClient, charge: Charge) -> None:
    body = message(charge, reason="x" * 70_000)
    assert_refused(call(body, signed(body)), 413, "PAYLOAD_TOO_LARGE")
    assert_nothing_happened(api, charge)


def test_a_get_changes_nothing(api: ApiClient, charge: Charge) -> None:
    body = message(charge)
    response = Client().generic("GET", PATH, body, headers=signed(body))
    response.body = response.json()
    assert_refused(response, 405, "METHOD_NOT_ALLOWED")
    assert response.headers["Allow"] == "POST"
    assert_nothing_happened(api, charge)


def test_a_merchants_credentials_sign_no_callback(api: ApiClient, charge: Charge) -> None:
    assert_refused(call(message(charge), api.headers), 401, "INVALID_SIGNATURE")
    assert_nothing_happened(api, charge)


def test_a_refusal_fails_the_order_once(api: ApiClient) -> None:
    charge = start(create(api, amount=50000), "PSE")
    for _ in range(2):
        answer = say(charge, status="FAILED", received="0", reason="INSUFFICIENT_FUNDS")
        assert answer.status_code == 200

    assert read(api, charge)["status"] == "FAILED"
    assert Event.objects.get().kind == "payment.failed"
    assert not Entry.objects.exists()
