"""The console shows `3.950`; a person who types such an amount is asked what they mean."""

from decimal import Decimal
from typing import Any

import pytest

from merchants.models import Merchant
from payments.collect.models import Refund
from payments.rates.models import ExchangeRate
from tests.admin.conftest import Console, url
from tests.support.console_forms import as_shown
from tests.support.fixtures import ApiClient
from tests.support.refunds import paid

pytestmark = pytest.mark.django_db


def problems(answer: Any) -> str:
    assert answer.status_code in (200, 400), answer.status_code
    return str(answer.content.decode())


@pytest.mark.parametrize("typed", ["3.950", "3,950", "1.003.950"])
def test_price_with_a_separator_of_thousands_is_refused(console: Console, typed: str) -> None:
    rates = ExchangeRate.objects.count()
    refused = console.submit("rates_exchangerate_add", currency="USDT", price_cop=typed)
    assert typed.replace(".", "").replace(",", "") in problems(refused)
    assert ExchangeRate.objects.count() == rates


@pytest.mark.parametrize(
    ("typed", "price"), [("3950", "3950"), ("3950.125", "3950.125"), ("0.125", "0.125")]
)
def test_price_that_can_be_read_in_one_way_is_taken(
    console: Console, typed: str, price: str
) -> None:
    taken = console.submit("rates_exchangerate_add", currency="USDT", price_cop=typed)
    assert taken.status_code == 302
    assert ExchangeRate.objects.latest("created_at").price_cop == Decimal(price)


@pytest.mark.parametrize("typed", ["20.000", "20000", "$ 20.000", "20.000,00"])
def test_refund_of_twenty_thousand_is_not_one_of_twenty(
    console: Console, api: ApiClient, typed: str
) -> None:
    taken = console.submit("collect_order_refund_order", paid(api).pk, amount=typed)
    assert taken.status_code == 302
    assert Refund.objects.get().amount == Decimal(20_000)


@pytest.mark.parametrize("typed", ["20,000", "20000.5", "20.00", "0"])
def test_refund_in_pesos_that_can_be_read_in_two_ways_is_refused(
    console: Console, api: ApiClient, typed: str
) -> None:
    problems(console.submit("collect_order_refund_order", paid(api).pk, amount=typed))
    assert not Refund.objects.exists()


@pytest.mark.parametrize(
    ("language", "good", "bad"), [("es", "20.000", "20,000"), ("en", "20,000", "20.000")]
)
def test_form_shows_and_reads_amounts_in_the_language_of_the_reader(
    console: Console, api: ApiClient, language: str, good: str, bad: str
) -> None:
    console.cookies["django_language"] = language
    order = paid(api)
    example = {"es": "1.250.000", "en": "1,250,000"}
    page = console.page("collect_order_refund_order", order.pk).content.decode()
    assert example[language] in page
    refused = console.submit("collect_order_refund_order", order.pk, amount=bad)
    assert example[language] in problems(refused)
    assert console.submit("collect_order_refund_order", order.pk, amount=good).status_code == 302
    assert Refund.objects.get().amount == Decimal(20_000)


def test_amount_on_the_books_comes_back_as_it_was_shown(
    console: Console, merchant: Merchant
) -> None:
    kept = Decimal("1.125")
    Merchant.objects.filter(pk=merchant.pk).update(
        payout_approval_above=kept, payout_approval_set_by="ana"
    )
    form = as_shown(console.page("merchants_merchant_change", merchant.pk))
    assert form["payout_approval_above"] == ["1.1250"]
    saved = console.post(
        url("merchants_merchant_change", merchant.pk), {**form, "reason": "A new name, ticket 4"}
    )
    assert saved.status_code == 302, saved.context["adminform"].form.errors
    merchant.refresh_from_db()
    assert merchant.payout_approval_above == kept
