"""How many statements the hot routes send. One more is a decision, not an accident."""

import uuid
from collections.abc import Callable
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from merchants.models import Merchant
from tests.support.factories import order_body, payout_body
from tests.support.fixtures import ApiClient
from tests.support.funds import fund

Call = Callable[[ApiClient, str], int]
KEY_WITH_MERCHANT = 1
BEGIN_AND_COMMIT = 2


def _payout(api: ApiClient, order: str) -> int:
    headers = {"Idempotency-Key": uuid.uuid4().hex}
    return api.post("/payout", payout_body(), headers=headers).status_code


HOT: dict[str, tuple[Call, int]] = {
    "POST /collect": (
        lambda api, order: api.post("/collect", order_body()).status_code,
        KEY_WITH_MERCHANT + 1,
    ),
    # The order comes with the key.
    "GET /collect/{id}": (
        lambda api, order: api.get(f"/collect/{order}").status_code,
        KEY_WITH_MERCHANT,
    ),
    # The page comes with the total.
    "GET /collect": (
        lambda api, order: api.get("/collect").status_code,
        KEY_WITH_MERCHANT + 1,
    ),
    "GET /collect?status": (
        lambda api, order: api.get("/collect?status=PENDING").status_code,
        KEY_WITH_MERCHANT + 1,
    ),
    # The tally by day, the page.
    "GET /collect?offset": (
        lambda api, order: api.get("/collect?offset=1").status_code,
        KEY_WITH_MERCHANT + 2,
    ),
    "GET /collect/stats": (
        lambda api, order: api.get("/collect/stats").status_code,
        KEY_WITH_MERCHANT + 1,
    ),
    # The key's earlier payout with the catalogue's version; then the row, the locks and the entry.
    "POST /payout": (_payout, KEY_WITH_MERCHANT + 1 + BEGIN_AND_COMMIT + 3),
}


@pytest.mark.django_db(transaction=True)
def test_hot_routes_ask_no_more_than_they_need(
    api: ApiClient, merchant: Merchant, catalogues: None
) -> None:
    fund(merchant, Decimal(1_000_000))
    api.post("/collect", order_body())
    order = api.post("/collect", order_body()).body["data"]["id"]
    _payout(api, order)  # opens the accounts of the books

    seen = {}
    for route, (call, _) in HOT.items():
        with CaptureQueriesContext(connection) as asked:
            assert call(api, order) in (200, 201), route
        seen[route] = [query["sql"] for query in asked]

    print("\n".join(f"{route}: {len(asked)} statements" for route, asked in seen.items()))
    assert {route: len(asked) for route, asked in seen.items()} == {
        route: expected for route, (_, expected) in HOT.items()
    }, seen
