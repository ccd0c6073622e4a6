"""Amounts that no rail can mean, in messages with a valid signature: refused, and nothing moves.

Never a 500, which a rail would repeat for ever. Each callback route of the service is here.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import URLPattern, get_resolver

from payments.bills.models import BillPayment
from payments.collect.models import Charge, Dispute, Refund, UnmatchedFunds
from payments.core import clock, jsontext
from payments.ledger.models import Entry
from payments.payout.models import Payout
from payments.topup.models import TopUp
from tests.contract.answers import assert_refused, check_each
from tests.contract.test_callbacks import call, signed
from tests.support.charges import create, start
from tests.support.fixtures import ApiClient
from tests.support.reference_examples import Reader
from tests.support.refunds import asked, paid
from webhooks.models import Event

ABSURD = {
    "1e400": "1e400",
    "1e30": "1e30",
    "21 digits": "1" + "0" * 20,
    "more than a rail can carry": f"{10**15}.01",
    "5,000 digits": "9" * 5000,
    "a tail of zeros": "50025." + "0" * 9000,
    "next to nothing": "1e-400",
    "negative": "-1",
    "minus zero": "-0",
    "NaN": "NaN",
    "sNaN": "sNaN",
    "Infinity": "Infinity",
    "an underscore": "50_025",
    "full-width digits": "５００２５",
    "spaces": " 50025 ",
    "no text": "",
    "a number": 50025,
    "null": None,
    "a list": ["50025"],
}
Scene = Callable[[ApiClient], dict[str, Any]]


def _charge(api: ApiClient) -> dict[str, Any]:
    charge = start(create(api), "BANK_TRANSFER")
    return {
        "reference": charge.pk,
        "providerId": charge.provider_id,
        "status": "SUCCEEDED",
        "received": "50025",
        "unconfirmed": "0",
        "currency": "COP",
        "traceCode": "",
        "reason": "",
        "occurredAt": clock.now().isoformat(),
    }


def _dispute(api: ApiClient) -> dict[str, Any]:
    return {
        "product": "dispute",
        "reference": "case-1",
        "charge": paid(api).charges.get().pk,
        "kind": "CHARGEBACK",
        "state": "OPEN",
        "amount": "50025",
        "currency": "COP",
        "reason": "",
        "evidenceDueAt": "",
        "occurredAt": clock.now().isoformat(),
    }


def _outgoing(product: str, model: Any, operation: str) -> Scene:
    def scene(api: ApiClient) -> dict[str, Any]:
        Reader(api).play(operation)
        return _message(product, model.objects.latest("created_at"))

    return scene


def _refund(api: ApiClient) -> dict[str, Any]:
    return _message("refund", asked(api, paid(api), amount=1000))


def _message(product: str, payment: Any) -> dict[str, Any]:
    return {
        "product": product,
        "reference": payment.provider_reference,
        "providerId": "",
        "state": "COMPLETED",
        "amount": f"{payment.amount:f}",
        "authorization": "",
        "reason": "",
        "occurredAt": clock.now().isoformat(),
    }


# By the route: what a good message about something real is, and which of its fields are amounts.
ROUTES: dict[str, tuple[Scene, tuple[str, ...]]] = {
    "payin": (_charge, ("received", "unconfirmed")),
    "dispute": (_dispute, ("amount",)),
    "payout": (_outgoing("payout", Payout, "createPayout"), ("amount",)),
    "topup": (_outgoing("topup", TopUp, "createTopup"), ("amount",)),
    "bill": (_outgoing("bill", BillPayment, "createBillPayment"), ("amount",)),
    "refund": (_refund, ("amount",)),
}
FIELDS = [(route, field) for route, (_, fields) in ROUTES.items() for field in fields]


def everything() -> list[Any]:
    """All that a message could have moved."""
    tables = (Charge, Dispute, Refund, Payout, TopUp, BillPayment, UnmatchedFunds, Entry, Event)
    return [list(table.objects.order_by("pk").values()) for table in tables]


def send(route: str, message: dict[str, Any]) -> Any:
    body = jsontext.dumps(message).encode()
    return call(body, signed(body), f"/callbacks/{route}/simulator")


def test_every_route_is_here() -> None:
    routes = [
        str(one.pattern) for one in get_resolver().url_patterns if isinstance(one, URLPattern)
    ]
    heard = {route.split("/")[1] for route in routes if route.startswith("callbacks/")}
    assert heard == set(ROUTES)


@pytest.mark.parametrize(("route", "field"), FIELDS)
def test_an_absurd_amount_is_refused_and_nothing_of_it_believed(
    api: ApiClient, route: str, field: str
) -> None:
    message = ROUTES[route][0](api)
    before = everything()

    def check(name: str, amount: Any) -> None:
        answer = send(route, {**message, field: amount})
        assert_refused(answer, 401, "INVALID_SIGNATURE")

    check_each(ABSURD.items(), check)
    assert everything() == before


@pytest.mark.parametrize("route", ROUTES)
def test_the_same_message_with_its_own_amount_is_heard(api: ApiClient, route: str) -> None:
    answer = send(route, ROUTES[route][0](api))
    assert answer.status_code == 200, answer.content


def test_more_than_any_order_asks_for_is_booked(api: ApiClient) -> None:
    """The upper limit leaves room for every order and for what is too much."""
    message = {**_charge(api), "received": str(10**15)}
    assert send("payin", message).status_code == 200
    assert UnmatchedFunds.objects.get().amount == 10**15 - 50_025
