"""One setting tells the service of a pooler, another one of a replica, a third of a broker."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from config.devstack.options import PROJECT

PRINT = """
import json
from config import settings
names = ("DATABASES", "DATABASE_ROUTERS", "WAKE_UP_PRIORITY", "SCANNER_PRIORITY")
print(json.dumps({name: getattr(settings, name, None) for name in names}))
"""


def settings_with(**changes: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PRINT],
        cwd=PROJECT,
        env={**os.environ, **changes},
        capture_output=True,
        text=True,
        check=False,
    )


def read(**changes: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(settings_with(**changes).stdout)
    return found


def database(**changes: str) -> dict[str, Any]:
    found: dict[str, Any] = read(**changes)["DATABASES"]["default"]
    return found


def test_a_connection_of_our_own_keeps_statements_and_deadlines() -> None:
    found = read()
    (only,) = found["DATABASES"].values()
    assert only["OPTIONS"]["prepare_threshold"] == 3
    assert "statement_timeout=30000" in only["OPTIONS"]["options"]
    assert not only["DISABLE_SERVER_SIDE_CURSORS"]
    assert found["DATABASE_ROUTERS"] is None


def test_behind_a_transaction_pooler_nothing_belongs_to_a_session() -> None:
    found = database(DATABASE_POOLER="transaction")
    assert found["OPTIONS"]["prepare_threshold"] is None
    assert "options" not in found["OPTIONS"]
    assert found["DISABLE_SERVER_SIDE_CURSORS"]


@pytest.mark.parametrize("spelt", ["Transaction", "yes", ""])
def test_a_misspelt_pooler_is_refused(spelt: str) -> None:
    assert "DATABASE_POOLER must be" in settings_with(DATABASE_POOLER=spelt).stderr


def test_a_replica_is_reached_as_the_primary_is() -> None:
    found = read(DATABASE_REPLICA_URL="postgresql://reader@copy.invalid/pasarela")
    primary, copy = found["DATABASES"]["default"], found["DATABASES"]["replica"]
    assert copy["HOST"] == "copy.invalid"
    assert copy["OPTIONS"].items() <= primary["OPTIONS"].items()
    assert found["DATABASE_ROUTERS"] == ["payments.core.replica.Router"]


@pytest.mark.parametrize(("scheme", "first"), [("redis", min), ("amqp", max)])
def test_scanners_come_before_wake_ups(scheme: str, first: Any) -> None:
    """Redis serves the lowest number first, RabbitMQ the highest."""
    found = read(BROKER_URL=f"{scheme}://broker.invalid/0")
    scanner, wake_up = found["SCANNER_PRIORITY"], found["WAKE_UP_PRIORITY"]
    assert first(scanner, wake_up) == scanner != wake_up
