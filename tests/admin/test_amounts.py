"""How the console writes amounts."""

from decimal import Decimal

import pytest
from django.utils.translation import override

from payments.console.formatting import amount


@pytest.mark.parametrize(
    ("value", "spanish", "english"),
    [
        (Decimal("50025.00000000"), "50.025 COP", "50,025 COP"),
        (Decimal("-50025"), "-50.025 COP", "-50,025 COP"),
        (Decimal("-0.5"), "-0,5 COP", "-0.5 COP"),
        (Decimal("0.00000001"), "0,00000001 COP", "0.00000001 COP"),
        (Decimal("1234567.890"), "1.234.567,89 COP", "1,234,567.89 COP"),
        (Decimal("0"), "0 COP", "0 COP"),
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
