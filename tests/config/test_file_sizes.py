"""A file stays short enough to read at once; a longer one is divided by noun."""

from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
FOLDERS = ("config", "payments", "merchants", "webhooks", "templates", "tests", "benchmarks")
CODE = (".py", ".html", ".js", ".css", ".txt")
FEWER_THAN_LINES = 400


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_file_reaches_400_lines(folder: str) -> None:
    files = [path for path in (PROJECT / folder).rglob("*.*") if path.suffix in CODE]
    assert files
    lengths = {path: len(path.read_text().splitlines()) for path in files}
    long = {path: length for path, length in lengths.items() if length >= FEWER_THAN_LINES}
    assert long == {}, "divide by noun"
