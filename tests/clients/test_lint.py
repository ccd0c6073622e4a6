"""Redocly's linter, as people run it who take over the document, finds no error in it."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

LINTER = "@redocly/cli@2.77.0"


@pytest.fixture(scope="module")
def redocly(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, from npm; without npm or its registry nothing can be said."""
    if not shutil.which("npm"):
        pytest.skip("The document is not linted: there is no npm.")
    folder = tmp_path_factory.mktemp("redocly")
    done = subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), LINTER],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if done.returncode != 0:
        pytest.skip(f"The document is not linted: npm could not install {LINTER}: {done.stderr}")
    return folder / "node_modules" / ".bin" / "redocly"


def test_the_linter_finds_no_error(redocly: Path, document: Path) -> None:
    done = subprocess.run(
        [str(redocly), "lint", "--format", "json", str(document)],
        env={**os.environ, "REDOCLY_TELEMETRY": "off"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    found = json.loads(done.stdout)
    errors = [each for each in found["problems"] if each["severity"] == "error"]
    assert [(each["ruleId"], each["message"]) for each in errors] == []
    assert found["totals"]["errors"] == 0
    assert done.returncode == 0, done.stdout + done.stderr
