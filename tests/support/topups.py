"""How the tests of top-ups speak: bodies, magic phones, balances, the passing of time."""

import itertools
from datetime import timedelta
from functools import partial
from typing import Any

import time_machine
from django.http import HttpResponse

from payments.core import clock
from payments.topup.models import TopUp
from payments.topup.services.engine import engine
from tests.support import outgoing_payments
from tests.support.fixtures import ApiClient

_keys = itertools.count(1)
say = partial(outgoing_payments.say, engine)

# The simulator's table (docs/simulator.md).
CLEAN = "3990001001"
REFUSED = "3990001002"
SLOW = "3990001003"
LOST_AFTER = "3990001004"
LOST_BEFORE = "3990001005"
ERROR_AFTER = "3990001006"
QUERY_AWAY = "3990001007"
RETURNED = "3990001008"
COMPLETED_LATER = "3990001009"
FAILED_LATER = "3990001010"
UNAVAILABLE = "3990001011"
PENDING = "3990001014"
# Available and held after a top-up of 20,000: on its way, done, given back.
HELD = (980_000, 20_000)
GONE = (980_000, 0)
BACK = (1_000_000, 0)


def topup_body(**changes: Any) -> dict[str, Any]:
    """A valid body of POST /topup; None removes a field."""
    body = {"phone": "3001234567", "operatorCode": "claro", "amountCop": 20000, **changes}
    return {name: value for name, value in body.items() if value is not None}


def buy(api: ApiClient, key: str | None = None, **changes: Any) -> HttpResponse:
    """POST /topup."""
    headers = {"Idempotency-Key": key or f"topup-{next(_keys)}"}
    return api.post("/topup", topup_body(**changes), headers=headers)


def bought(api: ApiClient, key: str | None = None, **changes: Any) -> TopUp:
    """The row of a top-up that was accepted."""
    response = buy(api, key, **changes)
    assert response.status_code == 201, response.content
    return TopUp.objects.get(pk=response.body["data"]["id"])


def read(api: ApiClient, topup_id: str) -> dict[str, Any]:
    """GET /topup/{id}."""
    response = api.get(f"/topup/{topup_id}")
    assert response.status_code == 200, response.content
    data: dict[str, Any] = response.body["data"]
    return data


def live(seconds: int, step_seconds: int = 5) -> None:
    """Lets time pass, for the rail as for us, while the scanner works as it does in life."""
    start = clock.now()
    for passed in range(0, seconds + 1, step_seconds):
        with time_machine.travel(start + timedelta(seconds=passed), tick=False):
            engine.process_due(now=clock.now())
