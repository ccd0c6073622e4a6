"""*I already paid* while the order is open: what arrived is named, and never called nothing."""

from typing import Any

import pytest

from payments.collect.models import Charge
from payments.collect.models.charges import ChargeStatus
from tests.collect.test_pages.conftest import Payer
from tests.support.charges import status_of
from tests.support.fixtures import ApiClient
from tests.support.quotes import (
    PRICE,
    WHOLE,
    after_the_quote,
    confirm,
    deposit,
    quoted,
    set_price,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def charge(api: ApiClient) -> Charge:
    set_price(PRICE)
    return quoted(api)


@pytest.fixture
def payer(charge: Charge) -> Payer:
    """Reads English, which is how texts are written in the code."""
    browser = Payer(charge.order)
    browser.see("?lang=en")
    return browser


def test_late_coins_of_less_worth_are_told_as_a_part(charge: Charge, payer: Payer) -> None:
    with after_the_quote(charge):
        set_price(PRICE // 2)
        deposit(charge, WHOLE)
        charge.refresh_from_db()
        assert (charge.status, status_of(charge.order)) == (
            ChargeStatus.SUCCEEDED,
            "WAITING_TRANSFER",
        )
        for page in (payer.see("/paid"), payer.choose("/paid")):
            assert "50,025,000" in page
            assert "No money" not in page
            assert "not decided" not in page


def test_rest_that_is_on_its_way_is_told_beside_the_part(charge: Charge, payer: Payer) -> None:
    deposit(charge, WHOLE / 2)
    deposit(charge, WHOLE / 2, seen="unconfirmed")
    page = payer.see("/paid")
    assert "$ 50,025,000 COP" in page
    assert "Your payment is being processed" in page
    confirm(charge)
    assert "Payment received" in payer.see("/paid", follow=True)


def test_coins_without_a_price_are_not_said_to_have_come_late(
    charge: Charge, payer: Payer, settings: Any
) -> None:
    with after_the_quote(charge, hours=2):
        settings.RATE_MAX_AGE_SECONDS = 60
        deposit(charge, WHOLE / 2)
        assert status_of(charge.order) == "WAITING_TRANSFER"
        page = payer.see("/paid")
        assert ">Your money arrived</h1>" in page
        assert "It could not be counted for this order by itself" in page
        assert "had ended" not in page
