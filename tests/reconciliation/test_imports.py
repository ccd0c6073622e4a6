"""What an import stores: each movement once, whole files or nothing, balances that add up."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import partial

import pytest
from django.utils import translation

from payments.core.models import AuditEntry
from payments.ledger import services as ledger
from payments.ledger.models import Posting
from payments.reconciliation.formats.values import FileRefused
from payments.reconciliation.models import (
    LineSource,
    StatementFile,
    StatementGap,
    StatementLine,
)
from payments.reconciliation.services import chain
from payments.reconciliation.services.matching.due_lines import match_due
from tests.reconciliation.formats.samples import ASOBANCARIA
from tests.reconciliation.own_csv import NOW, Row, books, give, open_account, statement, stored
from tests.support.concurrency import run_concurrently

pytestmark = pytest.mark.django_db
BANK, UNDECIDED = "bank:main:COPM", "suspense:bank:COPM"
MONDAY = [Row(day=2, amount="50000"), Row(day=2, amount="50000"), Row(day=2, amount="-1200.50")]
TUESDAY = [Row(day=3, amount="50000", text="OTRA"), Row(day=3, amount="-700")]


@pytest.fixture(autouse=True)
def _account(db: None) -> Iterator[None]:
    open_account()
    with translation.override("en"):
        yield


def refused(content: bytes, **given: str) -> str:
    """The reason; nothing but an audit row is left."""
    before = (
        StatementFile.objects.count(),
        StatementLine.objects.count(),
        LineSource.objects.count(),
        Posting.objects.count(),
    )
    with pytest.raises(FileRefused) as found:
        give(content, **given)
    assert before == (
        StatementFile.objects.count(),
        StatementLine.objects.count(),
        LineSource.objects.count(),
        Posting.objects.count(),
    )
    row = AuditEntry.objects.filter(action="statement.refused").latest("pk")
    assert row.reason == found.value.reason
    assert len(row.details["sha256"]) == 64
    return found.value.reason


def test_file_is_stored_with_its_origin_and_the_bank_has_its_closing_balance() -> None:
    file = give(statement(MONDAY, opening="1000"))
    assert (file.lines, file.new_lines, file.credits, file.debits) == (
        *(3, 3),
        *(Decimal(100000), Decimal("1200.50")),
    )
    lines = StatementLine.objects.order_by("pk").values_list("file", "file_line", "number")
    assert list(lines) == [(file.pk, 2, 1), (file.pk, 3, 2), (file.pk, 4, 1)]
    assert books(BANK) == -Decimal("99799.50")
    assert books(UNDECIDED) == Decimal("98799.50")
    assert books("equity:COPM") == 1000
    assert ledger.verify().ok
    assert not StatementLine.objects.filter(match_at=None).exists()


def test_same_file_twice_is_stored_once() -> None:
    first = give(statement(MONDAY), name="a.csv")
    assert give(statement(MONDAY), name="b.csv").pk == first.pk
    assert len(stored()) == 3
    assert StatementFile.objects.count() == 1


def test_overlapping_file_adds_only_what_is_new() -> None:
    give(statement(MONDAY))
    file = give(statement([*MONDAY, *TUESDAY]))
    assert (file.lines, file.new_lines) == (5, 2)
    assert len(stored()) == 5
    assert books(BANK) == -Decimal("148099.50")
    assert LineSource.objects.filter(file=file).count() == 5


def test_file_from_noon_is_continued_by_that_of_the_whole_day() -> None:
    noon = [Row(day=2, amount="50000", text="A")]
    give(statement(noon))
    give(statement([*noon, Row(day=2, amount="50000", text="B"), Row(day=2, amount="-9")]))
    assert [text for _day, _amount, text, *_rest in stored()] == ["TRANSFERENCIA", "A", "B"]
    assert books(BANK) == -Decimal(99991)


def test_movements_of_one_format_with_other_operations_are_other_movements() -> None:
    give(statement([Row(day=2, amount="5000", operation="1")], opening=None))
    give(statement([Row(day=2, amount="5000", operation="2")], opening=None))
    assert [operation for *_rest, operation in stored()] == ["1", "2"]


def test_statement_of_another_account_is_refused() -> None:
    open_account("other", "999888777666")
    reason = refused(statement(MONDAY, number="555"))
    assert "555" in reason
    others = statement(MONDAY, number="999888777666")
    assert "not of Main account" in refused(others, account="main")
    assert "choose the bank account" in refused(statement(MONDAY, number=""))
    assert give(statement(MONDAY, number=""), account="other").account_id == "other"
    assert "imported already" in refused(statement(MONDAY, number=""), account="main")


def test_number_with_zeros_on_the_left_is_the_same_account() -> None:
    assert give(statement(MONDAY, number="00012345678901")).account_id == "main"


def test_missing_day_is_refused_with_its_name() -> None:
    give(statement(MONDAY))
    later = statement([Row(day=5, amount="1")], opening="98000")
    reason = refused(later)
    assert "from 2026-11-03 to 2026-11-04 are missing" in reason
    assert "98,799.50" in reason
    assert "98,000.00" in reason


def test_days_without_movements_are_proven_by_the_balance() -> None:
    give(statement(MONDAY))
    give(statement([Row(day=9, amount="1")], opening="98799.50"))
    assert books(BANK) == -Decimal("98800.50")
    assert not StatementGap.objects.exists()


def test_other_opening_balance_on_the_next_day_is_a_gap() -> None:
    give(statement(MONDAY))
    with pytest.raises(chain.GapFound, match="begins with 98,799"):
        give(statement(TUESDAY, opening="98799"))


def test_accepted_gap_is_in_the_balance_until_its_movements_come() -> None:
    give(statement(MONDAY))
    wednesday = statement([Row(day=4, amount="1")], opening="148099.50")
    assert "missing" in refused(wednesday)
    file = give(wednesday, accepted_gap="The bank's portal is down")
    gap = file.gap
    assert (gap.amount, gap.reason) == (49300, "The bank's portal is down")
    assert books(BANK) == -Decimal("148100.50")
    give(statement(TUESDAY, opening="98799.50"))
    gap.refresh_from_db()
    assert gap.explained == 49300
    assert books(BANK) == -Decimal("148100.50")
    assert books(UNDECIDED) == Decimal("148100.50")


def test_reason_for_a_gap_is_not_needed_and_not_kept_without_one() -> None:
    give(statement(MONDAY), accepted_gap="in case")
    assert not StatementGap.objects.exists()
    assert AuditEntry.objects.get(action="statement.imported").reason == ""


def test_new_movement_of_a_proven_day_is_refused_with_both_figures() -> None:
    give(statement(MONDAY), name="monday.csv")
    reason = refused(statement([Row(day=2, amount="7")], opening=None))
    assert "monday.csv" in reason
    assert "98,806.50" in reason
    assert "98,799.50" in reason


def test_statement_that_leaves_out_a_stored_movement_is_refused() -> None:
    give(statement([Row(day=2, amount="7")], opening=None))
    reason = refused(statement(MONDAY))
    assert "98,806.50" in reason


def test_overlap_with_another_balance_is_refused_whatever_the_reason() -> None:
    give(statement([*MONDAY, *TUESDAY]))
    other = statement(TUESDAY, opening="5")
    assert "begins with 5.00" in refused(other, accepted_gap="please")


def test_statement_before_the_first_one_is_refused() -> None:
    give(statement(TUESDAY))
    assert "before the first statement" in refused(statement(MONDAY, opening="-98799.50"))


def test_second_format_adds_what_the_first_one_does_not_know() -> None:
    collected = ASOBANCARIA.encode()
    plain = [replace(row, day=16) for row in MONDAY]
    march = statement(plain).replace(b"2026-11-16", b"2026-03-16").replace(b"50000", b"50000.00")
    give(march.replace(b"-1200.50", b"1234.50").replace(b"98799.50", b"101234.50"))
    StatementLine.objects.update(match_at=None, status="UNMATCHED")
    file = give(collected)
    assert (file.lines, file.new_lines) == (2, 0)
    references = {line.reference for line in StatementLine.objects.all()}
    assert references == {"987654321098", "5550001", ""}
    again = StatementLine.objects.filter(match_at=NOW)
    assert {line.reference for line in again} == {"987654321098", "5550001"}
    assert LineSource.objects.filter(line__in=again).count() == 4


@pytest.mark.django_db(transaction=True)
def test_two_imports_of_one_file_at_once_store_it_once() -> None:
    rows = [Row(day=2, amount=str(100 + n % 7)) for n in range(300)]
    content = statement(rows)
    first, *others = run_concurrently([lambda: give(content)] * 4)
    assert isinstance(first, StatementFile), first
    assert {getattr(other, "pk", other) for other in others} == {first.pk}
    assert StatementLine.objects.count() == 300
    assert -books(BANK) == first.closing


@pytest.mark.django_db(transaction=True)
def test_overlapping_imports_at_once_store_each_movement_once() -> None:
    rows = [Row(day=2 + n // 50, amount=str(100 + n % 7)) for n in range(300)]
    acts = [partial(give, statement(rows[: 100 + 50 * n])) for n in range(5)]
    files = run_concurrently(acts)
    assert all(isinstance(one, StatementFile) for one in files), files
    assert StatementLine.objects.count() == 300
    assert sum(getattr(one, "new_lines", 0) for one in files) == 300


@pytest.mark.django_db(transaction=True)
def test_import_and_matcher_work_at_once() -> None:
    rows = [Row(day=2, amount=str(100 + n % 7)) for n in range(200)]
    give(statement(rows[:150]))
    filled = [replace(row, text="TRANSFERENCIA") for row in rows]
    acts = [partial(give, statement(filled)), *[partial(match_due, now=NOW)] * 3]
    results = run_concurrently(acts)
    assert not [result for result in results if isinstance(result, Exception)], results
    match_due(now=NOW)
    assert StatementLine.objects.count() == 200
    assert not StatementLine.objects.filter(status="NEW").exists()
