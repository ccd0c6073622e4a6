"""What our encoder writes, under the rules of a checker that does not know it."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from payments.providers.breb_qr import checksum
from payments.providers.breb_qr.decoding import decode
from payments.providers.breb_qr.encoding import encode
from payments.providers.breb_qr.own_qr import with_amount
from payments.providers.breb_qr.refusals import QRRefused
from payments.providers.breb_qr.values import (
    AdditionalData,
    BrebKey,
    BrebQR,
    KeyType,
    Taxes,
)
from tests.providers.breb.qr_rules import crc, elements, nested, problems
from tests.providers.breb.test_qr_rules import FAULTS, VECTOR

LETTERS = st.text("ABCDEFGHIJKLMNÑÁÉabcxyz 0123456789", min_size=1)
TAGS = {
    KeyType.ID: ("01", st.from_regex(r"[A-Za-z0-9]{1,18}", fullmatch=True)),
    KeyType.PHONE: ("02", st.from_regex(r"3[0-9]{9}", fullmatch=True)),
    KeyType.EMAIL: ("03", st.from_regex(r"[a-z]{1,30}@[a-z]{1,20}\.co", fullmatch=True)),
    KeyType.ALPHANUMERIC: ("04", st.from_regex(r"@[A-Za-z0-9]{5,20}", fullmatch=True)),
    KeyType.BCODE: ("05", st.from_regex(r"00[0-9]{8}", fullmatch=True)),
}
AMOUNTS = st.decimals("0.01", "9999999999.99", places=2)
KEYS = st.sampled_from(list(KeyType)).flatmap(
    lambda kind: st.builds(BrebKey, st.just(kind), TAGS[kind][1])
)
CODES = st.builds(
    BrebQR,
    is_static=st.booleans(),
    name=LETTERS.filter(str.strip).map(lambda text: text[:25]).filter(str.strip),
    key=KEYS,
    operator=st.sampled_from(["RBM", "CRB"]),
    network=st.sampled_from(["RBM", "CRB", "ACH"]),
    category_code=st.from_regex("[0-9]{4}", fullmatch=True),
    amount=AMOUNTS,
    city=st.just("BOGOTA"),
    postal_code=st.just("110111"),
    additional=st.just(AdditionalData(terminal="POS10802", purpose="00")),
    channel=st.just("ECOMM"),
    taxes=st.just(
        Taxes(
            vat_condition="02",
            vat="0.00",
            vat_base="0.00",
            consumption_condition="02",
            consumption="0.00",
        )
    ),
    transaction_id=st.just("000000"),
)


@given(CODES)
def test_written_text_has_every_required_field_and_no_fault(code: BrebQR) -> None:
    text = encode(code)

    assert problems(text) == []
    assert code.key is not None
    assert nested(text)["26"][TAGS[code.key.type][0]] == code.key.value
    assert Decimal(elements(text)["54"]) == code.amount


@given(AMOUNTS)
def test_amount_in_static_text_changes_nothing_but_amount_and_crc(amount: Decimal) -> None:
    static = VECTOR.replace("540815000.00", "")[:-4]
    text = with_amount(static + crc(static), amount)
    found = elements(text)

    assert problems(text) == []
    assert Decimal(found.pop("54")) == amount
    assert found.pop("63") == crc(text[:-4])
    assert list(found.items()) == [
        (tag, value) for tag, value in elements(VECTOR).items() if tag not in ("54", "63")
    ]


@given(st.text("".join(map(chr, range(32, 127))) + "ñÁ"))
def test_both_crcs_agree(text: str) -> None:
    assert checksum.sealed(text) == f"{text}6304{crc(text + '6304')}"


# What money does not depend on may be odd in texts of banks: the decoder passes over it.
TOLERATED = {
    "no city",
    "no network",
    "unknown network",
    "alias without its sign",
    "alias too short",
    "two networks",
    "unknown channel",
    "purpose of one digit",
}


@pytest.mark.parametrize("fault", sorted(set(FAULTS) - TOLERATED))
def test_decoder_refuses_text_with_a_fault(fault: str) -> None:
    with pytest.raises(QRRefused):
        decode(FAULTS[fault])
