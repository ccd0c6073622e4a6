"""What the experiments on outgoing payments share: funds, requests, scanners, a moved clock."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import time_machine
from django.db import connections
from django.http import HttpResponse

from merchants.models import Merchant
from payments.core import clock
from payments.ledger import services as ledger
from payments.simulator import store
from tests.support.concurrency import run_concurrently
from tests.support.fixtures import ApiClient
from tests.support.outgoing_products import KEYS, KINDS, PAYOUT, Kind

OPEN = ("PENDING", "PROCESSING")
SCAN_SECONDS = 2
CLIENTS = 8
_keys = itertools.count(1)
DOCUMENTS = KEYS[PAYOUT.product]


def quiet(settings: Any) -> None:
    """No limits by the minute, no circuit breaker, and only the experiment acts."""
    settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, "1000000/m")
    settings.PROVIDER_BREAKER_FAILURES = 1_000_000
    settings.DOORBELL = False


def asking(
    api: ApiClient,
    key: str,
    *,
    kind: Kind = PAYOUT,
    body: dict[str, Any] | None = None,
    in_body: bool = False,
) -> Callable[[], HttpResponse]:
    """The POST of a product, to be called in any thread."""
    whole = {**(body or kind.body("clean")), **({"idempotencyKey": key} if in_body else {})}
    headers = {} if in_body else {"Idempotency-Key": key}
    return lambda: ApiClient(None, **api.headers).post(kind.path, whole, headers=headers)


def ask(
    api: ApiClient,
    magic: str = "ordinary",
    key: str = "",
    *,
    kind: Kind = PAYOUT,
    body: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """A new payment whose rail behaves as the name says; the answer's data."""
    given = body or kind.body(magic)
    response = asking(api, key or f"ask-{next(_keys)}", kind=kind, body=given)()
    assert response.status_code == 201, response.content
    return response.body["data"]


def ask_all(api: ApiClient, names: Iterable[str], kind: Kind) -> list[dict[str, Any]]:
    """One payment for each name, a few clients at a time; the answers' data, in order."""

    def one(name: str) -> dict[str, Any]:
        try:
            return ask(api, name, kind=kind)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(CLIENTS) as clients:
        return list(clients.map(one, names))


def outcomes(responses: list[Any]) -> Counter[tuple[int, str | None]]:
    """How often each status was answered with which code."""
    for response in responses:
        assert not isinstance(response, Exception), response
    return Counter(
        (response.status_code, (response.body.get("error") or {}).get("code"))
        for response in responses
    )


def data_of(responses: list[Any]) -> list[dict[str, Any]]:
    """What was promised."""
    return [response.body["data"] for response in responses if response.status_code == 201]


def balance(merchant: Merchant, currency: str = "COPM") -> dict[str, Decimal]:
    return ledger.balances(merchant.pk)[currency]


def unsettled() -> list[Any]:
    """The payments that have not come to their end."""
    return [row for kind in KINDS for row in kind.model.objects.filter(status__in=OPEN)]


def scan() -> None:
    """One turn of each product's scanner."""
    for kind in KINDS:
        kind.engine.process_due(now=clock.now())


def ask_api(*, path: str, body: dict[str, Any], headers: dict[str, str]) -> HttpResponse:
    """A POST with whatever headers, as the web process gets it."""
    return ApiClient(None, **headers).post(path, body)


def scan_until_settled(
    *, start: datetime, workers: int = 1, limit: int = 7200, act: Callable[[], Any] = scan
) -> int:
    """Runs the scanner every two seconds of a moved clock; returns after how many all was settled.

    `workers` scanners run at the same instant, as they do where there is more than one worker.
    """
    for seconds in range(0, limit, SCAN_SECONDS):
        with time_machine.travel(start + timedelta(seconds=seconds), tick=False):
            if workers == 1:
                act()
            else:
                for result in run_concurrently([act] * workers):
                    if isinstance(result, Exception):
                        raise result
        if not unsettled():
            return seconds
    raise AssertionError(f"Not settled in {limit} s: {unsettled()}")


def verdict(named: dict[str, str]) -> tuple[int, int]:
    """(doubled, lost): executions beyond the first; payments without the end that they deserve.

    `named`: the behaviour of each payment's rail.
    """
    executed = store.executions_by_payment()
    doubled = sum(max(0, executed.get(pk, 0) - 1) for pk in named)
    ends = {
        pk: status
        for kind in KINDS
        for pk, status in kind.model.objects.values_list("pk", "status")
    }
    lost = sum(
        ends.get(pk) != ("FAILED" if name == "refused" else "COMPLETED")
        for pk, name in named.items()
    )
    return doubled, lost
