"""MT940, the statement of SWIFT."""

from datetime import date
from decimal import Decimal

import pytest

from payments.reconciliation.formats.values import FileRefused

from .samples import MT940, TODAY, amounts, read


def test_statement_is_read():
    statement = read(MT940)

    assert statement.format == "MT940"
    assert statement.account_number == "12345678901"
    assert (statement.first_day, statement.last_day) == (date(2026, 3, 2), date(2026, 3, 3))
    assert (statement.opening, statement.closing) == (Decimal("1000"), Decimal("249949.50"))
    assert amounts(statement) == [Decimal("250000"), Decimal("-1000"), Decimal("-50.5")]
    first, second, third = statement.lines
    assert (first.line, first.reference, first.operation_id) == (6, "987654321", "OP-1")
    assert (first.description, first.counterparty) == ("Pago pedido", "Ana Prueba")
    assert first.code == "NTRF"
    assert second.booked_on == date(2026, 3, 3)
    assert second.reference == ""
    assert second.description.endswith("CON UN TEXTO LARGO")
    assert (third.description, third.counterparty) == ("ABONO Devuelto al banco", "Luis Prueba")


def test_entry_day_after_new_year_belongs_to_the_new_year():
    content = """\
:20:S
:25:123456
:60F:C251231COP0,
:61:2512310102C10,NTRFNONREF
:62F:C260102COP10,
"""
    assert read(content).lines[0].booked_on == date(2026, 1, 2)


def test_statements_of_two_days_become_one():
    second = """\
:20:STMT20260304
:25:1007/12345678901
:60F:C260303COP249949,50
:61:260304C10,00NTRFNONREF
:62F:C260304COP249959,50
"""
    statement = read(MT940 + second)
    assert (statement.first_day, statement.last_day) == (date(2026, 3, 2), date(2026, 3, 4))
    assert statement.closing == Decimal("249959.50")
    assert len(statement.lines) == 4

    with pytest.raises(FileRefused, match=r"opens with 5\.00"):
        read(MT940 + second.replace("249949,50", "5,00").replace("249959,50", "15,00"))
    with pytest.raises(FileRefused, match="12345678902"):
        read(MT940 + second.replace("12345678901", "12345678902"))


def test_day_without_movements_is_covered():
    content = ":20:S\n:25:123456\n:60F:C260303COP5,\n:62F:C260304COP5,\n"
    statement = read(content)
    assert statement.lines == []
    assert statement.first_day == statement.last_day == date(2026, 3, 4)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("62F:C260303COP249949,50", "62F:C260303COP249949,51", 14, "249,949.51"),
        ("62F:C260303COP249949,50", "62F:C260303USD249949,50", 14, "USD"),
        ("62F:C260303COP249949,50", "62F:C260303COP", 14, "C260303COP"),
        ("60F:C260301", "60F:C260001", 5, "260001"),
        ("C250000,00N", "C250000.00N", 6, "250000.00"),
        ("C250000,00N", "C２50000,00N", 6, "２50000"),
        ("C250000,00N", f"C{'9' * 20},00N", 6, "9" * 20),
        (":61:2603020302C", ":61:2602300302C", 6, "260230"),
        (":61:2603020302C", ":61:2603020231C", 6, "0231"),
        (":61:2603020302C", ":61:2603020302X", 6, "is not a movement"),
        (":25:1007/12345678901COP", ":25:1007/1234X678901COP", 3, "1234X678901"),
        (":28C:62/1", ":99:62/1", 4, "99"),
        (":62F:C260303COP249949,50\n", "", 2, "closing"),
        (":60F:C260301COP1000,00\n", "", 5, "61"),
    ],
)
def test_statement_with_a_wrong_field_is_refused(old, new, line, words):
    assert MT940.count(old) == 1
    with pytest.raises(FileRefused) as refused:
        read(MT940.replace(old, new), TODAY)
    assert refused.value.line == line
    assert words in refused.value.reason
