"""A key that was revoked, or whose merchant was stopped, is refused by connections in use."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest
from django.db import connections

from merchants import services
from merchants.models import ApiKey, Merchant
from payments.core import clock
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient

CLIENTS = 3
# So often that the driver has prepared the statements.
TIMES = 5
Stop = Callable[[ApiKey], object]
STOPS: dict[str, Stop] = {
    "revoked": lambda key: services.revoke_api_key(key=key, now=clock.now(), actor="tests"),
    "stopped": lambda key: Merchant.objects.filter(pk=key.merchant_id).update(is_active=False),
}
ROUTES = {
    "read": lambda api, order: api.get(f"/collect/{order}").status_code,
    "list": lambda api, order: api.get("/collect").status_code,
    "create": lambda api, order: api.post("/collect", order_body()).status_code,
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("stop", "route"), [*product(STOPS, ROUTES)])
def test_no_connection_accepts_the_key_after_it_was_stopped(
    api: ApiClient, merchant: Merchant, stop: str, route: str
) -> None:
    order = api.post("/collect", order_body()).body["data"]["id"]
    ask = ROUTES[route]
    together = threading.Barrier(CLIENTS, timeout=30)

    def ask_often() -> set[int]:
        together.wait()  # each in a thread of its own
        return {ask(api, order) for _ in range(TIMES)}

    with ThreadPoolExecutor(CLIENTS) as threads:

        def ask_all() -> set[int]:
            return set().union(
                *(each.result() for each in [threads.submit(ask_often) for _ in range(CLIENTS)])
            )

        assert ask_all() <= {200, 201}
        STOPS[stop](api.key)
        assert ask_all() == {401}

        closing = [
            threads.submit(lambda: (together.wait(), connections.close_all()))
            for _ in range(CLIENTS)
        ]
        for each in closing:
            each.result()
