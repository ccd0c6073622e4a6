"""What the page says of an order, and in which language."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from merchants.models import Merchant
from payments.collect.checkout import timestamps
from payments.collect.models import Order
from payments.providers import ports
from payments.simulator import control
from tests.collect.test_pages.conftest import (
    PERSON,
    Payer,
)

pytestmark = pytest.mark.django_db
PAID = ports.ChargeStatus.SUCCEEDED


# --- What the order looks like --------------------------------------------------------------------


def test_cents_are_shown_only_where_there_are_some(create: Callable[..., Order]) -> None:
    assert "$ 1.500,50 COP" in Payer(create(amount=1500.5)).see()
    assert "$ 1.500 COP" in Payer(create(amount=1500)).see()


def test_a_legacy_order_has_a_total_and_no_parts(order: Order, payer: Payer) -> None:
    Order.objects.filter(pk=order.pk).update(base_amount=None, fee_amount=None)
    page = payer.see()
    assert "$ 50.025 COP" in page
    assert ">None" not in page
    assert "Tarifa de servicio" not in page


def test_the_deadline_is_in_the_time_of_bogota(order: Order, payer: Payer) -> None:
    deadline = order.expires_at.replace(hour=17, minute=5) + timedelta(days=1)
    Order.objects.filter(pk=order.pk).update(expires_at=deadline)
    page = payer.see()
    assert "12:05\N{NO-BREAK SPACE}p.m." in page
    assert "(hora de Bogotá)" in page


@pytest.mark.parametrize(("hour", "is_today"), [(4, True), (5, False)])
def test_the_payers_day_ends_at_midnight_of_bogota(hour: int, is_today: bool) -> None:
    evening = datetime(2026, 1, 2, 3, tzinfo=UTC)  # ten in the evening of the first
    assert timestamps.is_today(evening.replace(hour=hour, minute=30), evening) is is_today


def test_page_says_who_gets_the_money_before_how_much(payer: Payer) -> None:
    page = payer.see()
    assert page.index("<bdi>Café Andino</bdi>") < page.index('class="total')


def test_only_allowed_methods_are_offered(create: Callable[..., Order]) -> None:
    page = Payer(create(allowedMethods=["PSE", "CRYPTO"])).see()
    assert "/pse" in page
    assert "/crypto" in page
    assert "/transfer" not in page


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        (["PSE", "CRYPTO", "BANK_TRANSFER"], ["/pse", "/transfer", "/with", "/crypto"]),
        (["CRYPTO", "PSE"], ["/crypto", "/pse", "/with"]),
    ],
)
def test_coins_stand_last_unless_the_merchant_wants_them_first(
    wanted: list[str], shown: list[str], create: Callable[..., Order]
) -> None:
    payer = Payer(create(allowedMethods=wanted))
    page = payer.see()
    paths = re.findall(
        rf'(?:class="method" href|form method="post" action)="{payer.url}(/\w+)', page
    )
    assert list(dict.fromkeys(paths)) == shown


def test_a_single_method_is_not_asked_for(create: Callable[..., Order]) -> None:
    payer = Payer(create(allowedMethods=["PSE"]))
    assert "¿Cómo quieres pagar?" in payer.see()  # there is the button of a bank, too
    Merchant.objects.update(direct_api_enabled=False)
    assert "Paga con PSE" in payer.see(follow=True)


def test_another_method_is_refused(create: Callable[..., Order]) -> None:
    order = create(allowedMethods=["BANK_TRANSFER"])
    page = Payer(order).send("/pse", PERSON).content.decode()
    assert "no está disponible" in page
    assert not order.charges.exists()


def test_what_a_page_costs_the_database(
    order: Order, payer: Payer, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    def cost(path: str, queries: int) -> None:
        payer.see(path)
        with django_assert_num_queries(queries):
            payer.see(path)

    # The order with its merchant and logo, the sums of its tries, the open try, the routes.
    cost("", 4)
    cost("/pse", 5)
    payer.choose("/transfer")
    cost("", 4)
    cost("/paid", 5)
    control.resolve(order.charges.get().pk, PAID)
    # The receipt: its try, its code, what came beside it, its refunds, and whether it was mailed.
    cost("", 7)


# --- Language -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("es-CO,es;q=0.9,en;q=0.8", "es"),
        ("en-US,en;q=0.9", "en"),
        ("fr-FR,fr;q=0.9,en;q=0.8", "en"),
        ("fr-FR", "es"),
        ("*", "es"),
        ("nonsense\x7f;q=x", "es"),
    ],
)
def test_first_page_is_in_the_language_of_the_browser(
    accepted: str, language: str, payer: Payer
) -> None:
    assert f'<html lang="{language}">' in payer.see(headers={"Accept-Language": accepted})


def test_choice_of_the_payer_wins_over_the_browser(payer: Payer) -> None:
    english = {"Accept-Language": "en-US,en;q=0.9"}
    assert '<html lang="es">' in payer.see("?lang=es", headers=english)
    assert '<html lang="es">' in payer.see(headers=english)


def test_english_is_one_link_away_and_is_remembered(payer: Payer) -> None:
    page = payer.see("/pse?lang=en")
    assert '<html lang="en">' in page
    assert "Pay with PSE" in page
    page = payer.see()
    assert "How do you want to pay?" in page
    assert "$ 50,025 COP" in page
    assert '<html lang="es">' in payer.see("?lang=es")
    assert '<html lang="es">' in payer.see()


def test_another_language_is_ignored(payer: Payer) -> None:
    response = payer.get(payer.url, {"lang": "../de"})
    assert '<html lang="es">' in response.content.decode()
    assert "django_language" not in response.cookies


def test_every_text_of_the_page_has_a_spanish_translation() -> None:
    folder = Path(settings.BASE_DIR) / "templates"
    texts = {
        text
        for file in [
            *folder.glob("pay/*.html"),
            *folder.glob("verify/*.html"),
            folder / "403_csrf.html",
            folder / "500.html",
        ]
        for text in re.findall(r"""{% translate (?:"([^"]+)"|'([^']+)')""", file.read_text())
        for text in text
        if text
    }
    assert len(texts) > 80
    same_in_both = {"Total", "Error"}
    with translation.override("es"):
        untranslated = {text for text in texts if translation.gettext(text) == text}
    assert untranslated <= same_in_both


@pytest.mark.parametrize(("utc", "is_one"), [(5, False), (6, True), (7, False), (18, True)])
def test_spanish_is_told_which_hour_is_one_oclock_in_bogota(utc: int, is_one: bool) -> None:
    moment = datetime(2026, 3, 4, utc, 30, tzinfo=UTC)
    assert timestamps.is_one_oclock(moment) is is_one
