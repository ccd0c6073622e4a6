"""Linters, as people run them who take over the document, find no error and no other warning."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from tests.clients import npm_programs

# Each with its reason; a new one fails the test.
REDOCLY_WARNINGS = {"info-license"}  # The service is not published under a license.
SPECTRAL_WARNINGS: set[str] = set()
WARNING = 1


def run(*command: str | Path) -> Any:
    environment = {**os.environ, "REDOCLY_TELEMETRY": "off"}
    done = subprocess.run(
        [str(each) for each in command],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


def test_redocly_finds_nothing_but_the_known_warnings(document: Path) -> None:
    found = run(npm_programs.program("redocly"), "lint", "--format", "json", document)
    errors = [each for each in found["problems"] if each["severity"] == "error"]
    assert [(each["ruleId"], each["message"]) for each in errors] == []
    assert found["totals"]["errors"] == 0
    assert {each["ruleId"] for each in found["problems"]} == REDOCLY_WARNINGS


def test_spectral_finds_nothing_but_the_known_warnings(document: Path, tmp_path: Path) -> None:
    rules = tmp_path / "rules.json"
    rules.write_text('{"extends": ["spectral:oas"]}')
    options = ("--format", "json", "--quiet", "--ruleset", rules)
    found = run(npm_programs.program("spectral"), "lint", *options, document)
    errors = [each for each in found if each["severity"] < WARNING]
    assert [(each["code"], each["message"], each["path"]) for each in errors] == []
    assert {each["code"] for each in found} == SPECTRAL_WARNINGS
