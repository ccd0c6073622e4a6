"""What the experiments on payouts share: funds, requests, scanners under a moved clock."""

import itertools
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import time_machine
from django.db import transaction
from django.http import HttpResponse

from merchants.models import Merchant
from payments.core import clock
from payments.ledger import recipes
from payments.ledger import services as ledger
from payments.payout.models import Payout
from payments.payout.services.engine import engine
from payments.providers.simulator import outgoing_magic
from payments.providers.simulator.outgoing_magic import Product
from tests.factories import payout_body
from tests.faults.crowd import at_once
from tests.fixtures import ApiClient

PRICE = Decimal(102_500)  # amount and fee of payout_body()
OPEN = ("PENDING", "PROCESSING")
SCAN_SECONDS = 2
_keys = itertools.count(1)
DOCUMENTS = {
    magic.name: document for document, magic in outgoing_magic.BY_KEY[Product.PAYOUT].items()
}


def quiet(settings: Any) -> None:
    """No limits by the minute, no circuit breaker, and nobody acts but the experiment."""
    settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, "1000000/m")
    settings.PROVIDER_BREAKER_FAILURES = 1_000_000
    settings.DOORBELL = False


@transaction.atomic
def fund(merchant: Merchant, amount: Decimal, currency: str = "COPM") -> None:
    recipes.sandbox_credited(
        merchant_id=merchant.pk,
        currency=currency,
        amount=amount,
        reference=f"fund-{next(_keys)}",
        now=clock.now(),
    )


def asking(
    api: ApiClient, key: str, *, in_body: bool = False, **changes: Any
) -> Callable[[], HttpResponse]:
    """POST /payout, to be called in any thread."""
    body = payout_body(**changes, **({"idempotencyKey": key} if in_body else {}))
    headers = {} if in_body else {"Idempotency-Key": key}
    return lambda: ApiClient(None, **api.headers).post("/payout", body, headers=headers)


def ask(api: ApiClient, magic: str = "ordinary", key: str = "") -> dict[str, Any]:
    """A new payout whose rail behaves as the name says; the answer's data."""
    changes = {"recipientDocNumber": DOCUMENTS[magic]} if magic in DOCUMENTS else {}
    response = asking(api, key or f"ask-{next(_keys)}", **changes)()
    assert response.status_code == 201, response.content
    return response.body["data"]


def balance(merchant: Merchant, currency: str = "COPM") -> dict[str, Decimal]:
    return ledger.balances(merchant.pk)[currency]


def is_open() -> bool:
    """Whether a payout has not come to its end."""
    return Payout.objects.filter(status__in=OPEN).exists()


def scan_until_settled(
    *, start: datetime, workers: int = 1, limit: int = 7200, act: Callable[[], Any] | None = None
) -> int:
    """Runs the scanner every two seconds of a moved clock; returns after how many all was settled.

    `workers` scanners run at the same instant, as they do where there is more than one worker.
    """
    for seconds in range(0, limit, SCAN_SECONDS):
        with time_machine.travel(start + timedelta(seconds=seconds), tick=False):
            scan = act or partial(engine.act_due, now=clock.now())
            if workers == 1:
                scan()
            else:
                for result in at_once([scan] * workers):
                    if isinstance(result, Exception):
                        raise result
        if not is_open():
            return seconds
    raise AssertionError(f"Not settled in {limit} s: {Payout.objects.filter(status__in=OPEN)}")
