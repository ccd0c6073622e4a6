"""What the tests of bills share: debts that are unpaid, requests, balances."""

import itertools
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from django.http import HttpResponse

from payments.bills.models import BillPayment
from payments.bills.services.engine import engine
from payments.simulator import failures, magic
from payments.simulator.magic import OutgoingProduct
from tests.support import outgoing_payments
from tests.support.fixtures import ApiClient

AGREEMENT = 1001
NAME = "Acueducto de Ejemplo"
FUNDS = 5_000_000
FEE = 800
MAGIC = {row.name: key for key, row in magic.OUTGOING_BY_KEY[OutgoingProduct.BILL].items()}
_serial = itertools.count(1)
advance = partial(outgoing_payments.advance, engine)


def reference(magic: str = "ordinary") -> str:
    """A bill's reference that the simulator's books, which outlive a test, have never seen."""
    fresh = f"{next(_serial)}7{secrets.randbelow(10**9):09d}"
    return MAGIC[magic] + fresh if magic in MAGIC else fresh


def ask(api: ApiClient, bill: str, agreement: Any = AGREEMENT) -> HttpResponse:
    return api.post("/bills/check", {"agreementId": agreement, "reference": bill})


def owed(api: ApiClient, bill: str) -> list[dict[str, Any]]:
    """The products that a check answers."""
    response = ask(api, bill)
    assert response.status_code == 200, response.content
    return response.body["data"]["products"]


def body_of(bill: str, amount: Any, **changes: Any) -> dict[str, Any]:
    """A body of POST /bills/pay; None removes a field."""
    body = {"agreementId": AGREEMENT, "reference": bill, "amountCop": amount, **changes}
    return {name: value for name, value in body.items() if value is not None}


def pay(
    api: ApiClient, bill: str, amount: Any, key: str | None = None, **changes: Any
) -> HttpResponse:
    headers = {"Idempotency-Key": key or f"key-{next(_serial)}"}
    return api.post("/bills/pay", body_of(bill, amount, **changes), headers=headers)


def pay_owed(api: ApiClient, bill: str, key: str | None = None, **changes: Any) -> HttpResponse:
    """Pays what is owed on the reference: a single bill."""
    (product,) = owed(api, bill)
    return pay(api, bill, product["amount"], key, **changes)


def payment_of(response: HttpResponse) -> BillPayment:
    assert response.status_code == 201, response.content
    return BillPayment.objects.get(pk=response.body["data"]["id"])


@contextmanager
def impatient() -> Iterator[None]:
    """A caller that waits for a silent rail gives up at once."""
    failures.released.set()
    try:
        yield
    finally:
        failures.released.clear()
