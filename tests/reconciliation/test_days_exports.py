"""Files of a day for accountants: PUC accounts, debits = credits, and no formula."""

# ruff: noqa: F811

import csv
import io
from datetime import date
from decimal import Decimal
from typing import Any

import openpyxl
import pytest
import time_machine

from tests.admin.conftest import Console, ana, console, person, url  # noqa: F401
from tests.reconciliation.day_shop import PAID, TUESDAY, bring
from tests.reconciliation.own_csv import Row
from tests.reconciliation.shopping import at, open_shop, order_on

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _day(api, settings: Any):
    settings.LANGUAGE_CODE = "en"
    open_shop()
    with time_machine.travel(at(date(2026, 11, 20)), tick=False):
        _order, reference = order_on(api, at(TUESDAY))
        bring(
            Row(day=10, amount=PAID, reference=reference),
            Row(day=10, amount="-4000.55", text="CUOTA DE MANEJO"),
            Row(day=10, amount="7000", text="=1+1"),
        )
        yield


def download(browser: Console, name: str, suffix: str) -> bytes:
    answer = browser.get(
        url("reconciliation_file", "bank", "main", TUESDAY.isoformat(), name, suffix)
    )
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def test_each_entry_of_the_journal_balances_and_has_puc_accounts(console):
    rows = rows_of(download(console, "journal", "csv"))
    sums: dict[str, Decimal] = {}
    for row in rows:
        change = Decimal(row["debit"]) - Decimal(row["credit"])
        sums[row["entry"]] = sums.get(row["entry"], Decimal(0)) + change
    assert list(sums.values()) == [0, 0, 0]
    found = {(row["account"], row["puc"], row["debit"], row["credit"]) for row in rows}
    assert ("bank:main", "111005", "50025", "0") in found
    assert ("clearing:own", "138020", "0", "50025") in found
    assert ("costs:bank_commission", "530505", "4000.55", "0") in found
    assert ("suspense:bank", "238095", "0", "7000") in found


def test_a_formula_of_the_bank_is_only_text(console):
    rows = rows_of(download(console, "journal", "csv"))
    assert {row["description"] for row in rows} >= {"'=1+1"}
    book = openpyxl.load_workbook(io.BytesIO(download(console, "journal", "xlsx")))
    cells = [cell for row in book.active.iter_rows() for cell in row]
    assert any(cell.value == "=1+1" for cell in cells)
    assert all(cell.data_type != "f" for cell in cells)


@pytest.mark.parametrize(("name", "width"), [("siigo", 27), ("alegra", 8)])
def test_layouts_of_accounting_programs_balance(console, name: str, width: int):
    book = openpyxl.load_workbook(io.BytesIO(download(console, name, "xlsx")))
    header, *rows = book.active.iter_rows(values_only=True)
    assert len(header) == width
    debit, credit = header.index("Débito"), header.index("Crédito")
    assert sum(row[debit] or 0 for row in rows) == sum(row[credit] or 0 for row in rows)
    assert "10/11/2026" in rows[0]


def test_differences_are_exported_with_their_next_step(console):
    [row] = rows_of(download(console, "differences", "csv"))
    assert row["kind"] == "Missing here"
    assert row["overdue"] == "true"
    assert "Assign it to an order" in row["nextStep"]


def test_who_may_not_export_lists_gets_no_file(console):
    address = url("reconciliation_file", "bank", "main", TUESDAY.isoformat(), "journal", "csv")
    support = person("sol", "Support")
    may = support.get(url("reconciliation_day", "bank", "main", TUESDAY.isoformat()))
    assert (support.get(address).status_code == 200) == ("journal.csv" in may.content.decode())
    assert console.get(address.replace("journal", "other")).status_code == 404
