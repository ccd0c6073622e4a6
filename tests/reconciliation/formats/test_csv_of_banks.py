"""The files of movements of Bancolombia, Banco de Bogotá and Banco de Occidente."""

from datetime import date
from decimal import Decimal

import pytest

from payments.reconciliation.formats.values import FileRefused

from .samples import BANCOLOMBIA, BOGOTA, OCCIDENTE, TODAY, amounts, read

NEW_YEAR = date(2026, 1, 5)


def refusal(content: str, today: date = TODAY) -> FileRefused:
    with pytest.raises(FileRefused) as refused:
        read(content, today)
    return refused.value


def test_movements_of_bancolombia_are_read_and_its_balances_are_not_movements():
    statement = read(BANCOLOMBIA)

    assert statement.format == "BANCOLOMBIA"
    assert statement.account_number == "12345678901"
    assert (statement.first_day, statement.last_day) == (date(2026, 3, 1), date(2026, 3, 6))
    assert (statement.opening, statement.closing) == (Decimal("1000.00"), Decimal("330000.50"))
    assert statement.is_complete
    assert [(line.line, line.booked_on.day, line.amount) for line in statement.lines] == [
        (2, 2, Decimal("250000.00")),
        (3, 2, Decimal("-1000.00")),
        (5, 4, Decimal("80000")),
        (6, 5, Decimal("0.50")),
    ]
    assert statement.lines[0].description == "PAGO LLAVE ANA PRUEBA"
    assert statement.lines[0].code == "1234"


def test_bancolombia_without_balances_has_none():
    rows = [row for row in BANCOLOMBIA.splitlines() if "SALDO" not in row]
    statement = read("\n".join(rows))
    assert (statement.opening, statement.closing) == (None, None)
    assert statement.first_day == date(2026, 3, 2)


def test_bancolombia_newest_first_is_the_same():
    newest_first = "\n".join(reversed(BANCOLOMBIA.splitlines()))
    assert read(newest_first).closing == Decimal("330000.50")


def test_one_balance_of_bancolombia_gives_the_other():
    rows = [row for row in BANCOLOMBIA.splitlines() if "INICIAL" not in row and "DIA" not in row]
    assert read("\n".join(rows)).opening == Decimal("1000.00")


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("330,000.50", "330,000.49", 8, "330,000.49"),
        ('02,,"250,000.00",0000', '02,,"250,001.00",0000', 4, "2026-03-02 is 250,001.00"),
        ("-1000.00", "-1000.001", 3, "-1000.001"),
        ("-1000.00", '"-1.000,00"', 3, "-1.000,00"),
        ("-1000.00", "1e3", 3, "1e3"),
        ("-1000.00", "NaN", 3, "NaN"),
        ("-1000.00", "Infinity", 3, "Infinity"),
        ("-1000.00", "１０００", 3, "１０００"),
        ("-1000.00", "", 3, "is not an amount"),
        ("-1000.00", "1" * 30, 3, "1" * 30),
        (",04032026,", ",00000000,", 5, "00000000"),
        (",04032026,", ",20260231,", 5, "20260231"),
        (",04032026,", ",31022026,", 5, "31022026"),
        (",04032026,", ",2026-3-4,", 5, "2026-3-4"),
        (",04032026,", ",20260401,", 5, "20260401"),
        ("12345678901,123,,04", "99999999999,123,,04", 5, "99999999999"),
        (",1234,TRANSFERENCIA DESDE NEQUI,0", ",1234,TRANS", 5, "8 columns"),
    ],
)
def test_bancolombia_with_a_wrong_value_is_refused(old, new, line, words):
    assert BANCOLOMBIA.count(old) == 1
    refused = refusal(BANCOLOMBIA.replace(old, new))
    assert refused.line == line
    assert words in refused.reason


def test_bogota_over_new_year_gets_the_year_of_each_day():
    statement = read(BOGOTA, NEW_YEAR)

    assert statement.format == "BOGOTA"
    assert statement.account_number == ""
    assert (statement.first_day, statement.last_day) == (date(2025, 12, 30), date(2026, 1, 2))
    assert amounts(statement) == [Decimal("1500.00"), Decimal("-6.00"), Decimal("20000.50")]
    first, cost, last = statement.lines
    assert (first.line, first.reference) == (2, "1234567890")
    assert (cost.reference, cost.document) == ("", "")
    assert last.document == "1099888777"
    assert last.description == "ABONO TRANSFERENCIA"


def test_leap_day_without_year_is_the_last_one():
    header = BOGOTA.splitlines()[0]
    statement = read(f"{header}\n02/29,ABONO,Centro,1,,10.00", date(2026, 3, 20))
    assert statement.first_day == date(2024, 2, 29)


def test_bogota_with_semicolons_and_decimal_commas_is_read():
    content = "Fecha;Transacción;Oficina;Documento;Débito;Crédito\n03/02;ABONO;Norte;7;;1.234,50\n"
    assert amounts(read(content)) == [Decimal("1234.50")]


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("12/31", "13/31", 3, "13/31"),
        ("12/31", "02/30", 3, "02/30"),
        ("12/31", "2025/12/31", 3, "2025/12/31"),
        ("12/31", "01/06", None, "half a year"),
        ("0,6.00,", "0,,", 3, "empty"),
        ("0,6.00,", "0,6.00,7.00", 3, "6.00"),
        ("0,6.00,", "0,-6.00,", 3, "-6.00"),
        ("0,6.00,", "0,6.00", 3, "5 columns"),
    ],
)
def test_bogota_with_a_wrong_value_is_refused(old, new, line, words):
    assert BOGOTA.count(old) == 1
    refused = refusal(BOGOTA.replace(old, new), NEW_YEAR)
    assert refused.line == line
    assert words in refused.reason


def test_movements_of_occidente_start_in_line_7():
    statement = read(OCCIDENTE)

    assert statement.format == "OCCIDENTE"
    assert (statement.first_day, statement.last_day) == (date(2026, 3, 2), date(2026, 3, 3))
    assert amounts(statement) == [Decimal("111827.59"), Decimal("-4500.00")]
    first, second = statement.lines
    assert (first.line, first.description) == (7, "ABONO ACH")
    assert first.document == first.reference == "1099888777"
    assert second.document == ""


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("2026/03/03", "2026/02/30", 8, "2026/02/30"),
        ("2026/03/03", "0000/00/00", 8, "0000/00/00"),
        ("2026/03/02", "03/02", 7, "03/02"),
        ("$ 111.827,59", "$ 111.82,59", 7, "111.82,59"),
        ("000000;$ 4.500,00;", "000000", 8, "4 columns"),
    ],
)
def test_occidente_with_a_wrong_value_is_refused(old, new, line, words):
    assert OCCIDENTE.count(old) == 1
    refused = refusal(OCCIDENTE.replace(old, new))
    assert refused.line == line
    assert words in refused.reason
