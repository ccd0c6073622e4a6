"""Tenants are isolated (faults.md, F15): another merchant's id gets the bytes of an absent one.

Generated from the URL map: a new route with an id is tested the day it is written.
"""

import re
from collections.abc import Callable, Iterator

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from payments.bills.models import BillPayment
from payments.collect.models import Order, Refund
from payments.links.models import PaymentLink
from payments.payout.models import Payout
from payments.payout_batches.models import BatchLine, PayoutBatch
from payments.topup.models import TopUp
from tests.support import bills
from tests.support.factories import order_body, payout_body
from tests.support.fixtures import ApiClient
from tests.support.measurements import record
from tests.support.settlement_days import MONDAY, Till, at
from tests.support.topups import buy
from webhooks.endpoint_models import Endpoint

LINK = {"title": "Café de Nariño", "amount": 50000}
ENDPOINT = {"url": "https://tienda.example/h", "events": ["payment.failed"]}
# How to make an id that stands for each parameter of the URL map. A route with a new kind of id
# fails here until this file says how a merchant gets one.
OWNERS: dict[str, Callable[[ApiClient], str]] = {
    "order_id": lambda api: api.post("/collect", order_body()).body["data"]["id"],
    "payout_id": lambda api: _payout(api),
    "settlement_id": lambda api: _settlement(api),
    "refund_id": lambda api: _refund(api),
    "payment_id": lambda api: _bill_payment(api),
    "topup_id": lambda api: _topup(api),
    "dispute_id": lambda api: _dispute(api),
    "link_id": lambda api: api.post("/links", LINK).body["data"]["id"],
    "batch_id": lambda api: _batch(api),
    "endpoint_id": lambda api: api.post("/webhook-endpoints", ENDPOINT).body["data"]["id"],
}
ABSENT = {
    "order_id": "col_00000000000000000000000000",
    "payout_id": "po_00000000000000000000000000",
    "settlement_id": "stl_00000000000000000000000000",
    "refund_id": "ref_00000000000000000000000000",
    "payment_id": "bil_00000000000000000000000000",
    "topup_id": "top_00000000000000000000000000",
    "dispute_id": "dis_00000000000000000000000000",
    "link_id": "lnk_00000000000000000000000000",
    "batch_id": "pob_00000000000000000000000000",
    "endpoint_id": "whe_00000000000000000000000000",
}
# Whose a thing is, where a route names both.
PARENTS: dict[str, Callable[[str], str]] = {
    "order_id": lambda refund: Refund.objects.get(pk=refund).order_id,
}
# A body that passes validation, where a route reads it before it answers for the id.
BODIES = {
    "sandbox/collect/<str:order_id>": {"status": "COMPLETED"},
    "sandbox/dispute/<str:dispute_id>": {"status": "WON"},
    "sandbox/refund/<str:refund_id>": {"status": "APPROVED"},
    "sandbox/payout/<str:payout_id>": {"status": "COMPLETED"},
    "links/<str:link_id>": {"status": "PAUSED", "title": "Café de Huila"},
    "links/<str:link_id>/image": {"content": None},
    "webhook-endpoints/<str:endpoint_id>": {"enabled": False},
    "webhook-endpoints/<str:endpoint_id>/rotate-secret": {"overlapHours": 1},
    "webhook-endpoints/<str:endpoint_id>/resend": {
        "from": "2026-01-01T00:00:00Z",
        "to": "2026-01-02T00:00:00Z",
    },
}
WRITES = {"POST", "PATCH"}
# What differs between any two answers of the same request.
VARYING = {"X-Request-Id", "X-RateLimit-Remaining", "X-RateLimit-Reset"}


def routes() -> Iterator[tuple[str, str]]:
    """Every (method, route) under /api/v1/ that takes a parameter."""
    (api,) = [
        entry
        for entry in get_resolver().url_patterns
        if isinstance(entry, URLResolver) and str(entry.pattern) == "api/v1/"
    ]
    for route, callback in _walk(api, ""):
        if "<" in route:
            for method in getattr(callback, "actions", {"get": ""}):
                yield method.upper(), route


def _walk(resolver: URLResolver, prefix: str) -> Iterator[tuple[str, object]]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            yield prefix + str(entry.pattern), entry.callback
        else:
            yield from _walk(entry, prefix + str(entry.pattern))


ROUTES = sorted(set(routes()) - {("HEAD", route) for _, route in routes()})


def test_the_url_map_was_read() -> None:
    assert {
        ("GET", "collect/<str:order_id>"),
        ("POST", "sandbox/collect/<str:order_id>"),
        ("GET", "payout/<str:payout_id>"),
    } <= set(ROUTES)


@pytest.mark.faults("F15")
@pytest.mark.parametrize(("method", "route"), ROUTES)
def test_another_merchants_id_is_absent_byte_for_byte(
    api: ApiClient, stranger_api: ApiClient, method: str, route: str
) -> None:
    theirs = _owned(stranger_api, route)
    before = everything()

    answers = []
    for known in (theirs, None):
        for body in (BODIES.get(route, {}), {}):
            response = api.call(method, _path(route, known), body if method in WRITES else None)
            headers = {name: response.headers[name] for name in response.headers.keys() - VARYING}
            answers.append((response.status_code, response.content, headers))

    record(routes=1, answers_that_differ=int(answers[:2] != answers[2:]))
    assert answers[:2] == answers[2:]
    assert answers[0][0] == 404
    assert everything() == before


@pytest.mark.parametrize(("method", "route"), ROUTES)
def test_ones_own_id_is_told_from_an_absent_one(api: ApiClient, method: str, route: str) -> None:
    """Or else the test above would prove nothing."""
    mine = _owned(api, route)
    body = BODIES.get(route, {}) if method in WRITES else None

    assert api.call(method, _path(route, mine), body).status_code != 404


def everything() -> list[list[dict[str, object]]]:
    tables = (
        Order,
        Payout,
        TopUp,
        BillPayment,
        Refund,
        PaymentLink,
        PayoutBatch,
        BatchLine,
        Endpoint,
    )
    return [list(model.objects.values()) for model in tables]


def _owned(api: ApiClient, route: str) -> dict[str, str]:
    """An id for each parameter; where there are several, the last belongs to those before it."""
    *parents, name = re.findall(r"<(?:\w+:)?(\w+)>", route)
    assert name in OWNERS, f"say in OWNERS and ABSENT what a {name} is"
    known = {name: OWNERS[name](api)}
    return known | {parent: PARENTS[parent](known[name]) for parent in parents}


def _refund(api: ApiClient) -> str:
    order = OWNERS["order_id"](api)
    assert api.post(f"/sandbox/collect/{order}", {"status": "COMPLETED"}).status_code == 200
    body, headers = {"reason": "wall", "amount": 1000}, {"Idempotency-Key": "wall"}
    answer = api.post(f"/collect/{order}/refunds", body, headers=headers)
    return answer.body["data"]["id"]


def _dispute(api: ApiClient) -> str:
    order = OWNERS["order_id"](api)
    assert api.post(f"/sandbox/collect/{order}", {"status": "COMPLETED"}).status_code == 200
    return api.post(f"/sandbox/collect/{order}/dispute", {}).body["data"]["disputeId"]


def _payout(api: ApiClient) -> str:
    api.post("/sandbox/balance", {"currency": "COPM", "amount": 1_000_000})
    response = api.post("/payout", payout_body(), headers={"Idempotency-Key": "wall"})
    return response.body["data"]["payoutId"]


def _batch(api: ApiClient) -> str:
    api.post("/sandbox/balance", {"currency": "COPM", "amount": 1_000_000})
    body, headers = {"lines": [payout_body()]}, {"Idempotency-Key": "wall"}
    return api.post("/payout/batches", body, headers=headers).body["data"]["batchId"]


def _settlement(api: ApiClient) -> str:
    till = Till(api.merchant)
    till.collect(at(MONDAY))
    return till.close(MONDAY).pk


def _bill_payment(api: ApiClient) -> str:
    api.post("/sandbox/balance", {"currency": "COPM", "amount": 1_000_000})
    return bills.payment_of(bills.pay_owed(api, bills.reference())).pk


def _topup(api: ApiClient) -> str:
    api.post("/sandbox/balance", {"currency": "COPM", "amount": 1_000_000})
    return buy(api, key="wall").body["data"]["id"]


def _path(route: str, known: dict[str, str] | None) -> str:
    def fill(match: re.Match[str]) -> str:
        name = match[1]
        assert name in OWNERS, f"say in OWNERS and ABSENT what a {name} is"
        return (known or ABSENT)[name]

    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", fill, route)
