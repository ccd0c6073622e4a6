"""Links of Café Andino, and payers who fill in their forms."""

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from itertools import count
from typing import Any

import pytest

from merchants.models import Merchant
from payments.collect.models import Order
from payments.core import clock
from payments.links.models import PaymentLink
from payments.links.services import links, payments

_forms = count(1)
MakeLink = Callable[..., PaymentLink]


def new_link(merchant: Merchant, **fields: Any) -> PaymentLink:
    """A link of 50,000 pesos, without a limit."""
    currency = fields.pop("currency", "COP")
    wanted = {"title": "Café de Nariño, 2 libras", "amount": Decimal(50000), **fields}
    made, _replayed = links.create_link(
        merchant=merchant,
        new_link=links.NewLink(fields=wanted, currency=currency),  # type: ignore[arg-type]
        actor="sofia",
        now=clock.now(),
    )
    return made


def pay(link: PaymentLink, now: datetime | None = None, **answers: Any) -> Order:
    """One payer fills in the form."""
    filled = {"name": "María Gómez", "email": "maria@example.com", **answers}
    filled.setdefault("form_key", f"form-{next(_forms)}")
    return payments.pay(link=link, payment=payments.NewPayment(**filled), now=now or clock.now())


@pytest.fixture
def make_link(merchant: Merchant) -> MakeLink:
    return lambda **fields: new_link(merchant, **fields)
