"""The service's own CSV, as docs/bank-statements.md describes it."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from payments.reconciliation.formats.values import FileRefused

from .samples import OWN_CSV, amounts, read


def test_every_column_is_read():
    statement = read(OWN_CSV)

    assert statement.format == "OWN_CSV"
    assert statement.account_number == "12345678901"
    assert (statement.first_day, statement.last_day) == (date(2026, 3, 1), date(2026, 3, 5))
    assert (statement.opening, statement.closing) == (Decimal("1000.00"), Decimal("200999.50"))
    assert amounts(statement) == [Decimal("250000.00"), Decimal("-1000.00"), Decimal("-49000.50")]
    first, second, third = statement.lines
    assert first.line == 3
    assert first.reference == "98765"
    assert first.document == "1099888777"
    assert first.counterparty == "Ana Prueba"
    assert (first.code, first.operation_id) == ("N1", "OP-1")
    assert first.balance == Decimal("251000.00")
    assert second.description == "Comisión, marzo"
    assert third.reference == "F-001"


def test_formula_in_a_description_is_text():
    assert read(OWN_CSV).lines[2].description == "=1+1"


def test_spanish_columns_in_any_order_semicolons_and_days_of_excel_are_read():
    content = "Valor;Fecha;Descripción\n-1.234,50;05/03/2026;Comisión\n$ 20.000;2026-03-06;Pago\n"
    statement = read(content)
    assert amounts(statement) == [Decimal("-1234.50"), Decimal("20000")]
    assert statement.first_day == date(2026, 3, 5)
    assert (statement.opening, statement.closing) == (None, None)


def test_file_of_one_balance_is_a_day_without_movements():
    statement = read("date,amount,balance\n2026-03-01,,1000\n")
    assert statement.lines == []
    assert statement.opening == statement.closing == Decimal(1000)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("251000.00", "251000.01", 3, "251,000.01"),
        ("200999.50", "200999.49", 5, "200,999.49"),
        ("-49000.50", "0", 5, "zero"),
        ("-49000.50", "+-5", 5, "+-5"),
        ("-49000.50", "١٢", 5, "١٢"),
        ("-1000.00", "", 4, "neither an amount nor a balance"),
        ("2026-03-05", "2026-02-30", 5, "2026-02-30"),
        ("2026-03-05", "05/13/2026", 5, "05/13/2026"),
        ("2026-03-05", "", 5, "is not a day"),
        ("2026-03-05,1", "2026-03-05,9", 5, "92345678901"),
        ("2026-03-05,12345678901", "2026-03-05,ABC", 5, "ABC"),
        ("F-001", "F" * 61, 5, "60 characters"),
        ("OP-2", "P" * 61, 4, "60 characters"),
        ("counterparty", "payer", 1, "payer"),
        ("counterparty", "code", 1, "code"),
        (",F-001,,,,,", ",F-001,", 5, "6 columns"),
        ('"Comisión, marzo"', '"Comisión, marzo', 5, "cannot be read"),
    ],
)
def test_file_with_a_wrong_value_is_refused(old, new, line, words):
    assert OWN_CSV.count(old) == 1
    with pytest.raises(FileRefused) as refused:
        read(OWN_CSV.replace(old, new))
    assert refused.value.line == line
    assert words in refused.value.reason


def test_example_of_the_documentation_is_read():
    page = (Path(__file__).parents[3] / "docs/bank-statements.md").read_text()
    example = "\n".join(line.strip() for line in page.splitlines() if line.startswith("    "))
    statement = read(example)
    assert statement.closing == Decimal("250000.00")
    assert statement.lines[0].reference == "987654321098"
