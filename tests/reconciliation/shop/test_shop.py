"""The generated month has what it promises, before the service sees it."""

import csv
import io
from collections import Counter
from decimal import Decimal
from xml.etree import ElementTree

import pytest

from tests.reconciliation.shop.deliveries import WRITERS, deliveries
from tests.reconciliation.shop.lines import BankLine, booked
from tests.reconciliation.shop.month import make_month
from tests.reconciliation.shop.plan import Fate, Kind, Month, Names, Naming
from tests.reconciliation.shop.writers.period import Account

ACCOUNT = Account("12345678901")
SEEDS = (1, 2, 3)


def booked_month(seed: int, count: int = 2_000) -> tuple[Month, list[BankLine]]:
    month = make_month(seed, count)
    return month, booked(month, Names.invented(month))


def test_same_seed_gives_same_files_and_another_seed_others() -> None:
    def files(seed: int) -> list[bytes]:
        month, lines = booked_month(seed, 100)
        return [one.data(month, lines, ACCOUNT) for one in deliveries(month, "mt940")]

    assert files(5) == files(5)
    assert files(5) != files(6)


@pytest.mark.parametrize("seed", SEEDS)
def test_month_of_2000_orders_has_every_trap(seed: int) -> None:
    month, lines = booked_month(seed)
    kinds = Counter(line.kind for line in lines)
    paid = Counter(line.subject for line in lines if line.kind is Kind.CHARGE)
    named = Counter(transfer.naming for transfer in month.transfers)

    assert len(month.orders) >= 2_000
    assert set(kinds) == set(Kind)
    assert set(named) == set(Naming)
    assert named[Naming.TYPED] > 0.75 * len(month.transfers)
    assert sum(count > 1 for count in paid.values()) >= 40  # split and twice
    assert len(month.orders) - len(paid) >= 60  # never paid
    assert sum(transfer.is_late for transfer in month.transfers) >= 10
    assert {payout.fate for payout in month.payouts} == set(Fate)
    assert any(line.day.weekday() == 6 for line in lines if line.kind is Kind.CHARGE)
    assert month.missing_day in {line.day for line in lines}


@pytest.mark.parametrize("seed", SEEDS)
def test_equal_amounts_stand_on_the_same_and_on_neighbouring_days(seed: int) -> None:
    _month, lines = booked_month(seed)
    days = {(line.day.toordinal(), line.amount) for line in lines if line.kind is Kind.CHARGE}

    assert len(days) < len(lines) * 0.9
    assert sum((day + 1, amount) in days for day, amount in days) > 100


def test_mistyped_reference_is_never_that_of_another_order() -> None:
    month, lines = booked_month(4)
    own = {value: key for key, value in Names.invented(month).references.items()}

    for line in lines:
        typed = line.typed.replace(" ", "").lstrip("0")
        assert own.get(typed, line.subject) == line.subject or line.kind is not Kind.CHARGE


def test_balances_chain_and_gmf_is_four_in_a_thousand_of_the_debits() -> None:
    month, lines = booked_month(1)
    balance = month.opening
    for line in lines:
        balance += line.amount
        assert line.balance == balance
    gmf = sum(line.amount for line in lines if line.kind is Kind.GMF)
    debits = sum(line.amount for line in lines if line.amount < 0) - gmf

    assert abs(gmf - debits * Decimal("0.004")) < Decimal("0.20")


def whole(format: str) -> tuple[Month, list[BankLine], bytes]:
    """The file of the whole month in the format."""
    month, lines = booked_month(2, 200)
    return month, lines, deliveries(month, format)[-1].data(month, lines, ACCOUNT)


def test_every_format_has_a_gap_overlaps_and_two_days_twice() -> None:
    month = make_month(2, 200)
    for format in WRITERS:
        made = deliveries(month, format)

        assert sum(delivery.is_after_gap for delivery in made) == (
            2 if format == "asobancaria2001" else 1
        )
        assert len({delivery.format for delivery in made}) >= 2
        assert max(made, key=lambda one: one.at) is made[-1]


def test_asobancaria_files_have_162_characters_a_line_and_true_totals() -> None:
    month, lines = booked_month(2, 200)
    files = deliveries(month, "asobancaria2001")
    cents = 0
    for file in (one for one in files if one.format == "asobancaria2001"):
        records = file.data(month, lines, ACCOUNT).decode("ascii").split("\r\n")[:-1]
        assert {len(record) for record in records} == {162}
        details = [record for record in records if record[:2] == "06"]
        assert int(records[-1][2:11]) == len(details)
        assert int(records[-1][11:29]) == sum(int(record[50:64]) for record in details)
        cents += int(records[-1][11:29])
    of_month = [line for line in lines if line.is_collected and line.day != month.missing_day]
    assert Decimal(cents) / 100 == sum(line.amount for line in of_month)


def test_bancolombia_file_ends_with_the_banks_balance() -> None:
    _month, lines, data = whole("bancolombia")
    rows = list(csv.reader(io.StringIO(data.decode("latin-1"))))

    assert {len(row) for row in rows} == {9}
    assert Decimal(rows[-1][5].replace(",", "")) == lines[-1].balance
    assert sum(not row[7].startswith("SALDO") for row in rows) == len(lines)


def test_camt053_entries_lead_from_opening_to_closing_balance() -> None:
    month, lines, data = whole("camt053")
    space = {"c": "urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"}
    statement = ElementTree.fromstring(data).find(".//c:Stmt", space)  # noqa: S314 (our own file)
    assert statement is not None
    amounts = [
        Decimal(entry.findtext("c:Amt", "", space))
        * (1 if entry.findtext("c:CdtDbtInd", "", space) == "CRDT" else -1)
        for entry in statement.findall("c:Ntry", space)
    ]

    assert amounts == [line.amount for line in lines]
    assert month.opening + sum(amounts) == lines[-1].balance
