"""How tests of quotes talk: a payer chooses a coin, an operator sets prices, the network speaks.

All of it but the price goes over HTTP: the payment page, the simulator's desk, signed callbacks.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import time_machine
from django.test import Client

from payments.collect.models import Charge, Order
from payments.core import clock
from payments.ledger import services as ledger
from payments.providers.ports import ChargeStatus, ChargeUpdate
from payments.rates import services as rates
from payments.rates.models import ExchangeRate
from payments.settlement.services import day_closing
from payments.settlement.services import verification as settlements
from payments.simulator import callbacks, messages
from tests.collect.test_pages.conftest import Payer
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient

# One BTC before anybody changes it, and the order that most tests pay: what the merchant gets, what
# the payer sends, and what that is for, the fee included.
PRICE = 400_000_000
ORDER = 100_000_000
WHOLE = Decimal("0.25012500")
TOTAL = 100_050_000


def set_price(cop: int, coin: str = "BTC") -> None:
    """As the console's form does, which has tests of its own (tests/admin/test_money.py): its page
    took a third of the time of each test of quotes.
    """
    rate = ExchangeRate(currency=coin, price_cop=Decimal(cop), source="olga")
    rate.effective_at = clock.now()
    rates.set_rate(rate, actor="olga", reason="The market moved")


def quoted(api: ApiClient, amount: Any = ORDER, coin: str = "BTC", **changes: Any) -> Charge:
    """An order of a week whose payer has chosen a coin on the payment page."""
    body = order_body(amount=amount, expirationMinutes=10080, **changes)
    order = Order.objects.get(pk=api.post("/collect", body).body["data"]["id"])
    Payer(order).choose("/crypto", {"coin": coin})
    return order.charges.latest("created_at")


def deposit(charge: Charge, amount: Any, *, seen: str = "confirmed") -> None:
    """Coins arrive, played at the simulator's desk."""
    _press(charge, action="deposit", amount=f"{Decimal(amount):f}", seen=seen)


def confirm(charge: Charge) -> None:
    """The network confirms all that was seen."""
    _press(charge, action="confirm")


def _press(charge: Charge, **form: str) -> None:
    browser, path = Client(), f"/simulator/crypto/{charge.provider_id}"
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', browser.get(path).content.decode())
    assert token is not None
    answer = browser.post(path, {"csrfmiddlewaretoken": token[1], **form})
    assert answer.status_code == 302, answer.content


def hear(
    charge: Charge, received: Any = 0, unconfirmed: Any = 0, *, at: datetime | None = None
) -> int:
    """The rail's signed callback: how the charge stood at that moment. The HTTP status."""
    received, unconfirmed = Decimal(received), Decimal(unconfirmed)
    status = ChargeStatus.PENDING
    if received + unconfirmed > 0:
        is_whole = received >= charge.amount
        status = ChargeStatus.SUCCEEDED if is_whole else ChargeStatus.RECEIVED
    update = ChargeUpdate(
        reference=charge.pk,
        provider_id=charge.provider_id,
        status=status,
        received=received,
        unconfirmed=unconfirmed,
        currency=charge.currency,
        occurred_at=at or clock.now(),
    )
    return post(messages.body_of(update))


def post(body: bytes) -> int:
    """The callback as bytes, signed now."""
    answer = Client(raise_request_exception=False).post(
        "/callbacks/payin/simulator",
        body,
        content_type="application/json",
        headers=callbacks.signed_headers(body, clock.now()),
    )
    return answer.status_code


@contextmanager
def after_the_quote(charge: Charge, **later: int) -> Iterator[None]:
    """The quote is over, by a second at least."""
    assert charge.quote_expires_at is not None
    moment = charge.quote_expires_at + timedelta(seconds=1) + timedelta(**later)
    with time_machine.travel(moment, tick=False):
        yield


def credited(charge: Charge) -> Decimal:
    """What the coins were taken for, in the order's currency."""
    charge.refresh_from_db()
    return charge.credited


def books_agree() -> None:
    """Ledger and settlements, once the day is over."""
    assert not ledger.verify().problems
    later = clock.now() + timedelta(days=2)
    with time_machine.travel(later, tick=False):
        assert day_closing.close_due(now=later)
        assert not settlements.verify(now=later)


def quoted_bitcoin(api: ApiClient) -> Charge:
    """0.250125 BTC are asked for 100,050,000 COP."""
    set_price(PRICE)
    made = quoted(api)
    assert (made.amount, made.covers) == (WHOLE, TOTAL)
    return made
