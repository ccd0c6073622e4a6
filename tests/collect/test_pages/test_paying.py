"""A payer pays: by each method, through every state, and back to the shop."""

import re
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.core.cache import cache
from pytest_django import DjangoAssertNumQueries

from payments.collect.models import Charge, Order
from payments.collect.services.endings import expiry
from payments.core import clock
from payments.providers import ports
from payments.simulator import control
from tests.collect.test_pages.conftest import (
    PERSON,
    Payer,
    charge_of,
    magic_document,
    pass_deadline,
)

pytestmark = pytest.mark.django_db
PAID = ports.ChargeStatus.SUCCEEDED


# --- The whole way, by each method ----------------------------------------------------------------


def test_payer_pays_at_the_bank_and_sees_the_receipt(order: Order, payer: Payer) -> None:
    page = payer.see()
    for shown in ("Café Andino", "Café de Nariño, 2 libras", "$ 50.000 COP", "$ 25 COP"):
        assert shown in page
    assert "$ 50.025 COP" in page
    assert "¿Cómo quieres pagar?" in page

    going = payer.choose("/pse", PERSON)

    charge = charge_of(order)
    assert f'content="0;url={charge.redirect_url}"' in going
    assert f'href="{charge.redirect_url}"' in going
    assert charge.fields == {"bankCode": "1007", "personType": "NATURAL"}
    assert charge.payer["document_number"] == "1020304050"
    assert charge.payer["phone"] == "3105551234"
    waiting = payer.see("/return", follow=True)
    for shown in ("Tu pago está en el banco", "Bancolombia", "CUS", charge_of(order).trace_code):
        assert shown in waiting

    control.decide(charge.pk, PAID)

    receipt = payer.see()
    trace_code = charge_of(order).trace_code
    for shown in ("Recibimos tu pago", "PSE", "CUS", trace_code, order.reference, "$ 50.025 COP"):
        assert shown in receipt


def test_a_transfer_shows_the_account_and_then_what_is_missing(order: Order, payer: Payer) -> None:
    page = payer.choose("/transfer")
    charge = charge_of(order)
    way = charge.instructions
    shown = [way["bank"], way["accountNumber"], way["holder"], way["document"], way["reference"]]
    for text in [*shown, "Ahorros", "$ 50.025 COP", 'data-copy="50025"']:
        assert text in page

    control.deposit(charge.pk, Decimal(20000))

    page = payer.see()
    assert "$ 20.000 COP" in page
    assert 'data-copy="30025"' in page

    control.deposit(charge.pk, Decimal(30025))
    assert "Recibimos tu pago" in payer.see()


@pytest.mark.parametrize("coin", ["BTC", "ETH", "USDT", "USDC"])
def test_a_coin_shows_network_address_amount_and_qr(coin: str, order: Order, payer: Payer) -> None:
    page = payer.choose("/crypto", {"coin": coin})
    charge = charge_of(order)
    assert charge.currency == coin
    assert charge.instructions["address"] in page
    assert f"<dt>Red</dt><dd><bdi>{charge.network_name}</bdi></dd>" in page
    assert 'src="data:image/svg+xml' in page
    assert re.search(r'data-left="8\d\d"|data-left="900"', page)

    control.resolve(charge.pk, PAID)

    receipt = payer.see()
    assert f"{coin}</dd>" in receipt
    assert charge_of(order).trace_code in receipt


def test_a_coin_on_its_way_is_seen(order: Order, payer: Payer) -> None:
    payer.choose("/crypto", {"coin": "BTC"})
    charge = charge_of(order)
    control.deposit(charge.pk, charge.amount, confirmed=False)
    assert "Ya vimos tu pago" in payer.see()

    control.confirm(charge.pk)
    assert "Recibimos tu pago" in payer.see()


def test_an_expired_quote_offers_a_new_one(order: Order, payer: Payer) -> None:
    payer.choose("/crypto", {"coin": "USDT"})
    first = charge_of(order)
    Charge.objects.filter(pk=first.pk).update(quote_expires_at=clock.now())
    page = payer.see()
    assert "El precio venció" in page
    assert first.instructions["address"] not in page

    page = payer.choose("/crypto", {"coin": "USDT"})
    assert charge_of(order).pk != first.pk
    assert charge_of(order).instructions["address"] in page


def test_an_order_in_a_coin_is_paid_in_that_coin_only(create: Callable[..., Order]) -> None:
    order = create(currency="USDT", amount=1250.5)
    payer = Payer(order)
    page = payer.see(follow=True)
    assert "1.251,12525 USDT" in page
    assert 'value="USDT-tron"' in page
    assert "BTC" not in page
    assert "PSE" not in page
    assert payer.send("/crypto", {"coin": "BTC"}).status_code == 200
    assert payer.send("/pse", PERSON).status_code == 200
    assert payer.send("/transfer").status_code == 200
    assert not order.charges.exists()

    page = payer.choose("/crypto", {"coin": "USDT"})
    assert 'data-copy="1251.12525"' in page


# --- Coming back ----------------------------------------------------------------------------------


def test_coming_back_queries_the_bank_when_its_callback_was_lost(
    order: Order, payer: Payer
) -> None:
    payer.choose("/pse", magic_document("callback-lost"))
    control.decide(charge_of(order).pk, PAID)
    assert "Tu pago está en el banco" in payer.see()

    assert "Recibimos tu pago" in payer.see("/return", follow=True)


def test_coming_back_again_and_again_queries_the_bank_once(
    order: Order, payer: Payer, monkeypatch: pytest.MonkeyPatch
) -> None:
    payer.choose("/pse", PERSON)
    asked = []
    monkeypatch.setattr(
        "payments.collect.checkout.views.reconciliation.query_provider",
        lambda **about: asked.append(about),
    )
    for _ in range(20):
        payer.get(f"{payer.url}/return")
    assert len(asked) == 1
    cache.clear()


def test_coming_back_proves_nothing(order: Order, payer: Payer) -> None:
    payer.choose("/pse", PERSON)
    assert "Tu pago está en el banco" in payer.see("/return?status=APPROVED", follow=True)
    assert charge_of(order).status == "PENDING"


def test_reopening_the_link_resumes(order: Order, payer: Payer) -> None:
    payer.choose("/crypto", {"coin": "ETH"})
    address = charge_of(order).instructions["address"]
    assert address in Payer(order).see()


@pytest.mark.slow
def test_fifty_submits_are_one_charge(order: Order, payer: Payer) -> None:
    for _ in range(50):
        assert payer.send("/transfer").status_code == 303
    for _ in range(50):
        assert payer.send("/pse", PERSON).status_code == 303
    assert order.charges.filter(method="BANK_TRANSFER").count() == 1
    assert order.charges.filter(method="PSE").count() == 1


def test_the_way_back_keeps_the_merchants_query_and_says_what_it_is_not(
    order: Order, payer: Payer
) -> None:
    payer.choose("/transfer")
    assert "cafeandino.example" not in payer.see()
    control.resolve(charge_of(order).pk, PAID)

    page = payer.see()
    (link,) = re.findall(r'href="(https://cafeandino\.example[^"]*)"', page)
    parts = urlsplit(link.replace("&amp;", "&"))
    assert parts.query.startswith("pedido=7&x=%C3%B1&")
    assert parts.fragment == "abajo"
    assert parse_qsl(parts.query)[2:] == [
        ("id", order.pk),
        ("reference", order.reference),
        ("status", "COMPLETED"),
        ("confirmation", "webhook"),
    ]
    assert "data-return=" in page

    Order.objects.filter(pk=order.pk).update(paid_at=clock.now() - timedelta(hours=1))
    assert "data-return=" not in payer.see()


def test_an_order_without_callback_url_has_no_way_back(create: Callable[..., Order]) -> None:
    order = create()
    payer = Payer(order)
    payer.choose("/transfer")
    control.resolve(charge_of(order).pk, PAID)
    assert "Puedes cerrar esta página" in payer.see()


# --- The time is over -----------------------------------------------------------------------------


@pytest.mark.parametrize("is_recorded", [False, True], ids=["deadline passed", "EXPIRED"])
def test_page_after_the_deadline_says_that_time_is_over(
    is_recorded: bool, order: Order, payer: Payer
) -> None:
    payer.choose("/transfer")
    pass_deadline(order)
    if is_recorded:
        expiry.expire_if_due(order_id=order.pk, now=clock.now())
    page = payer.see()
    assert "Se acabó el tiempo para pagar" in page
    assert "Si ya pagaste, tu dinero está seguro" in page
    for path in ("/methods", "/pse", "/crypto"):
        assert payer.get(payer.url + path).headers["Location"] == payer.url
    assert payer.send("/pse", PERSON).headers["Location"] == payer.url
    assert payer.send("/transfer").headers["Location"] == payer.url
    assert payer.send("/crypto", {"coin": "BTC"}).headers["Location"] == payer.url
    assert order.charges.count() == 1


def test_a_payer_at_the_bank_is_not_told_that_time_is_over(order: Order, payer: Payer) -> None:
    payer.choose("/pse", PERSON)
    pass_deadline(order)
    assert "Tu pago está en el banco" in payer.see()


# --- Live state -----------------------------------------------------------------------------------


def test_the_version_changes_whenever_the_page_does(order: Order, payer: Payer) -> None:
    def version() -> str:
        return payer.get(f"{payer.url}/state").json()["version"]

    seen = [version()]
    payer.choose("/crypto", {"coin": "BTC"})
    seen.append(version())
    payer.choose("/transfer")
    seen.append(version())
    control.deposit(charge_of(order).pk, Decimal(1000))
    seen.append(version())
    control.deposit(charge_of(order).pk, Decimal(1000))
    seen.append(version())
    control.resolve(charge_of(order).pk, PAID)
    seen.append(version())
    assert len(set(seen)) == len(seen)
    assert version() == seen[-1]


def test_the_state_costs_one_query(
    order: Order, payer: Payer, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        response = payer.get(f"{payer.url}/state")
    assert response.json()["status"] == "PENDING"
    assert response.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in response.headers


def test_pages_poll_until_the_order_is_final(order: Order, payer: Payer) -> None:
    assert f'data-state="{payer.url}/state"' in payer.see()
    payer.choose("/transfer")
    control.resolve(charge_of(order).pk, PAID)
    assert "data-state" not in payer.see()
