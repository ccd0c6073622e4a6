"""A coin's quote hangs on when the network saw it, by whatever way we learn of that."""

from typing import Any

import pytest

from merchants.models import Merchant
from payments.collect.models import UnmatchedFunds
from payments.collect.services.charges import reconciliation
from payments.core import clock
from payments.simulator import callbacks
from tests.support.charges import status_of
from tests.support.fixtures import ApiClient
from tests.support.funds import available
from tests.support.quotes import (
    ORDER,
    PRICE,
    WHOLE,
    after_the_quote,
    confirm,
    credited,
    deposit,
    quoted,
    set_price,
)

pytestmark = pytest.mark.django_db


def is_down(update: Any, callback_url: str, product: str) -> int:
    """No callback reaches us."""
    return 503


@pytest.mark.parametrize("learns", ["callback", "query"])
def test_sighting_in_time_that_no_callback_brought_keeps_the_quote(
    api: ApiClient, merchant: Merchant, monkeypatch: Any, learns: str
) -> None:
    """The line was down when the network saw the coins; we hear of them when they are final."""
    set_price(PRICE)
    charge = quoted(api)
    with monkeypatch.context() as line:
        line.setattr(callbacks, "send", is_down)
        deposit(charge, WHOLE, seen="unconfirmed")
    with after_the_quote(charge):
        set_price(PRICE // 2)
        with monkeypatch.context() as line:
            if learns == "query":
                line.setattr(callbacks, "send", is_down)
            confirm(charge)
        reconciliation.reconcile_due(now=clock.now())
        assert status_of(charge.order) == "COMPLETED"
        assert available(merchant) == ORDER
        assert not UnmatchedFunds.objects.exists()


def test_confirmation_makes_no_coins_earlier_than_they_were_seen(api: ApiClient) -> None:
    set_price(PRICE)
    charge = quoted(api)
    with after_the_quote(charge):
        set_price(PRICE // 2)
        deposit(charge, WHOLE, seen="unconfirmed")
        confirm(charge)
        assert credited(charge) == 50_025_000
