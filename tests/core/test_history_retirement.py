"""What is dropped of tables with monthly partitions, after it was written to files."""

import gzip
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from payments.api.models import ApiCall
from payments.core import clock
from payments.core.history import archive, conversion, layout, months, retirement, upkeep
from payments.core.history.tables import HistoryTable, month_of, months_later, tables
from payments.core.models import AuditEntry
from tests.core.history_tables import (
    NOW,
    TABLE,
    add,
    interrupted,
    kept_for,
    log_table,
    run,
    subjects,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def log() -> Iterator[None]:
    """Partitioned, with the months until June."""
    with log_table():
        conversion.partition(TABLE, now=datetime(2025, 12, 20, tzinfo=UTC))
        months.make_months(TABLE, now=NOW)
        yield


class TestRetirement:
    def test_old_month_is_written_to_a_file_and_dropped(self, log: None, tmp_path: Path) -> None:
        add("first", at=datetime(2025, 11, 3, tzinfo=UTC))
        add('second, "quoted"\nand long', at=datetime(2025, 12, 3, tzinfo=UTC))
        add("kept", at=datetime(2026, 2, 3, tzinfo=UTC))
        retired = retirement.retire(kept_for(1), now=NOW, directory=tmp_path)
        assert retired.partitions == ["tests_log_until_2026_01"]
        assert subjects() == ["kept"]
        assert not layout.exists("tests_log_until_2026_01")
        with gzip.open(tmp_path / "tests_log/tests_log_until_2026_01.csv.gz", "rt") as file:
            text = file.read()
        assert text.startswith("id,merchant_id,subject,is_open\n")
        assert text.count(",f\n") == 2
        manifest = json.loads((tmp_path / "tests_log/tests_log_until_2026_01.json").read_text())
        assert manifest["rows"] == 2

    def test_file_gives_the_rows_back(self, log: None, tmp_path: Path) -> None:
        add("one, two\n\\three", at=datetime(2025, 12, 3, tzinfo=UTC))
        before = layout.rows("SELECT * FROM tests_log")
        retirement.retire(kept_for(1), now=NOW, directory=tmp_path)
        text = gzip.decompress((tmp_path / "tests_log/tests_log_until_2026_01.csv.gz").read_bytes())
        statement = "COPY tests_log FROM STDIN WITH (FORMAT csv, HEADER)"
        with connection.cursor() as cursor, cursor.copy(statement) as copy:
            copy.write(text)
        assert layout.rows("SELECT * FROM tests_log") == before

    def test_open_rows_stay_until_they_end(self, log: None, tmp_path: Path) -> None:
        add("ended", at=datetime(2025, 12, 3, tzinfo=UTC))
        add("open", at=datetime(2025, 12, 4, tzinfo=UTC), is_open=True)
        retired = retirement.retire(kept_for(1), now=NOW, directory=tmp_path)
        assert (retired.kept, subjects()) == (1, ["open"])
        run("ALTER TABLE tests_log_default DISABLE TRIGGER USER")
        run("UPDATE tests_log SET is_open = false")
        run("ALTER TABLE tests_log_default ENABLE TRIGGER USER")
        retired = retirement.retire(kept_for(1), now=NOW, directory=tmp_path)
        assert (retired.rows, subjects()) == (1, [])
        assert len(list((tmp_path / "tests_log").glob("tests_log_rows_*.csv.gz"))) == 1

    def test_row_opened_after_the_partition_was_read_stays(
        self, log: None, tmp_path: Path, monkeypatch: Any
    ) -> None:
        add("reopened", at=datetime(2025, 12, 3, tzinfo=UTC))
        finish = retirement._finish

        def reopen(table: HistoryTable, name: str, directory: Path | None) -> None:
            run(f"UPDATE {name} SET is_open = true")
            finish(table, name, directory)

        monkeypatch.setattr(retirement, "_finish", reopen)
        retirement.retire(kept_for(1), now=NOW, directory=tmp_path)
        assert subjects() == ["reopened"]
        with gzip.open(tmp_path / "tests_log/tests_log_until_2026_01.csv.gz", "rt") as file:
            assert "reopened,t" in file.read()

    @pytest.mark.parametrize("step", ["_detach", "_finish"])
    def test_interrupted_one_is_continued(
        self, log: None, tmp_path: Path, monkeypatch: Any, step: str
    ) -> None:
        add("ended", at=datetime(2025, 12, 3, tzinfo=UTC))
        monkeypatch.setattr(retirement, step, interrupted)
        with pytest.raises(KeyboardInterrupt):
            retirement.retire(kept_for(1), now=NOW, directory=tmp_path)
        monkeypatch.undo()
        (tmp_path / "tests_log/tests_log_until_2026_01.csv.gz").write_bytes(b"half a file")
        retirement.retire(kept_for(1), now=NOW, directory=tmp_path)
        assert archived(tmp_path) == 1
        assert not layout.exists("tests_log_until_2026_01")
        assert subjects() == []

    def test_nothing_is_dropped_when_the_file_cannot_be_written(
        self, log: None, tmp_path: Path
    ) -> None:
        add("ended", at=datetime(2025, 12, 3, tzinfo=UTC))
        (tmp_path / "tests_log").write_text("a file, and no directory")
        with pytest.raises(OSError):
            retirement.retire(kept_for(1), now=NOW, directory=tmp_path)
        assert subjects() == ["ended"]

    def test_nothing_is_dropped_when_the_file_is_not_as_written(
        self, log: None, tmp_path: Path, monkeypatch: Any
    ) -> None:
        add("ended", at=datetime(2025, 12, 3, tzinfo=UTC))
        monkeypatch.setattr(archive, "_digest_of", lambda path: "another")
        with pytest.raises(OSError):
            retirement.retire(kept_for(1), now=NOW, directory=tmp_path)
        assert subjects() == ["ended"]
        assert not list(tmp_path.rglob("*.csv.gz*"))

    def test_without_a_time_nothing_is_dropped(self, log: None, tmp_path: Path) -> None:
        add("ended", at=datetime(2020, 12, 3, tzinfo=UTC))
        forever = HistoryTable(table="tests_log", first_kept=lambda now: None)
        assert retirement.retire(forever, now=NOW, directory=tmp_path).partitions == []
        assert subjects() == ["ended"]


def archived(directory: Path) -> int:
    return sum(json.loads(path.read_text())["rows"] for path in directory.rglob("*_until_*.json"))


class TestCommand:
    def test_refuses_to_drop_without_files_unless_told(self, settings: Any) -> None:
        with pytest.raises(CommandError, match="HISTORY_ARCHIVE_DIRECTORY"):
            call_command("retire_history")
        settings.HISTORY_DROP, settings.AUDIT_MONTHS = True, 12
        out = StringIO()
        call_command("retire_history", stdout=out)
        assert json.loads(out.getvalue())["core_auditentry"]["partitions"] == []


class TestAuditLog:
    def test_rows_of_people_and_of_open_payments_stay(self, settings: Any, tmp_path: Path) -> None:
        settings.AUDIT_MONTHS, settings.HISTORY_ARCHIVE_DIRECTORY = 12, str(tmp_path)
        run(
            "INSERT INTO core_auditentry (id, actor, action, subject_type, subject_id, reason,"
            " details, at) VALUES"
            " (1, 'ana', 'order.cancelled', 'order', 'col_ended', '', '{}', '2020-01-01'),"
            " (2, 'ana', 'rail_account.approved', 'provideraccount', '7', '', '{}', '2020-01-01')"
        )
        table = next(each for each in tables() if each.table == "core_auditentry")
        later = months_later(month_of(clock.now()), 20)
        result = retirement.retire(table, now=later, directory=tmp_path)
        assert result.kept == 1
        assert AuditEntry.objects.get().action == "rail_account.approved"
        upkeep.keep_up(now=clock.now())


def test_month_of_calls_goes_by_itself_when_it_is_over(settings: Any) -> None:
    ApiCall.objects.create(at=clock.now(), method="GET", path="/", status=200, duration_ms=1)
    later = clock.now() + timedelta(days=100)
    upkeep.keep_up(now=later)
    assert not ApiCall.objects.exists()
