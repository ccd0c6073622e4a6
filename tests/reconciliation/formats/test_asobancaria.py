"""Asobancaria 2001: referenced collections of one day."""

from datetime import date
from decimal import Decimal

import pytest

from payments.reconciliation.formats.values import FileRefused

from .samples import ASOBANCARIA, amounts, read

LINES = ASOBANCARIA.splitlines()


def with_line(number: int, change) -> str:
    """The sample with another line, counted from 1."""
    lines = [change(line) if at == number else line for at, line in enumerate(LINES, 1)]
    return "\n".join(lines)


def refusal(content: str) -> FileRefused:
    with pytest.raises(FileRefused) as refused:
        read(content)
    return refused.value


def test_collections_of_a_day_are_read():
    statement = read(ASOBANCARIA)

    assert statement.format == "ASOBANCARIA_2001"
    assert statement.account_number == "12345678901"
    assert statement.first_day == statement.last_day == date(2026, 3, 16)
    assert (statement.opening, statement.closing) == (None, None)
    assert not statement.is_complete
    first, second = statement.lines
    assert first.line == 3
    assert first.booked_on == date(2026, 3, 16)
    assert first.amount == Decimal("50000.00")
    assert first.reference == "987654321098"
    assert first.description == "RECAUDO ACH INTERNET"
    assert first.code == "0315"
    assert first.operation_id == "001234-000987"
    assert second.amount == Decimal("1234.50")
    assert second.reference == "5550001"
    assert second.description == "RECAUDO BANCO EFECTIVO"


def test_operation_of_zeros_is_no_number():
    assert read(ASOBANCARIA).lines[1].operation_id == ""


def test_collections_that_were_returned_or_are_zero_are_no_movements_but_count():
    returned = with_line(3, lambda line: line[:94] + "R01" + line[97:])
    assert amounts(read(returned)) == [Decimal("1234.50")]

    zero = "06" + "5550001".zfill(48) + "0" * 14 + LINES[3][64:]
    lines = [*LINES[:4], zero, *(line.replace("000000002", "000000003", 1) for line in LINES[4:])]
    assert amounts(read("\n".join(lines))) == [Decimal("50000.00"), Decimal("1234.50")]


def test_file_without_collections_is_read():
    lines = [LINES[0], f"{'09' + '0' * 27:<162}"]
    statement = read("\n".join(lines))
    assert statement.lines == []
    assert statement.last_day == date(2026, 3, 16)


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (with_line(3, lambda line: line[:150]), 3, "150 characters"),
        (with_line(3, lambda line: line + " "), 3, "163 characters"),
        (with_line(3, lambda line: line[:50] + "-0000005000000" + line[64:]), 3, "-0000005000000"),
        (with_line(3, lambda line: line[:50] + "0000000500000O" + line[64:]), 3, "0000000500000O"),
        (with_line(5, lambda line: "08-00000002" + line[11:]), 5, "-00000002"),
        (with_line(5, lambda line: "08000000003" + line[11:]), 5, "3 records, but the file has 2"),
        (with_line(5, lambda line: line[:11] + "000000000005123451" + line[29:]), 5, "51,234.51"),
        (with_line(6, lambda line: "09000000001" + line[11:]), 6, "1 records, but the file has 2"),
        (with_line(6, lambda line: line[:11] + "000000000005123449" + line[29:]), 6, "51,234.49"),
        (with_line(5, lambda line: line[:29] + "0002" + line[33:]), 5, "Batch 0002"),
        (with_line(2, lambda line: LINES[0]), 2, "01"),
        (with_line(3, lambda line: LINES[1]), 3, "05"),
        (with_line(4, lambda line: "07" + line[2:]), 4, "07"),
        (with_line(1, lambda line: line[:12] + "00000000" + line[20:]), 1, "00000000"),
        (with_line(1, lambda line: line[:12] + "20260231" + line[20:]), 1, "20260231"),
        (with_line(1, lambda line: line[:12] + "20360101" + line[20:]), 1, "20360101"),
        (with_line(1, lambda line: line[:23] + "      1234567890X" + line[40:]), 1, "1234567890X"),
        ("\n".join(LINES[:-1]), 5, "control record"),
        ("\n".join([LINES[0], *LINES[2:]]), 2, "06"),
        ("\n".join([*LINES[:4], LINES[5]]), 5, "09"),
        ("\n".join([*LINES, LINES[5]]), 7, "09"),
    ],
)
def test_file_that_breaks_a_rule_is_refused_with_its_line_and_value(content, line, words):
    refused = refusal(content)
    assert refused.line == line
    assert words in refused.reason
