"""Telephone numbers of Colombia as people write them (docs/gaps.md, Top-ups and Direct API), and
sentences that end with a time.
"""

import pytest

from payments.core.text import colombian_mobile, colombian_phone, one_stop


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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Until 6:13 p.m..", "Until 6:13 p.m."),
        ("Until 6:13 a.m.. Then it ends.", "Until 6:13 a.m. Then it ends."),
        ("Until 18:13.", "Until 18:13."),
        ("At 6:13 p.m., or later...", "At 6:13 p.m., or later..."),
    ],
)
def test_sentence_that_ends_with_a_time_has_one_full_stop(text: str, shown: str) -> None:
    assert one_stop(text) == shown
