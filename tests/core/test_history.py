"""Monthly partitions of tables that only grow, and what is dropped of them."""

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection

from config.metrics.collector import read_state
from payments.core import audit, clock
from payments.core.history import conversion, layout, months, upkeep
from payments.core.history.tables import (
    HistoryTable,
    for_days,
    for_months,
    month_of,
    months_later,
    tables,
)
from payments.core.models import AuditEntry
from tests.core.history_tables import (
    NOW,
    TABLE,
    add,
    interrupted,
    log_table,
    names,
    run,
    subjects,
)
from tests.support.factories import MerchantFactory

pytestmark = pytest.mark.django_db(transaction=True)
APRIL, MAY, JUNE = (datetime(2026, month, 1, tzinfo=UTC) for month in (4, 5, 6))


@pytest.fixture
def plain() -> Iterator[None]:
    with log_table():
        yield


@pytest.fixture
def log(plain: None) -> None:
    """Partitioned since January, with the months until June."""
    conversion.partition(TABLE, now=datetime(2025, 12, 20, tzinfo=UTC))
    months.make_months(TABLE, now=NOW)


class TestInstallation:
    @pytest.mark.parametrize(
        "table", [each for each in tables() if not each.in_batches], ids=lambda each: each.table
    )
    def test_new_one_has_partitions_of_this_and_the_coming_months(
        self, table: HistoryTable
    ) -> None:
        assert layout.is_partitioned(table.table)
        ahead = months_later(month_of(clock.now()), 3)
        assert table.is_within(ahead, layout.partitions(table)[-1].below)
        assert layout.exists(table.default)

    def test_rows_of_the_audit_log_are_found_by_id_and_in_order(self) -> None:
        merchant = MerchantFactory()
        for number in range(5):
            audit.record(actor="ana", action=f"tests.{number}", subject=merchant)
        rows = list(AuditEntry.objects.filter(action__startswith="tests.").order_by("id"))
        assert [row.action for row in rows] == [f"tests.{number}" for number in range(5)]
        assert AuditEntry.objects.get(pk=rows[2].pk).action == "tests.2"
        months_of_id = datetime.fromtimestamp((rows[0].pk >> 20) / 1000, tz=UTC)
        assert abs(months_of_id - rows[0].at) < timedelta(seconds=5)

    @pytest.mark.parametrize(
        "statement", ["DELETE FROM {}", "UPDATE {} SET id = id", "TRUNCATE {}"]
    )
    def test_partition_refuses_what_its_table_refuses(self, statement: str) -> None:
        audit.record(actor="ana", action="tests.kept", subject=MerchantFactory())
        for (name,) in layout.rows(
            "SELECT tableoid::regclass::text FROM core_auditentry WHERE action = 'tests.kept'"
        ):
            with pytest.raises(DatabaseError, match=r"Cannot (update or delete|truncate)"):
                run(statement.format(name))
        assert AuditEntry.objects.filter(action="tests.kept").exists()


class TestConversion:
    def test_table_becomes_the_first_partition_without_copying(self, plain: None) -> None:
        add("before")
        [(file,)] = layout.rows("SELECT pg_relation_filenode('tests_log')")
        assert conversion.partition(TABLE, now=NOW)
        assert names() == ["tests_log_until_2026_04", "tests_log_2026_05", "tests_log_2026_06"]
        [(attached,)] = layout.rows("SELECT pg_relation_filenode('tests_log_until_2026_04')")
        assert attached == file
        assert subjects() == ["before"]
        assert not conversion.partition(TABLE, now=NOW)

    def test_indexes_constraints_triggers_and_rights_stay(self, plain: None) -> None:
        run("CREATE ROLE tests_reader")
        run("GRANT SELECT ON tests_log TO tests_reader")
        query = """
            SELECT conname, contype::text, pg_get_constraintdef(oid) FROM pg_constraint
            WHERE conrelid = 'tests_log'::regclass AND contype <> 'n'
            UNION SELECT indexname, '', replace(indexdef, ' ONLY', '') FROM pg_indexes
            WHERE tablename = 'tests_log'
            UNION SELECT tgname, obj_description(oid, 'pg_trigger'), pg_get_triggerdef(oid)
            FROM pg_trigger WHERE tgrelid = 'tests_log'::regclass AND NOT tgisinternal
            UNION SELECT 'reader', '',
                has_table_privilege('tests_reader', 'tests_log', 'SELECT')::text
            ORDER BY 1"""
        before = layout.rows(query)
        try:
            conversion.partition(TABLE, now=NOW)
            assert layout.rows(query) == before
            assert {row[0] for row in before} >= {"log_of_subject", "tests_log_pkey", "reader"}
        finally:
            run("DROP OWNED BY tests_reader")
            run("DROP ROLE tests_reader")

    def test_writers_lose_no_row_and_get_no_error(self, plain: None) -> None:
        written, errors, stop = [], [], threading.Event()

        def write() -> None:
            try:
                while not stop.is_set() or len(written) < 20:
                    written.append(add(f"row {len(written)}"))
            except Exception as error:
                errors.append(error)
            finally:
                connection.close()

        writer = threading.Thread(target=write)
        writer.start()
        try:
            while len(written) < 50 and writer.is_alive():
                pass
            conversion.partition(TABLE, now=clock.now())
            count = len(written)
            while len(written) < count + 50 and writer.is_alive():
                pass
        finally:
            stop.set()
            writer.join()
        assert not errors
        assert [row for (row,) in layout.rows("SELECT id FROM tests_log ORDER BY id")] == written

    def test_view_that_would_see_one_partition_stops_it(self, plain: None) -> None:
        run("CREATE VIEW tests_report AS SELECT subject FROM tests_log")
        try:
            with pytest.raises(conversion.NotConvertible, match="tests_report"):
                conversion.partition(TABLE, now=NOW)
        finally:
            run("DROP VIEW tests_report")
        assert not layout.is_partitioned("tests_log")

    def test_interrupted_one_is_repeated(self, plain: None, monkeypatch: Any) -> None:
        add("before")
        monkeypatch.setattr(conversion, "_grant", interrupted)
        with pytest.raises(KeyboardInterrupt):
            conversion.partition(TABLE, now=NOW)
        assert not layout.is_partitioned("tests_log")
        add("between")
        monkeypatch.undo()
        assert conversion.partition(TABLE, now=NOW)
        assert subjects() == ["before", "between"]

    def test_interrupted_one_refuses_no_row_of_later_months(
        self, plain: None, monkeypatch: Any
    ) -> None:
        monkeypatch.setattr(conversion, "_replace", interrupted)
        with pytest.raises(KeyboardInterrupt):
            conversion.partition(TABLE, now=NOW)
        monkeypatch.setattr(upkeep, "tables", lambda: [TABLE])
        upkeep.keep_up(now=NOW + timedelta(days=1))
        with pytest.raises(DatabaseError, match="pasarela_first_partition"):
            add("late", at=JUNE)
        upkeep.keep_up(now=NOW + timedelta(days=40))
        add("late", at=JUNE)
        assert subjects() == ["late"]


class TestMonths:
    def test_row_of_a_month_without_partition_is_kept_and_moves_to_it(self, log: None) -> None:
        later = add("far", at=JUNE + timedelta(days=45))
        assert subjects("tests_log_default") == ["far"]
        assert months.make_months(TABLE, now=JUNE + timedelta(days=60)) == [
            "tests_log_2026_07",
            "tests_log_2026_08",
            "tests_log_2026_09",
            "tests_log_2026_10",
        ]
        assert subjects("tests_log_default") == []
        assert subjects("tests_log_2026_07") == ["far"]
        assert layout.rows("SELECT id FROM tests_log") == [(later,)]

    def test_moved_rows_are_as_protected_as_before(self, log: None) -> None:
        add("far", at=JUNE + timedelta(days=45))
        months.make_months(TABLE, now=JUNE + timedelta(days=60))
        for table in ("tests_log_2026_07", "tests_log_default"):
            add("again", at=JUNE + timedelta(days=400))
            with pytest.raises(DatabaseError, match="append only"):
                run(f"DELETE FROM {table}")

    def test_busy_table_is_left_for_the_next_time(self, log: None, monkeypatch: Any) -> None:
        monkeypatch.setattr(upkeep, "tables", lambda: [TABLE])
        monkeypatch.setattr(layout, "LOCK_TIMEOUT", "50ms")
        reader = connection.copy()
        try:
            reader.set_autocommit(False)
            with reader.cursor() as cursor:
                cursor.execute("SELECT count(*) FROM tests_log")
                upkeep.keep_up(now=JUNE)
                assert "tests_log_2026_07" not in names()
            reader.rollback()
        finally:
            reader.close()
        upkeep.keep_up(now=JUNE)
        assert names()[-1] == "tests_log_2026_09"

    def test_metric_says_when_the_next_month_is_missing(self, log: None) -> None:
        assert next_months()["tests_log"] == int(clock.now() < JUNE)
        months.make_months(TABLE, now=clock.now())
        found = next_months()
        assert found["tests_log"] == 1
        assert found.keys() >= {"core_auditentry", "api_apicall", "webhooks_event"}


def next_months() -> dict[str, float]:
    return {
        sample.labels["table"]: sample.value
        for family in read_state()
        if family.name == "pasarela_history_next_month"
        for sample in family.samples
    }


def test_times_of_settings() -> None:
    class Settings:
        AUDIT_MONTHS = 14

    assert for_months("AUDIT_MONTHS")(NOW) is None
    assert for_days("API_LOG_DAYS")(NOW) == NOW - timedelta(days=30)


def test_ids_of_a_month_are_a_range() -> None:
    assert TABLE.bound(APRIL) < TABLE.bound(MAY)
    assert months_later(datetime(2026, 11, 1, tzinfo=UTC), 3) == datetime(2027, 2, 1, tzinfo=UTC)


def test_command_partitions_nothing_twice() -> None:
    out = StringIO()
    call_command("partition_history", stdout=out)
    assert set(json.loads(out.getvalue()).values()) == {False}
