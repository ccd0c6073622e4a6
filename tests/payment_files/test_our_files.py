"""What our encoder writes, under the validator that does not know it."""

from datetime import date, timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from payments.payment_files import pab
from tests.payment_files.pab_validator import read

DAYS = st.dates(date(2026, 1, 1), date(2030, 12, 31))
DIGITS = "0123456789"
NAMES = st.text("ABCÑÁéñüzZ &.,'-/\\:09", min_size=1, max_size=60).filter(pab.name_of)


def digits(least: int, most: int) -> st.SearchStrategy[str]:
    return st.text(DIGITS, min_size=least, max_size=most).filter(lambda text: text.strip("0"))


@st.composite
def headers(draw: st.DrawFn) -> pab.Header:
    made_on = draw(DAYS)
    return pab.Header(
        nit=draw(digits(6, 15)),
        application=draw(st.sampled_from(pab.Application)),
        payment_class=draw(st.sampled_from(pab.PaymentClass)),
        purpose=draw(st.from_regex(r"[A-Z0-9]{1,10}", fullmatch=True)),
        made_on=made_on,
        sequence=draw(st.sampled_from("ABCXYZ")),
        pay_on=made_on + timedelta(days=draw(st.integers(0, 5))),
        account=draw(digits(11, 11)),
        account_type=draw(st.sampled_from(pab.DebitAccountType)),
    )


DETAILS = st.builds(
    pab.Detail,
    document_type=st.sampled_from(["CC", "CE", "NIT", "PP"]),
    document=st.from_regex(r"[A-Z0-9]{5,15}", fullmatch=True),
    name=NAMES,
    bank=digits(4, 4),
    account=digits(6, 17),
    account_type=st.sampled_from(pab.AccountType),
    amount=st.decimals("0.01", "999999999.99", places=2),
    reference=digits(8, 21),
)


@given(headers(), st.lists(DETAILS, min_size=1, max_size=5))
def test_written_file_has_no_fault_and_says_what_is_to_be_paid(
    header: pab.Header, details: list[pab.Detail]
) -> None:
    file = read(pab.encode(header, details))

    assert file.header["debited account"] == header.account
    assert file.header["payer"].lstrip("0") == header.nit.lstrip("0")
    for found, wanted in zip(file.details, details, strict=True):
        assert Decimal(int(found["amount"])) / 100 == wanted.amount
        assert found["account"] == wanted.account
        assert found["bank"] == f"00000{wanted.bank}"
        assert found["document"] == wanted.document
        assert found["reference"] == wanted.reference
