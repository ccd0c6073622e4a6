"""Files of the encoder under the validator, which was written without a look at it."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from payments.payment_files import banks, pab
from tests.payment_files import pab_validator
from tests.payment_files.flow import hand_over, pay

names = st.text(max_size=60).filter(lambda text: bool(pab.name_of(text)))
amounts = st.decimals(min_value="0.01", max_value="99999999999.99", places=2)
digits = st.from_regex(r"[0-9]{1,17}", fullmatch=True).filter(lambda text: bool(text.strip("0")))
details = st.builds(
    pab.Detail,
    document_type=st.sampled_from(["CC", "CE", "NIT", "PP"]),
    document=st.from_regex(r"[A-Z0-9]{1,15}", fullmatch=True),
    name=names,
    bank=st.sampled_from(sorted(banks.NAMES)),
    account=digits,
    account_type=st.sampled_from(pab.AccountType),
    amount=amounts,
    reference=st.from_regex(r"[1-9][0-9]{8}", fullmatch=True),
)
days = st.dates(date(2024, 1, 1), date(2090, 1, 1))


@st.composite
def headers(draw):
    made_on = draw(days)
    return pab.Header(
        nit=draw(st.from_regex(r"[1-9][0-9]{5,14}", fullmatch=True)),
        application=draw(st.sampled_from(pab.Application)),
        payment_class=draw(st.sampled_from(pab.PaymentClass)),
        purpose=draw(st.from_regex(r"[A-Z0-9]{1,10}", fullmatch=True)),
        made_on=made_on,
        sequence=draw(st.sampled_from("ABCXYZ")),
        pay_on=made_on + timedelta(days=draw(st.integers(0, 30))),
        account=draw(st.from_regex(r"[1-9][0-9]{10}", fullmatch=True)),
        account_type=draw(st.sampled_from(pab.DebitAccountType)),
    )


@given(headers(), st.lists(details, min_size=1, max_size=5))
def test_every_file_passes_the_validator(header, payments):
    content = pab.encode(header, payments)
    assert pab_validator.problems(content) == []
    assert len(content) == 266 * (len(payments) + 1)


@given(headers(), st.lists(details, min_size=1, max_size=5))
def test_file_says_what_was_to_be_paid(header, payments):
    lines = pab.encode(header, payments).decode("ascii").split("\r\n")[1:-1]
    for line, payment in zip(lines, payments, strict=True):
        assert line[1:16].rstrip() == payment.document
        assert line[46:55] == f"00000{payment.bank}"
        assert line[55:72].rstrip() == payment.account
        assert line[73:75] == payment.account_type.value
        assert Decimal(line[75:92]) / 100 == payment.amount
        assert line[100:121].rstrip() == payment.reference


@pytest.mark.django_db
def test_file_of_a_batch_passes_the_validator(api, account):
    pay(api, recipientName="Iñaki Muñoz-Peña & Cía. S.A.S.", amount=1234567.89)
    pay(api, bankCanonicalId="nequi", accountNumber="3001234567")
    pay(api, recipientDocType="NIT", document="900.123.456-8", accountType="CHECKING")
    batch = pay(api, bankCanonicalId="davivienda", accountNumber="00012345678901234")[1].batch
    assert pab_validator.problems(bytes(hand_over(batch).content)) == []
