"""No page shows an amount as the database keeps it: eight decimals, or digits without groups."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client, override_settings
from django.utils import translation

from merchants.models import Merchant, Method
from payments.collect.models import Order, Receipt
from payments.collect.services.orders import receipts
from payments.simulator import control
from tests.config.test_messages import DESKS, PAGES, STEPS, addresses, english
from tests.support.charges import create, start
from tests.support.factories import MerchantFactory
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import browser_of
from tests.support.two_tenants import OWN, World, furnish, load_catalogues

pytestmark = pytest.mark.slow

LANGUAGES = ("es", "en")
# A raw amount ends in a zero that says nothing: "200000,00000000", "9925.00000000", "0.50000000".
RAW = re.compile(r"\d[.,]\d{7}0(?!\d)")
UNGROUPED = re.compile(r"(?<![\w.,])\d{5,}(?:[.,]\d+)? (?:COPM?|USD[TC]|BTC|ETH)\b|\$ ?\d{5,}")
SILENT = re.compile(r"<(script|style|code|pre)\b.*?</\1>", re.DOTALL)


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """A merchant with a row of everything, amounts with and without decimals among them."""
    quick = {
        "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
        "DOORBELL": False,
    }
    # Mails keep the language in which they are written, and the test before may have left another.
    with (
        django_db_blocker.unblock(),
        override_settings(**quick),
        transaction.atomic(),
        translation.override("es"),
    ):
        load_catalogues()
        made = furnish(MerchantFactory(), OWN)
        Merchant.objects.filter(pk=made.merchant.pk).update(
            payout_approval_above=200_000, payout_approval_set_by="beto"
        )
        for method in Method.values:
            start(create(ApiClient(made.merchant), reference=f"ABIERTA-{method}"), method)
        for order in Order.objects.filter(status=Order.Status.COMPLETED):
            receipts.get_code(order=order)
        yield made
        transaction.set_rollback(True)


def read(browser: Client, *pages: str) -> dict[str, str]:
    """The text of each page that is one for people."""
    answers = ((page, browser.get(page)) for page in pages)
    return {
        page: answer.content.decode()
        for page, answer in answers
        if not answer.streaming and "html" in answer.headers.get("Content-Type", "")
    }


def wrong(texts: dict[str, str]) -> dict[str, list[str]]:
    """What no person should read, by the page that shows it."""
    found = {}
    for page, whole in texts.items():
        text = SILENT.sub("", whole)
        if raw := [text[max(0, m.start() - 60) : m.end() + 10] for m in RAW.finditer(text)]:
            found[page] = raw
        elif ungrouped := UNGROUPED.findall(re.sub(r"<[^>]+>", " ", text)):
            found[page] = ungrouped
    return found


def speaking(browser: Client, language: str) -> Client:
    browser.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    return browser


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_console_formats_every_amount_and_speaks_spanish(
    language: str, world: World, db: None
) -> None:
    """Both of one walk, because a hundred pages cost six CPU seconds."""
    browser = speaking(Client(), language)
    browser.force_login(User.objects.create_superuser("olga", password="Nevado-del-Huila-5364"))
    pages = sorted(set(addresses()))
    assert len(pages) > PAGES
    texts = read(browser, *pages)
    assert wrong(texts) == {}
    if language == "es":
        assert {page: left for page in texts if (left := english(texts[page]))} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_of_a_merchant_read_formatted_amounts(language: str, world: World, db: None) -> None:
    browser = speaking(browser_of(world.user), language)
    own = f"/admin/merchants/merchant/{world.merchant.pk.replace('_', '_5F')}/change/"
    shown = browser.get(own).content.decode()
    assert ("200.000" if language == "es" else "200,000") in shown
    assert wrong(read(browser, *sorted(set(addresses())))) == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_payers_and_the_simulator_read_formatted_amounts(
    language: str, world: World, db: None
) -> None:
    browser = speaking(Client(), language)
    pages = [f"/verify/{proof.code}" for proof in Receipt.objects.all()]
    for order in Order.objects.all():
        pages += [f"/pay/{order.token}{step}" for step in STEPS]
        for charge in order.charges.all():
            pages += [f"/simulator/{desk}/{charge.provider_id}" for desk in DESKS]
    assert wrong(read(browser, *pages)) == {}


def test_a_deposit_at_the_simulator_is_grouped_as_people_read_it(world: World, db: None) -> None:
    order = create(ApiClient(world.merchant), amount=150_000)
    charge = start(order, "BANK_TRANSFER")
    control.deposit(charge.pk, Decimal(20_000))
    page = f"/simulator/transfer/{charge.provider_id}"
    spanish = speaking(Client(), "es").get(page).content.decode()
    for shown in ("$ 150.075 COP", "$ 20.000 COP", "$ 130.075 COP"):
        assert shown in spanish
    assert 'value="130075"' in spanish  # what is typed is no text to read
    assert "$ 150,075 COP" in speaking(Client(), "en").get(page).content.decode()
