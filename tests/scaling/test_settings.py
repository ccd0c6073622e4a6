"""One setting tells the service of a pooler, and a misspelt one is refused."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from config.devstack.options import PROJECT

PRINT = "import json; from config.settings import DATABASES as d; print(json.dumps(d['default']))"


def settings_with(**changes: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PRINT],
        cwd=PROJECT,
        env={**os.environ, **changes},
        capture_output=True,
        text=True,
        check=False,
    )


def database(**changes: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(settings_with(**changes).stdout)
    return found


def test_a_connection_of_our_own_keeps_statements_and_deadlines() -> None:
    options = database()["OPTIONS"]
    assert options["prepare_threshold"] == 3
    assert "statement_timeout=30000" in options["options"]
    assert not database()["DISABLE_SERVER_SIDE_CURSORS"]


def test_behind_a_transaction_pooler_nothing_belongs_to_a_session() -> None:
    found = database(DATABASE_POOLER="transaction")
    assert found["OPTIONS"]["prepare_threshold"] is None
    assert "options" not in found["OPTIONS"]
    assert found["DISABLE_SERVER_SIDE_CURSORS"]


@pytest.mark.parametrize("spelt", ["Transaction", "yes", ""])
def test_a_misspelt_pooler_is_refused(spelt: str) -> None:
    assert "DATABASE_POOLER must be" in settings_with(DATABASE_POOLER=spelt).stderr
