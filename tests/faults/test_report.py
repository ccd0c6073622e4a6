"""The page of figures says what was seen, all of it or nothing."""

from pathlib import Path

import pytest

from tests.faults import report
from tests.faults.guarantees import GUARANTEES
from tests.faults.report import Seen
from tests.support.measurements import FIGURE, PROMISE, SEED, Ledger


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    page = tmp_path / "faults.md"
    page.write_text(f"# By hand\n{report.BEGIN}\nstale figures\n{report.END}\nmore by hand\n")
    monkeypatch.setattr(report, "PAGE", page)
    return page


def everything() -> dict[str, Seen]:
    seen = {name: Seen(tests=1, seconds=60) for name in GUARANTEES}
    for found in seen.values():
        found.add("lost 0 of 10", {})
    return seen


def test_whole_numbers_add_up_and_of_others_the_worst_stays() -> None:
    seen = Seen()
    seen.add("first", {"kills": 20, "slowest_seconds": 1.5})
    seen.add("second", {"kills": 20, "slowest_seconds": 0.5})
    assert seen.figures == "40 kills, slowest seconds 1.50"
    assert seen.lines == ["first", "second"]


def test_a_promise_holds_if_all_of_its_tests_passed() -> None:
    assert Seen(tests=2).held == "yes"
    assert Seen(tests=2, failed=["test_x"]).held == "NO"
    assert Seen(tests=1, skipped=1).held == "not run"


def test_the_page_keeps_what_was_written_by_hand(page: Path) -> None:
    seen = everything()
    seen["F3"].failed.append("test_x")
    assert report.write_page(seen, load=0.5) == "docs/faults.md"

    text = page.read_text()
    assert text.startswith("# By hand\n")
    assert text.endswith("\nmore by hand\n")
    assert "stale figures" not in text
    assert f"All of it took {len(GUARANTEES)} minutes" in text
    rows = {line.split(" | ")[0]: line for line in text.splitlines() if line.startswith("| ")}
    assert len(rows) == len(GUARANTEES) + 1
    assert "| lost 0 of 10 | NO | 60 |" in rows["| F3"]
    assert "| lost 0 of 10 | yes | 60 |" in rows["| F4"]


@pytest.mark.parametrize("left_out", ["F7", "soak"])
def test_a_part_leaves_the_page_alone(page: Path, left_out: str) -> None:
    seen = everything()
    if left_out == "soak":
        seen["soak"] = Seen(tests=1, skipped=1)
    else:
        del seen[left_out]
    assert report.write_page(seen, load=0.5) == ""
    assert "stale figures" in page.read_text()


def test_what_a_test_told_reaches_the_row_of_its_promise() -> None:
    ledger, plugins = Ledger(), pytest.PytestPluginManager()
    plugins.register(ledger, "promises")
    properties = [
        (PROMISE, "F1"),
        (FIGURE, {"text": "500 answers", "counts": {"payouts": 1}}),
        (SEED, "13"),
    ]
    for when, seconds in (("setup", 1.0), ("call", 2.0), ("teardown", 3.0)):
        report_ = pytest.TestReport(
            nodeid="tests/x.py::test_y",
            location=("tests/x.py", 1, "test_y"),
            keywords={},
            outcome="failed" if when == "call" else "passed",
            longrepr=None,
            when=when,  # type: ignore[arg-type]
            duration=seconds,
            user_properties=properties,
        )
        # As the runner does for what a conftest left out.
        caller = plugins.subset_hook_caller("pytest_runtest_logreport", remove_plugins=[ledger])
        assert caller is not None
        plugins.hook.pytest_runtest_logreport(report=report_)

    seen = ledger.seen["F1"]
    assert (seen.tests, seen.seconds, seen.failed) == (1, 6.0, ["test_y"])
    assert (seen.lines, dict(seen.sums), seen.seeds) == (["500 answers"], {"payouts": 1}, ["13"])
    assert next(iter(report.table(ledger.seen))).startswith(
        "F1   One key, one payout: held NO (6 s"
    )
