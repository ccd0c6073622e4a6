"""One migrated database for all of a run: each worker, and each server that an experiment has of
its own, begins with a copy of it instead of migrating.

Made by a process of its own while the workers still collect. It holds the lock on a file as long
as it lives, however it ends: who waits for the lock waits for it, and nobody waits for the dead.
"""

import atexit
import fcntl
import os
import subprocess
import sys
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from config.devstack.postgres import Postgres

NAME = "migrated"
READY = b"ready"
# Set in a run that makes one: the file.
MADE = "TEST_TEMPLATE"


def begin(root: Path) -> None:
    """Starts the process; the workers inherit where to wait for it."""
    os.environ[MADE] = str(root / "template")
    server = os.environ["DATABASE_URL"]
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(NAME)))
    address = f"postgresql://postgres@/{NAME}?host={conninfo_to_dict(server)['host']}"
    with Path(os.environ[MADE]).open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # inherited, and so let go by the last who has it open
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "tests.template"],
            env={**os.environ, "DATABASE_URL": address, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.DEVNULL,
            stdout=held,
            stderr=subprocess.DEVNULL,
        )
    atexit.register(process.wait)


def is_ready() -> bool:
    """Waits for it. If it failed, a worker migrates as ever and says what is wrong."""
    if MADE not in os.environ:
        return False
    with Path(os.environ[MADE]).open("rb") as made:
        fcntl.flock(made, fcntl.LOCK_SH)
        return made.read() == READY


def pour(postgres: Postgres) -> None:
    """Fills another server's empty database with it, if there is one: quicker than migrating."""
    if not is_ready():
        return
    programs = postgres.places.programs
    given = conninfo_to_dict(os.environ["DATABASE_URL"])
    dump = [str(programs / "pg_dump"), f"--host={given['host']}", "--username=postgres", NAME]
    load = [str(programs / "psql"), "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1"]
    load += [f"--dbname={postgres.url}", "--output=/dev/null", "--single-transaction"]
    with subprocess.Popen(dump, stdout=subprocess.PIPE) as dumping:
        subprocess.run(load, stdin=dumping.stdout, check=True)
    assert dumping.returncode == 0


def main() -> None:
    """The process."""
    import django
    from django.core.management import call_command
    from django.db import connection

    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    connection.close()  # a database that somebody uses cannot be copied
    sys.stdout.buffer.write(READY)


if __name__ == "__main__":
    main()
