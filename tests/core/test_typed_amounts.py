"""Amounts as people in Colombia write them, and what has more than one meaning."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.utils import translation

from payments.core import typed_amounts

Reader = Callable[[str], Decimal | None]
READERS: dict[str, Reader] = {
    "one": typed_amounts.pesos_in_one_way,
    "either": typed_amounts.pesos_in_either_way,
    "whole": typed_amounts.whole_pesos,
}


@pytest.mark.parametrize(
    ("text", "one", "either", "whole"),
    [
        ("50000", "50000", "50000", "50000"),
        ("50.000", "50000", "50000", "50000"),
        ("1.250.000", "1250000", "1250000", "1250000"),
        ("50,000", None, "50000", "50000"),
        ("1.250.000,50", "1250000.50", "1250000.50", None),
        ("1,250,000.50", None, "1250000.50", None),
        ("1250,5", "1250.5", "1250.5", None),
        ("1250.50", None, "1250.50", None),
        ("50.000,00", "50000", "50000", "50000"),
        ("50000.00", None, "50000", "50000"),
        ("$ 1.250.000", "1250000", "1250000", "1250000"),
        ("COP 5000", None, "5000", "5000"),
        ("5000 COP", "5000", "5000", "5000"),
        ("5000 pesos", None, "5000", None),
        ("0", "0", "0", "0"),
        ("1.25", None, "1.25", None),
        ("0.500", None, "500", "500"),
        ("1.2500", None, None, None),
        ("1.250,000", None, None, None),
        ("12.50.000", None, None, None),
        ("-5000", None, None, None),
        ("5e3", None, None, None),
        ("", None, None, None),
        ("1" * 21, None, "1" * 21, None),
    ],
)
def test_each_reader_takes_what_has_one_meaning_there(
    text: str, one: str | None, either: str | None, whole: str | None
) -> None:
    for name, expected in (("one", one), ("either", either), ("whole", whole)):
        found = READERS[name](text)
        assert found == (None if expected is None else Decimal(expected)), name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,250,000.50", "1250000.50"),
        ("50,000", "50000"),
        ("$ 1250.5 COP", "1250.5"),
        ("50.000", None),
        ("1250,50", None),
        ("1,25", None),
    ],
)
def test_amount_in_english_has_the_signs_of_english(text: str, expected: str | None) -> None:
    with translation.override("en"):
        found = typed_amounts.pesos_in_one_way(text)
    assert found == (None if expected is None else Decimal(expected))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0.125", "0.125"), ("0,125", "0.125"), ("1 USDT", "1"), ("1.000.000", None), ("", None)],
)
def test_amount_of_a_coin(text: str, expected: str | None) -> None:
    found = typed_amounts.decimal(text, "USDT")
    assert found == (None if expected is None else Decimal(expected))
