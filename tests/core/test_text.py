"""Telephone numbers of Colombia, as people write them (docs/gaps.md, Top-ups and Direct API)."""

import pytest

from payments.core.text import colombian_mobile, colombian_phone


@pytest.mark.parametrize(
    "text",
    [
        "3001234567",
        " 300 123 4567\n",
        "300-123-4567",
        "300.123.4567",
        "(300) 1234567",
        "+57 300 123 4567",
        "+57-300-123-45-67",
        "573001234567",
    ],
)
def test_mobile_is_its_ten_digits_however_it_is_written(text: str) -> None:
    assert colombian_mobile(text) == colombian_phone(text) == "3001234567"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "+57",
        "300123456",
        "30012345678",
        "+5730012345678",
        "+583001234567",
        "++573001234567",
        "0300123456a",
        "3001234567;3001234568",
        "٣٠٠١٢٣٤٥٦٧",
        "３００１２３４５６７",
        "3001234567\x00",
    ],
)
def test_text_that_is_no_number_of_colombia_is_refused(text: str) -> None:
    assert colombian_mobile(text) is None
    assert colombian_phone(text) is None


def test_landline_is_a_phone_and_no_mobile() -> None:
    assert colombian_phone("601 234 5678") == "6012345678"
    assert colombian_mobile("601 234 5678") is None
