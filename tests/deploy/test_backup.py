"""The dump of docs/operations/backup.md, restored: the same books, kept by the same triggers."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection
from psycopg.conninfo import conninfo_to_dict

from config.devstack import postgres_paths
from config.devstack.options import PROJECT
from config.devstack.os_user import database_user
from tests.support.charges import create, say, start
from tests.support.fixtures import ApiClient
from tests.support.services import child_environment

pytestmark = pytest.mark.django_db(transaction=True)
RESTORED = "restored_by_a_test"


def program(name: str, *arguments: str) -> None:
    path = postgres_paths._programs(database_user()) / name
    if not path.exists():
        pytest.skip(f"{name} is not among the embedded programs.")
    done = subprocess.run([str(path), *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def empty_database() -> Iterator[str]:
    """The address of a fresh database on the same server."""
    host = conninfo_to_dict(os.environ["DATABASE_URL"])["host"]
    name = f"{RESTORED}_{os.getpid()}"
    with psycopg.connect(host=host, user="postgres", dbname="postgres", autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {name}")
        server.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        yield f"postgresql://postgres@/{name}?host={host}"
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_a_restored_dump_proves_itself(api: ApiClient, empty_database: str, tmp_path: Path) -> None:
    order = create(api)
    charge = start(order)
    say(charge, "SUCCEEDED", charge.amount)
    dump = tmp_path / "pasarela.dump"
    host = conninfo_to_dict(os.environ["DATABASE_URL"])["host"]
    source = f"postgresql://postgres@/{connection.settings_dict['NAME']}?host={host}"

    program("pg_dump", "--format=custom", f"--file={dump}", source)
    program("pg_restore", f"--dbname={empty_database}", "--exit-on-error", str(dump))

    facts = verify(empty_database)
    assert (facts["ok"], facts["entries"]) == (True, 1)
    with psycopg.connect(empty_database) as restored:
        found = restored.execute("SELECT status, token FROM collect_order").fetchone()
        assert found == ("COMPLETED", order.token)
        for act in ("DELETE FROM ledger_posting", "UPDATE ledger_posting SET amount = amount + 1"):
            with (
                pytest.raises(psycopg.Error, match=r"Cannot (delete|update)"),
                restored.transaction(),
            ):
                restored.execute(act)


def verify(address: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "manage.py", "verify_ledger", "--skip-checks"],
        cwd=PROJECT,
        env=child_environment(DATABASE_URL=address),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
