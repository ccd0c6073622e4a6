"""F28: a statement of 100,000 movements is imported whole or not at all, fast and in little memory.

F28 is about the operator's own bank; F23 is about the statements of merchants.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from payments.ledger import services as ledger
from payments.reconciliation.models import LineSource, StatementFile, StatementLine
from tests.faults import scaled
from tests.reconciliation.own_csv import Row, books, open_account, statement
from tests.support.database import sessions
from tests.support.live_service import wait_until
from tests.support.measurements import record, seeded
from tests.support.services import child_environment

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.faults("F28")]
LINES = scaled(100_000)
KILLS = 20
MOST_SECONDS, MOST_MEGABYTES = 60, 200


class Importer:
    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def run(self, path: Path, milliseconds: int = 0) -> tuple[int, float, float]:
        """The exit code, the seconds, and the megabytes at most. Killed after the milliseconds."""
        self._process.stdin.write(json.dumps([str(path), milliseconds]) + "\n")
        self._process.stdin.flush()
        code, seconds, megabytes = json.loads(self._process.stdout.readline())
        return code, seconds, megabytes


@pytest.fixture
def importer(transactional_db: None) -> Iterator[Importer]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.importing_process"],
        env=child_environment(DOORBELL="0"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield Importer(process)
    finally:
        process.stdin.close()
        process.wait(30)


def large(path: Path, number: str, lines: int = LINES) -> Path:
    """A month of collections with references, and charges of the bank between them."""
    rows = [
        Row(
            day=1 + 20 * index // lines,
            amount="-1234.56" if index % 10 == 9 else str(1000 + index % 977),
            text=f"TRANSFERENCIA CTA SUC VIRTUAL {index:06d}",
            reference="" if index % 10 == 9 else str(100_000_000_000 + index * 7),
            operation=f"OP{index:08d}",
            document=str(1_000_000_000 + index % 5000),
        )
        for index in range(lines)
    ]
    path.write_bytes(statement(rows, number=number))
    return path


def stored(slug: str) -> tuple[int, int, int, Decimal]:
    """Files, movements and their sources, and what the books have of the account."""
    return (
        StatementFile.objects.filter(account=slug).count(),
        StatementLine.objects.filter(account=slug).count(),
        LineSource.objects.filter(file__account=slug).count(),
        -books(f"bank:{slug}:COPM"),
    )


def test_large_statement_takes_less_than_a_minute_and_200_mb(
    importer: Importer, tmp_path: Path
) -> None:
    open_account("main", "10000000001")
    code, seconds, megabytes = importer.run(large(tmp_path / "large.csv", "10000000001"))
    assert code == 0
    file = StatementFile.objects.get()
    assert stored("main") == (1, LINES, LINES, file.closing)
    text = f"{LINES:,} movements in {seconds:.1f} s with {megabytes:.0f} MB"
    record(text, movements_imported=LINES, seconds=seconds, megabytes=megabytes)
    assert seconds < MOST_SECONDS
    assert megabytes < MOST_MEGABYTES


def test_killed_import_leaves_all_of_a_statement_or_nothing(
    importer: Importer, tmp_path: Path
) -> None:
    open_account("timed", "10000000000")
    code, seconds, _ = importer.run(large(tmp_path / "timed.csv", "10000000000"))
    assert code == 0
    chance, killed, whole = seeded("bank statements"), 0, 0
    for kill in range(KILLS):
        slug, number = f"bank-{kill}", f"2000000{kill:04d}"
        open_account(slug, number)
        path = large(tmp_path / f"{slug}.csv", number)
        # The last tenth is left out: an import that is a little faster would end before its kill.
        at = seconds * 1000 * 0.9 * (kill + chance.random()) / KILLS
        code, _, _ = importer.run(path, max(1, int(at)))
        killed += code == -9
        # PostgreSQL ends a COMMIT that it has begun, although its client was killed.
        wait_until(lambda: not sessions("state <> 'idle'"), seconds=30, what="the commit's end")
        found = stored(slug)
        whole += found[0]
        closing = StatementFile.objects.get(account="timed").closing
        assert found in [(0, 0, 0, 0), (1, LINES, LINES, closing)], (kill, code)
        # What another look would do. If it imports all, its time is the measure of the next kill.
        again, took, _ = importer.run(path)
        assert again == 0
        seconds = seconds if found[0] else took
        assert stored(slug) == (1, LINES, LINES, closing)
    record(
        f"{killed} of {KILLS} imports of {LINES:,} movements killed; {whole} had committed",
        kills_of_imports=killed,
        half_statements=0,
    )
    # On a machine that just became faster, an import may end before its kill.
    assert killed >= KILLS // 4
    assert ledger.verify().ok
