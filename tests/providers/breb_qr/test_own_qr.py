"""The code that an operator's bank gave them."""

import re
from decimal import Decimal
from pathlib import Path

import pytest

from payments.providers.breb_qr.decoding import decode
from payments.providers.breb_qr.own_qr import check_own_qr, with_amount
from payments.providers.breb_qr.refusals import QRRefused, Reason
from tests.providers.breb_qr.samples import AS_BANKS_WRITE, WITH_AMOUNT, static, tlv


@pytest.mark.parametrize(
    ("in_code", "typed"),
    [
        (tlv("04", "@EJEMPLO1234"), "@ejemplo1234 "),
        (tlv("02", "3001010101"), "+57 300 101 0101"),
        (tlv("02", "+573001010101"), "3001010101"),
        (tlv("03", "Ana@example.com"), "ana@example.com"),
        (tlv("01", "900123456"), "900.123.456"),
        (tlv("05", "0012345678"), "12345678"),
    ],
)
def test_a_code_that_pays_to_the_typed_key_is_taken(in_code, typed):
    assert check_own_qr(static(key=in_code), typed).name == "TIENDA EJEMPLO"


def test_the_example_of_the_docs_is_taken():
    page = (Path(__file__).parents[3] / "docs/breb-qr.md").read_text()
    (text,) = re.findall(r"^```\n(000201.*)\n```$", page, re.M)
    (key,) = re.findall(r"use the key `(@\w+)`", page)
    assert check_own_qr(text, key).name == "TIENDA EJEMPLO"


@pytest.mark.parametrize("typed", ["@EJEMPLO1235", "EJEMPLO1234", "", " ", "3001010101"])
def test_a_code_that_pays_to_another_key_is_refused(typed):
    assert _reason(static(), typed) == Reason.OTHER_KEY


def test_a_code_without_a_key_is_refused():
    assert _reason(static(key=""), "@EJEMPLO1234") == Reason.NO_KEY


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (static(method=tlv("01", "12")), Reason.DYNAMIC),
        (static(amount=tlv("54", "1")), Reason.HAS_AMOUNT),
        (static()[:-1] + "0", Reason.BAD_CRC),
        (static(tlv("55", "02") + tlv("56", "500")), Reason.ADDS_TIP),
        (static(tlv("55", "03") + tlv("57", "10.0")), Reason.ADDS_TIP),
    ],
)
def test_a_code_that_cannot_collect_exact_amounts_is_refused(text, reason):
    assert _reason(text, "@EJEMPLO1234") == reason


def test_a_code_that_asks_for_no_tip_is_taken():
    text = static(tlv("55", "02") + tlv("56", "0"))

    assert check_own_qr(text, "@EJEMPLO1234").amount is None


def test_a_zero_is_replaced_by_the_amount():
    text = static(amount=tlv("54", "0"))

    changed = with_amount(text, Decimal(20000))

    assert decode(changed).amount == Decimal(20000)
    assert changed[:-4] == text[:-4].replace("54010", "540820000.00")


@pytest.mark.parametrize(
    "amount", ["0", "-1", "0.001", "NaN", "Infinity", "10000000000", "10000000000.00"]
)
def test_an_amount_that_the_field_cannot_hold_is_refused(amount):
    with pytest.raises(QRRefused) as refused:
        with_amount(AS_BANKS_WRITE, Decimal(amount))

    assert refused.value.field == "54"


@pytest.mark.parametrize("text", [WITH_AMOUNT, static(method=tlv("01", "12"))])
def test_only_a_static_code_without_an_amount_takes_one(text):
    with pytest.raises(QRRefused):
        with_amount(text, Decimal(1000))


def _reason(text: str, typed: str) -> Reason:
    with pytest.raises(QRRefused) as refused:
        check_own_qr(text, typed)
    return refused.value.reason
