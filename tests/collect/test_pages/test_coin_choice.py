"""What payers of coins see before they choose: each coin, its networks, prices and times."""

import re
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from payments.collect.models import Order
from payments.core import clock
from payments.rails.models import Route
from payments.rates.models import ExchangeRate, Quote
from tests.collect.test_pages.conftest import Payer, charge_of

pytestmark = pytest.mark.django_db
LINK = re.compile(r'href="((?:bitcoin|ethereum|tron|javascript):[^"]*)"')
_OFFER = re.compile(r'<(button|dl) class="(?:method coin|rows only-coin)".*?</\1>', re.DOTALL)


def offers_on(page: str) -> list[str]:
    """What the chooser has: a button for each coin, or the facts of the only one."""
    return [found.group() for found in _OFFER.finditer(page)]


@pytest.fixture
def payer(payer: Payer) -> Payer:
    """Reads English, which is how texts are written in the code."""
    payer.see("?lang=en")
    return payer


@pytest.fixture
def wharf(settings: Any) -> Callable[..., None]:
    """Only the rail with USDT on two networks takes coins, or only one coin of it."""
    settings.RAILS = [*settings.RAILS, "tests.rails.wharf.RAIL"]

    def serve(currency: str = "") -> None:
        Route.objects.all().delete()
        Route.objects.create(product="payin", account="wharf", method="CRYPTO", currency=currency)
        Route.objects.create(product="payin", account="simulator", method="PSE")

    serve()
    return serve


def text(page: str) -> str:
    """The words of the task, without markup."""
    (main,) = re.findall(r"<main.*?</main>", page, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", main).split())


@pytest.mark.usefixtures("wharf")
def test_payer_sees_network_amount_and_price_before_choosing(order: Order, payer: Payer) -> None:
    page = payer.see("/crypto")
    assert (
        "USDT 1 USDT = 3,950 COP Tron (TRC-20) 12.664557 USDT "
        "Polygon (PoS) 12.664557 USDT Low network fee "
        "BTC 1 BTC = 395,000,000 COP Bitcoin 0.00012665 BTC"
    ) in text(page)
    assert len(offers_on(page)) == 3
    assert not Quote.objects.exists()

    html = payer.choose("/crypto", {"coin": "USDT-polygon"})
    page = text(html)
    charge = charge_of(order)
    assert charge.fields == {"coin": "USDT", "network": "polygon"}
    assert f'data-copy="{charge.instructions["address"]}"' in html
    assert "only on this network, not on Ethereum (ERC-20)." in page
    assert "Make sure it shows Polygon (PoS): the addresses look the same as on Ethereum." in page
    assert "1 USDT = 3,950 COP" in page
    # Of two ends of time the payer sees the nearer one.
    assert "This price is good until" in page
    assert "Pay today before" not in html


@pytest.mark.usefixtures("wharf")
def test_coin_on_two_networks_needs_one_of_them(order: Order, payer: Payer) -> None:
    payer.see("/crypto")
    page = payer.send("/crypto", {"coin": "USDT"}).content.decode()
    assert "Choose the coin and its network" in page
    assert not order.charges.exists()


def test_prices_of_all_coins_cost_one_query(
    payer: Payer, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    payer.see("/crypto")
    # The order, twice, the sums of its tries, a debit at a bank, the open try, the routes, the
    # prices.
    with django_assert_num_queries(7):
        payer.see("/crypto")


def test_spread_is_in_the_price_that_payers_see(payer: Payer, settings: Any) -> None:
    settings.CRYPTO_SPREAD = Decimal("0.01")
    assert "1 USDT = 3,910.50 COP" in text(payer.see("/crypto"))


def test_coin_without_a_current_price_is_not_offered(payer: Payer, settings: Any) -> None:
    settings.RATE_MAX_AGE_SECONDS = 900
    later = clock.now() + timedelta(hours=1)
    fresh = {"currency": "ETH", "price_cop": 14_000_000, "source": "desk", "effective_at": later}
    ExchangeRate.objects.create(**fresh)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("payments.collect.checkout.views.clock.now", lambda: later)
        Order.objects.update(expires_at=later + timedelta(hours=1))
        page = payer.see("/crypto")
        assert len(offers_on(page)) == 1
        assert "1 ETH = 14,000,000 COP" in text(page)

        later += timedelta(hours=1)
        Order.objects.update(expires_at=later + timedelta(hours=1))
        page = payer.see("/crypto")
    assert offers_on(page) == []
    assert "There is no current price for any coin right now" in page
    assert "Nothing was charged." in page


def test_only_coin_starts_with_a_button_on_the_page_of_methods(
    order: Order, payer: Payer, wharf: Callable[..., None]
) -> None:
    assert f'href="{payer.url}/crypto"' in payer.see()
    wharf("BTC")
    page = payer.see()
    assert f'href="{payer.url}/crypto"' not in page
    assert 'name="coin" value="BTC-bitcoin"' in page
    assert "BTC · Bitcoin" in page
    assert "Send BTC" in payer.choose("/crypto", {"coin": "BTC-bitcoin"})
    assert order.charges.count() == 1


def test_looking_at_the_only_coin_starts_nothing(create: Callable[..., Order]) -> None:
    order = create(currency="USDT", amount=1250.5)
    page = Payer(order).see("?lang=en", follow=True)
    assert "Pay with USDT" in page
    assert "1,251.12525 USDT" in page
    assert len(offers_on(page)) == 1  # there is nothing to choose
    assert "Get the address" in page
    assert "1 USDT =" not in page
    assert not order.charges.exists()
