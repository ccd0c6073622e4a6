"""The payment file, byte by byte: rails.md's sample, and what is refused."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from payments.payment_files import pab

DAY = date(2026, 11, 2)
HEADER = pab.Header(
    nit="900123456",
    application=pab.Application.NOW,
    payment_class=pab.PaymentClass.SUPPLIERS,
    purpose="PASARELA",
    made_on=DAY,
    sequence="A",
    pay_on=DAY,
    account="12345678901",
    account_type=pab.DebitAccountType.SAVINGS,
)
DETAIL = pab.Detail(
    document_type="CC",
    document="1099888777",
    name="Ana Prueba",
    bank="1007",
    account="12345678901",
    account_type=pab.AccountType.SAVINGS,
    amount=Decimal(125000),
    reference="100000013",
)


def lines(*details, header=HEADER):
    content = pab.encode(header, details)
    assert content.endswith(b"\r\n")
    return [line.decode("ascii") for line in content[:-2].split(b"\r\n")]


def refused(field, *details, header=HEADER):
    with pytest.raises(pab.NotEncodable) as error:
        pab.encode(header, details)
    assert error.value.field == field


def test_file_is_the_documented_sample():
    header, detail = lines(DETAIL)
    assert header == (
        "1000000900123456I               220PASARELA  20261102A 20261102000001"
        "000000000000000000000000001250000012345678901S"
    ).ljust(264)
    assert detail == (
        "61099888777     ANA PRUEBA                    00000100712345678901       37"
        "0000000001250000020261102100000013            100000"
    ).ljust(264)


def test_each_field_is_at_its_place():
    wallet = pab.AccountType.WALLET
    other = replace(DETAIL, amount=Decimal("0.01"), account_type=wallet, bank="1507")
    header, first, second = lines(DETAIL, other)
    assert {len(line) for line in (header, first, second)} == {264}
    assert header[63:69] == "000002"
    assert header[69:86] == "0" * 17
    assert header[86:103] == "12500001".rjust(17, "0")
    assert header[103:114] == "12345678901"
    assert header[114:] == "S" + " " * 149
    assert second[46:55] == "000001507"
    assert second[55:72] == "12345678901      "
    assert second[72:75] == " 52"
    assert second[75:92] == "1".rjust(17, "0")
    assert second[92:100] == "20261102"
    assert second[100:121] == "100000013".ljust(21)
    assert second[121:] == "100000" + " " * 137


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("Peña & Ñáñez S.A.S.", "PENA NANEZ SAS"),
        ("O'Neil, Seán / Hijos: Ltda", "ONEIL SEAN / HIJOS: LTDA"),
        ("Øystein Weiß-Łódź", "OYSTEIN WEISS-LODZ"),
        ("  ana \t maría\n", "ANA MARIA"),
        ("A" * 31, "A" * 30),
        ("María del Rosario de los Ángeles", "MARIA DEL ROSARIO DE LOS ANGEL"),
        ("María del Rosario de los Ángel es", "MARIA DEL ROSARIO DE LOS ANGEL"),
        ("Ana 😀 (Tienda)", "ANA TIENDA"),
    ],
)
def test_name_has_only_what_the_format_takes(given, written):
    assert pab.name_of(given) == written
    assert lines(replace(DETAIL, name=given))[1][16:46] == written.ljust(30)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "株式会社"),
        ("name", ""),
        ("account", "1" * 18),
        ("account", "000"),
        ("account", ""),
        ("account", "123-456"),
        ("account", "١٢٣"),
        ("document", "1" * 16),
        ("document", ""),
        ("document", "10.998"),
        ("bank", "007"),
        ("bank", "10070"),
        ("bank", "10A7"),
        ("amount", Decimal(0)),
        ("amount", Decimal(-1)),
        ("amount", Decimal("1.001")),
        ("amount", Decimal(10) ** 15),
        ("amount", Decimal("NaN")),
        ("amount", Decimal("Infinity")),
        ("reference", "1" * 22),
        ("reference", "por_1"),
        ("reference", ""),
    ],
)
def test_what_does_not_fit_in_a_detail_is_refused(field, value):
    refused(field, replace(DETAIL, **{field: value}))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("nit", "9" * 16),
        ("nit", ""),
        ("nit", "900.123"),
        ("purpose", "P" * 11),
        ("purpose", "NÓMINA"),
        ("purpose", ""),
        ("sequence", "AA"),
        ("sequence", "1"),
        ("account", "1234567890"),
        ("account", "123456789012"),
        ("pay_on", date(2026, 11, 1)),
    ],
)
def test_what_does_not_fit_in_the_header_is_refused(field, value):
    refused(field, DETAIL, header=replace(HEADER, **{field: value}))


def test_file_without_payments_is_refused():
    refused("details")


def test_sum_that_does_not_fit_is_refused():
    most = Decimal("999999999999999.99")
    lines(replace(DETAIL, amount=most))
    refused("total", replace(DETAIL, amount=most), replace(DETAIL, amount=Decimal("0.01")))


def test_refusal_does_not_hold_the_value():
    with pytest.raises(pab.NotEncodable) as error:
        pab.check(replace(DETAIL, account="987654321987654321"))
    assert "987654321" not in str(error.value)
