"""The CSV file of a statement, as a bookkeeper reads it."""

import csv
import io
from decimal import Decimal


def rows_of(content: bytes) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def taxes_in(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """The lines after the closing balance."""
    return [row for row in rows if row["kind"].startswith("tax_")]


def check(rows: list[dict[str, str]]) -> None:
    """Adds the file up as a bookkeeper would."""
    taxes = taxes_in(rows)
    opening, *movements, closing_row = rows[: len(rows) - len(taxes)]
    assert all(row["balance"] == "" for row in taxes)
    assert (opening["kind"], closing_row["kind"]) == ("opening_balance", "closing_balance")
    balance = Decimal(opening["balance"])
    for row in movements:
        balance += Decimal(row["amount"])
        assert Decimal(row["balance"]) == balance
    assert Decimal(closing_row["balance"]) == balance
