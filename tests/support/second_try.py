"""A second try for tests that drive a browser or a whole service on a machine with other work.

Each of some 700 such tests waits for states of other processes, and one in thousands sees a pause
of the machine. A test of money, of concurrency or of a fault has no second try: there, one failure
in a thousand is a defect. What needed a second try is listed at the end of the run, with its first
failure. `SECOND_TRY=0` gives every test one try.
"""

import os

import pytest

PLACES = ("tests/browser/", "tests/devstack/", "tests/deploy/")
IS_ON = os.environ.get("SECOND_TRY", "1") != "0"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not IS_ON:
        return
    for item in items:
        if item.nodeid.startswith(PLACES):
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    again = terminalreporter.getreports("rerun")
    if not again:
        return
    terminalreporter.section("passed or failed at the second try: look at the first failure")
    for report in again:
        terminalreporter.write_line(f"RERUN {report.nodeid}")
        if report.longrepr is not None:
            terminalreporter.write_line(str(report.longrepr))
