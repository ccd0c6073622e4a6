"""Exchange rates, quotes and what an amount is worth."""

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import Error, connection
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from pytest_django import DjangoAssertNumQueries

from payments.core import money
from payments.core.models import AuditEntry
from payments.rates import services
from payments.rates.models import ExchangeRate, Quote

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 1, 15, 0, tzinfo=UTC)
COINS = ["USDT", "USDC", "BTC", "ETH"]


@pytest.fixture
def prices(db: None) -> None:
    """Round prices: 1 USDT = 4,000 COP, 1 BTC = 400,000,000 COP, 1 ETH = 12,000,000 COP."""
    price("USDT", "4000")
    price("USDC", "4000")
    price("BTC", "400000000")
    price("ETH", "12000000")


def price(currency: str, price_cop: str, at: datetime = NOW) -> ExchangeRate:
    rate = ExchangeRate(
        currency=currency, price_cop=Decimal(price_cop), source="desk", effective_at=at
    )
    return services.set_rate(rate, actor="ana")


def quote(amount: str, currency: str, pay_with: str, now: datetime = NOW) -> Quote:
    return services.quote(amount=Decimal(amount), currency=currency, pay_with=pay_with, now=now)


def value(amount: str, currency: str, in_currency: str, now: datetime = NOW) -> Decimal:
    return services.value(
        amount=Decimal(amount), currency=currency, in_currency=in_currency, now=now
    )


def offers(amount: str, currency: str, *coins: str, now: datetime = NOW) -> dict[str, Any]:
    return services.offers(amount=Decimal(amount), currency=currency, pay_with=coins, now=now)


def test_offers_say_what_quotes_would_and_keep_nothing(
    prices: None, settings: Any, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    settings.CRYPTO_SPREAD = Decimal("0.01")
    with django_assert_num_queries(1):
        found = offers("50025.37", "COP", *COINS)
    assert not Quote.objects.exists()
    assert list(found) == COINS
    for coin in COINS:
        made = quote("50025.37", "COP", coin)
        assert (found[coin].amount, found[coin].rate) == (made.amount_in, made.rate)
        assert services.quoted_rate(made.pk) == made.rate


def test_offers_leave_out_coins_without_a_current_price(settings: Any) -> None:
    settings.RATE_MAX_AGE_SECONDS = 900
    price("USDT", "4000", at=NOW - timedelta(seconds=901))
    price("ETH", "11000000", at=NOW - timedelta(seconds=600))
    price("ETH", "12000000", at=NOW - timedelta(seconds=60))
    price("ETH", "13000000", at=NOW + timedelta(seconds=60))
    found = offers("60000", "COP", "USDT", "BTC", "ETH")
    assert list(found) == ["ETH"]
    assert (found["ETH"].amount, found["ETH"].rate) == (Decimal("0.005"), 12000000)


def test_offer_in_the_orders_own_coin_needs_no_price() -> None:
    found = offers("1250.5", "USDT", "USDT", "BTC")
    assert list(found) == ["USDT"]
    assert (found["USDT"].amount, found["USDT"].rate) == (Decimal("1250.5"), None)


def test_quote_converts_at_the_current_price(prices: None) -> None:
    made = quote("50025", "COP", "USDT")

    assert made.pk.startswith("quo_")
    assert made.amount_in == Decimal("12.506250")
    assert (made.amount_out, made.rate, made.spread) == (50025, 4000, 0)
    assert (made.base_currency, made.counter_currency) == ("COP", "USDT")
    assert made.expires_at == NOW + timedelta(minutes=15)
    assert not made.is_expired(NOW + timedelta(minutes=14, seconds=59))
    assert made.is_expired(NOW + timedelta(minutes=15))


@pytest.mark.parametrize(
    ("amount", "currency", "pay_with", "amount_in"),
    [
        ("50025", "COP", "BTC", "0.00012507"),  # 0.0001250625
        ("50025", "COP", "ETH", "0.00416875"),
        ("4000.01", "COP", "USDT", "1.000003"),  # 1.0000025
        ("1", "COP", "BTC", "0.00000001"),  # 0.0000000025
        ("1000.5", "USDT", "BTC", "0.01000500"),
        ("1", "BTC", "USDT", "100000.000000"),
        ("1", "BTC", "ETH", "33.33333334"),
        ("1000.5", "USDT", "USDT", "1000.500000"),
        ("50025", "COP", "COPM", "50025"),
    ],
)
def test_the_payers_amount_is_rounded_up(
    prices: None, amount: str, currency: str, pay_with: str, amount_in: str
) -> None:
    assert f"{quote(amount, currency, pay_with).amount_in:f}" == amount_in


def test_the_spread_is_paid_by_the_payer(prices: None, settings: Any) -> None:
    settings.CRYPTO_SPREAD = Decimal("0.01")

    made = quote("50025", "COP", "USDT")

    assert made.rate == 3960
    assert made.spread == Decimal("0.01")
    assert made.amount_in == Decimal("12.632576")
    assert quote("10", "USDT", "USDT").spread == 0, "nothing is exchanged"


@pytest.mark.parametrize(
    ("amount", "currency", "in_currency", "worth"),
    [
        ("0.00012507", "BTC", "COP", "50028"),
        ("1.999999", "USDT", "COP", "7999"),  # 7,999.996
        ("1", "USDT", "BTC", "0.00001000"),
        ("1.5", "ETH", "ETH", "1.50000000"),
        ("1", "COP", "USDT", "0.000250"),
    ],
)
def test_what_arrived_is_worth(
    prices: None, amount: str, currency: str, in_currency: str, worth: str
) -> None:
    found = value(amount, currency, in_currency)
    assert f"{money.quantize_down(found, in_currency):f}" == worth


def test_what_arrived_is_worth_its_price_less_the_spread(prices: None, settings: Any) -> None:
    settings.CRYPTO_SPREAD = Decimal("0.01")

    assert value("1.000001", "USDT", "COP") == Decimal("3960.00396")
    assert value("1", "USDT", "USDT") == 1, "nothing is exchanged"


def test_the_newest_rate_counts(prices: None) -> None:
    price("USDT", "4100", at=NOW + timedelta(minutes=1))

    assert value("1", "USDT", "COP", now=NOW) == 4000, "the new one is not in force yet"
    assert value("1", "USDT", "COP", now=NOW + timedelta(minutes=1)) == 4100


def test_a_quote_keeps_its_price(prices: None) -> None:
    made = quote("4000", "COP", "USDT")
    price("USDT", "8000")

    assert Quote.objects.get(pk=made.pk).amount_in == 1


def test_a_stale_rate_is_503(prices: None, settings: Any) -> None:
    settings.RATE_MAX_AGE_SECONDS = 3600
    quote("50025", "COP", "USDT", now=NOW + timedelta(hours=1))

    with pytest.raises(services.StaleRate) as raised:
        quote("50025", "COP", "USDT", now=NOW + timedelta(hours=1, seconds=1))

    assert (raised.value.status, raised.value.code) == (503, "SERVICE_UNAVAILABLE")
    assert "Retry-After" in raised.value.headers
    assert Quote.objects.count() == 1


def test_without_a_limit_no_rate_is_stale(prices: None, settings: Any) -> None:
    settings.RATE_MAX_AGE_SECONDS = 0

    assert quote("4000", "COP", "USDT", now=NOW + timedelta(days=400)).amount_in == 1


def test_a_coin_without_a_rate_is_503(db: None) -> None:
    with pytest.raises(services.StaleRate):
        quote("50025", "COP", "BTC")


def test_no_rate_is_needed_where_nothing_is_exchanged(db: None, settings: Any) -> None:
    settings.RATE_MAX_AGE_SECONDS = 1

    assert quote("1000", "USDT", "USDT").rate == 1
    assert value("1000", "COP", "COPM") == 1000


class TestPayouts:
    """What leaves a balance in USDT for a payout in pesos."""

    @pytest.mark.parametrize(
        ("amount_cop", "debit"),
        [
            ("102500", "25.625000"),
            ("102501", "25.625250"),
            ("102501.01", "25.625253"),  # 25.6252525
            ("0.01", "0.000003"),  # 0.0000025
            ("50002500", "12500.625000"),
        ],
    )
    def test_the_debit_is_rounded_up(self, prices: None, amount_cop: str, debit: str) -> None:
        made = services.payout_quote(amount_cop=Decimal(amount_cop), now=NOW)

        assert f"{made.debit:f}" == debit
        assert (made.rate, made.spread) == (4000, 0)
        assert not Quote.objects.exists(), "the payout itself keeps it"

    def test_the_spread_is_paid_by_the_merchant(self, prices: None, settings: Any) -> None:
        settings.PAYOUT_SPREAD = Decimal("0.01")
        settings.CRYPTO_SPREAD = Decimal("0.5")  # of payers, not of payouts

        made = services.payout_quote(amount_cop=Decimal(102500), now=NOW)

        assert (made.rate, made.spread) == (3960, Decimal("0.01"))
        assert made.debit == Decimal("25.883839")  # 25.88383838...

    def test_a_quote_is_never_changed(self, prices: None) -> None:
        made = services.payout_quote(amount_cop=Decimal(102500), now=NOW)

        with pytest.raises(AttributeError):
            made.debit = Decimal(0)  # type: ignore[misc]

    def test_a_stale_rate_is_503(self, prices: None, settings: Any) -> None:
        settings.RATE_MAX_AGE_SECONDS = 3600
        services.payout_quote(amount_cop=Decimal(1), now=NOW + timedelta(hours=1))

        with pytest.raises(services.StaleRate) as raised:
            services.payout_quote(amount_cop=Decimal(1), now=NOW + timedelta(hours=1, seconds=1))

        assert (raised.value.status, raised.value.code) == (503, "SERVICE_UNAVAILABLE")
        assert raised.value.headers["Retry-After"] == "60"

    def test_without_a_rate_it_is_503(self, db: None) -> None:
        with pytest.raises(services.StaleRate):
            services.payout_quote(amount_cop=Decimal(1), now=NOW)


@pytest.mark.parametrize(("currency", "price_cop"), [("DOGE", "1"), ("COP", "1")])
def test_only_our_coins_have_a_rate(db: None, currency: str, price_cop: str) -> None:
    with pytest.raises(ValidationError):
        price(currency, price_cop)


@pytest.mark.parametrize("price_cop", ["0", "-1"])
def test_a_price_is_above_zero(db: None, price_cop: str) -> None:
    with pytest.raises(ValidationError):
        price("USDT", price_cop)


def test_setting_a_rate_leaves_an_audit_row(db: None) -> None:
    rate = price("BTC", "400000000")

    row = AuditEntry.objects.get(action="exchange_rate.set")
    assert (row.actor, row.subject_id) == ("ana", str(rate.pk))
    assert row.details == {"currency": "BTC", "price_cop": "400000000"}


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE rates_exchangerate SET price_cop = 1",
        "DELETE FROM rates_exchangerate",
        "TRUNCATE rates_exchangerate",
        "UPDATE rates_quote SET amount_in = 1",
    ],
)
def test_rates_and_quotes_are_never_changed(prices: None, sql: str) -> None:
    quote("50025", "COP", "USDT")

    with pytest.raises(Error, match="Cannot"), connection.cursor() as cursor:
        cursor.execute(sql)


def test_the_default_rates_are_loaded_once(db: None, capsys: Any) -> None:
    price("BTC", "1")

    for expected in (3, 0):
        call_command("load_catalogues")
        lines = capsys.readouterr().out.splitlines()
        (line,) = lines
        assert json.loads(line)["loaded"]["exchangeRates"] == expected

    assert ExchangeRate.objects.count() == len(COINS)
    assert ExchangeRate.objects.get(currency="BTC").price_cop == 1, "what an operator set stays"


class NeverShort(TestCase):
    """A quote never asks for less than the order is worth, nor for a quantum too much."""

    @hypothesis_settings(max_examples=150)
    @given(
        amount=st.decimals(min_value=1000, max_value=10**12, places=2),
        price_cop=st.decimals(min_value="0.5", max_value=10**10, places=8),
        pay_with=st.sampled_from(COINS),
        spread=st.sampled_from(["0", "0.005", "0.3"]),
    )
    def test_quote_of_any_price_covers_the_amount_and_no_more(
        self, amount: Decimal, price_cop: Decimal, pay_with: str, spread: str
    ) -> None:
        price(pay_with, str(price_cop))
        with self.settings(CRYPTO_SPREAD=Decimal(spread)):
            made = quote(str(amount), "COP", pay_with)

        assert made.amount_in * made.rate >= amount
        assert (made.amount_in - money.quantum(pay_with)) * made.rate < amount
        again = Quote.objects.get(pk=made.pk)
        assert (again.amount_in, again.rate) == (made.amount_in, made.rate)

    @hypothesis_settings(max_examples=100)
    @given(
        amount=st.decimals(min_value="0.01", max_value=10**12, places=2),
        price_cop=st.decimals(min_value="0.5", max_value=10**10, places=8),
        spread=st.sampled_from(["0", "0.005", "0.3"]),
    )
    def test_payout_quote_of_any_price_covers_the_amount_and_no_more(
        self, amount: Decimal, price_cop: Decimal, spread: str
    ) -> None:
        price("USDT", str(price_cop))
        with self.settings(PAYOUT_SPREAD=Decimal(spread)):
            made = services.payout_quote(amount_cop=amount, now=NOW)

        assert made.debit * made.rate >= amount
        assert (made.debit - money.quantum("USDT")) * made.rate < amount
