"""STATEMENT_DIRECTORY: files are imported when they are complete, and moved, never deleted."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine

from payments.reconciliation.models import StatementFile, StatementLine, WatchedFile
from payments.reconciliation.services import directory
from payments.reconciliation.tasks import watch_directory
from tests.reconciliation.own_csv import NOW, Row, open_account, statement

pytestmark = pytest.mark.django_db
ROWS = [Row(day=2, amount="50000"), Row(day=2, amount="-900")]


class Watched:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.now = NOW

    def put(self, name: str, content: bytes) -> Path:
        path = self.root / name
        path.write_bytes(content)
        return path

    def look(self, times: int = 2) -> None:
        for _ in range(times):
            self.now += timedelta(seconds=10)
            with time_machine.travel(self.now, tick=False):
                watch_directory()

    def files(self) -> set[str]:
        return {str(path.relative_to(self.root)) for path in self.root.rglob("*.*")}


@pytest.fixture
def watched(tmp_path: Path, settings: Any) -> Watched:
    open_account()
    settings.STATEMENT_DIRECTORY = str(tmp_path)
    return Watched(tmp_path)


def test_file_is_imported_when_it_stood_still_between_two_looks(watched: Watched) -> None:
    path = watched.put("a.csv", statement(ROWS)[:-20])
    watched.look(1)
    path.write_bytes(statement(ROWS))
    watched.look(1)
    assert watched.files() == {"a.csv"}
    assert not StatementFile.objects.exists()
    watched.look(1)
    assert watched.files() == {"done/a.csv"}
    file = StatementFile.objects.get()
    assert (file.source, file.imported_by, file.new_lines) == ("DIRECTORY", "directory", 2)
    assert (watched.root / "done/a.csv").read_bytes() == statement(ROWS)
    assert not WatchedFile.objects.exists()


def test_refused_file_lies_beside_its_reason(watched: Watched) -> None:
    watched.put("bad.csv", b"nothing of a bank")
    watched.look()
    assert watched.files() == {"refused/bad.csv", "refused/bad.csv.reason.txt"}
    assert (watched.root / "refused/bad.csv.reason.txt").read_text().strip()


def test_same_name_twice_gets_a_suffix(watched: Watched) -> None:
    watched.put("a.csv", statement(ROWS))
    watched.look()
    watched.put("a.csv", statement([*ROWS, Row(day=3, amount="1")]))
    watched.look()
    assert watched.files() == {"done/a.csv", "done/a-1.csv"}
    assert StatementLine.objects.count() == 3


def test_crash_between_import_and_move_imports_nothing_twice(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched.put("a.csv", statement(ROWS))
    with monkeypatch.context() as patch:
        patch.setattr(directory, "_move", lambda *_: 1 / 0)
        watched.look()
    assert watched.files() == {"a.csv"}
    assert StatementFile.objects.count() == 1
    watched.look()
    assert watched.files() == {"a.csv"}, "the dead worker's lease has not ended"
    watched.now += directory.LEASE
    watched.look(1)
    assert watched.files() == {"done/a.csv"}
    assert StatementFile.objects.count() == 1
    assert StatementLine.objects.count() == 2


def test_links_directories_pipes_and_unfinished_files_are_left_alone(watched: Watched) -> None:
    outside = watched.root.parent / "outside.csv"
    outside.write_bytes(statement(ROWS))
    (watched.root / "link.csv").symlink_to(outside)
    (watched.root / "folder.csv").mkdir()
    os.mkfifo(watched.root / "pipe.csv")
    watched.put(".hidden.csv", statement(ROWS))
    watched.put("a.csv.filepart", statement(ROWS))
    before = watched.files()
    watched.look(3)
    assert watched.files() == before
    assert not StatementFile.objects.exists()


def test_directory_named_after_an_account_is_for_files_without_number(watched: Watched) -> None:
    (watched.root / "main").mkdir()
    watched.put("main/a.csv", statement(ROWS, number=""))
    watched.put("b.csv", statement(ROWS, number=""))
    watched.look()
    assert watched.files() == {"done/a.csv", "refused/b.csv", "refused/b.csv.reason.txt"}
    assert StatementFile.objects.get().account_id == "main"


def test_without_the_setting_nothing_is_looked_at(watched: Watched, settings: Any) -> None:
    settings.STATEMENT_DIRECTORY = ""
    watched.put("a.csv", statement(ROWS))
    watched.look(3)
    assert watched.files() == {"a.csv"}


def test_name_in_latin_1_stops_no_other_file(watched: Watched) -> None:
    watched.put("a.csv", statement(ROWS))
    name = b"Movimientos_a\xf1o.csv"
    with open(os.path.join(os.fsencode(watched.root), name), "wb") as file:
        file.write(statement([*ROWS, Row(day=3, amount="1")]))
    watched.look()
    assert set(os.listdir(os.fsencode(watched.root / "done"))) == {b"a.csv", name}
    names = StatementFile.objects.order_by("pk").values_list("name", flat=True)
    assert set(names) == {"a.csv", "Movimientos_a\xf1o.csv"}


def test_longest_name_is_refused_once(watched: Watched) -> None:
    watched.put("x" * 250 + ".csv", b"nothing of a bank")
    for _ in range(3):
        watched.look()
        watched.now += directory.LEASE
    assert watched.files() == {f"refused/{'x' * 200}.csv", f"refused/{'x' * 200}.csv.reason.txt"}
