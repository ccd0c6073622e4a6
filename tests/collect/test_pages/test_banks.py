"""The list of banks without JavaScript, and the cookie with the last bank."""

import re

import pytest

from payments.collect.models import Order
from tests.collect.test_pages.conftest import PERSON, Payer

pytestmark = pytest.mark.django_db


def listed(page: str) -> list[str]:
    bank = page.partition('name="bank"')[2].partition("</select>")[0]
    return re.findall(r'<option value="(\d+)"', bank)


def test_usual_banks_come_first_and_each_bank_once(payer: Payer) -> None:
    page = payer.see("/pse")
    codes = listed(page)
    assert codes[:3] == ["1007", "1507", "1051"]
    assert len(codes) == len(set(codes)) > 40
    assert page.count("<optgroup") == 2
    assert "data-also" in page


def test_last_bank_is_first_in_the_browser_that_chose_it(order: Order, payer: Payer) -> None:
    payer.choose("/pse", {**PERSON, "bank": "1070"})
    cookie = payer.cookies["bank"]
    assert (cookie.value, cookie["path"], cookie["httponly"]) == ("1070", "/pay", True)
    assert listed(payer.see("/pse"))[:2] == ["1070", "1007"]
    assert listed(Payer(order).see("/pse"))[0] == "1007"
    assert '<option value="" selected>' in payer.see("/pse")  # never chosen for the payer


@pytest.mark.parametrize("value", ["9999", "<script>", "1" * 400])
def test_cookie_that_names_no_bank_changes_nothing(value: str, payer: Payer) -> None:
    payer.cookies["bank"] = value
    page = payer.see("/pse")
    assert listed(page)[0] == "1007"
    assert value not in page
