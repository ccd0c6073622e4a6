"""CSV that no spreadsheet runs, whichever list separator its country has."""

import csv
import io
from decimal import Decimal

import pytest

from payments.console import csvtext

SIGNS = tuple("=+-@＝＋－＠")


def cells(line: str, separator: str) -> list[str]:
    """As a program with this list separator sees them."""
    rows = csv.reader(io.StringIO(line, newline=""), delimiter=separator)
    return [cell for row in rows for cell in row]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(
    "text",
    [
        "{}1+1",
        " {}1+1",
        "x;{}1+1;y",
        "x; {}1+1",
        "x,{}1+1",
        "x\t{}1+1",
        "x;\t {}1+1",
        'x;"{}1+1"',
        "x,y;{}1+1",
        'say "a";{}1+1',
        "x\n{}1+1",
        "x\r\n{}1+1",
        "a;b\n;{}1",
        "\t{}1+1",
        ";{}1+1",
        "x;\u00a0{}1+1",
        ";;{}1+1",
    ],
)
def test_no_cell_begins_with_a_sign(text: str, sign: str, separator: str) -> None:
    line = csvtext.line(["col_1", text.format(sign), "COMPLETED"])
    for cell in cells(line, separator):
        assert not cell.strip(' "\t\r\n\u00a0').startswith(SIGNS)


@pytest.mark.parametrize(
    "text", ["PEDIDO-1", "a;b, c", "maria@example.com", "2026-01-31", "x; y = 2", "Calle 1 # 2-3"]
)
def test_other_text_stays_as_it_is(text: str) -> None:
    assert csvtext.safe(text) == text


def test_amounts_are_written_as_plain_numbers() -> None:
    assert csvtext.line([Decimal("-5.50"), "-5"]) == "-5.5,'-5\r\n"
