"""How the console writes amounts."""

from decimal import Decimal

import pytest
from django.utils.translation import override

from payments.console.formatting import amount
from payments.core import money


@pytest.mark.parametrize(
    ("value", "spanish", "english"),
    [
        (Decimal("50025.00000000"), "50.025 COP", "50,025 COP"),
        (Decimal("-50025"), "-50.025 COP", "-50,025 COP"),
        (Decimal("-0.5"), "-0,50 COP", "-0.50 COP"),
        (Decimal("0.00000001"), "0,00000001 COP", "0.00000001 COP"),
        (Decimal("1234567.890"), "1.234.567,89 COP", "1,234,567.89 COP"),
        (Decimal("0"), "0 COP", "0 COP"),
        (Decimal("1250000.5"), "1.250.000,50 COP", "1,250,000.50 COP"),
        (None, "-", "-"),
    ],
)
def test_amounts_are_grouped_as_the_reader_is_used_to(
    value: Decimal | None, spanish: str, english: str
) -> None:
    with override("es"):
        assert amount(value, "COP") == spanish
    with override("en"):
        assert amount(value, "COP") == english


def test_pesos_have_both_cents_or_none_and_coins_no_zeros_at_the_end() -> None:
    with override("es"):
        assert amount(Decimal("1250000.5"), "COPM") == "1.250.000,50 COP"
        assert amount(Decimal("0.50"), "BTC") == "0,5 BTC"
        assert money.digits(Decimal("50025.0"), "COP") == "50.025"
        assert money.shown(Decimal(50025), "USDT") == "50.025,00 USDT"
        assert money.shown(Decimal(999), "USDT") == "999,00 USDT"
        assert money.shown(Decimal("50025.5"), "COP") == "$ 50.025,50 COP"
