"""One migrated database for all of a run: each worker, and each server that an experiment has of
its own, begins with a copy of it instead of migrating.

A process of its own makes it while the workers collect. It holds a lock on a file until it ends,
however it ends, and the workers wait for that lock.
"""

import atexit
import fcntl
import gc
import os
import subprocess
import sys
import warnings
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from config.devstack.postgres import Postgres

NAME = "migrated"
READY = b"ready"
# Set in a run that makes one: the file.
MADE = "TEST_TEMPLATE"


def begin(postgres: Postgres) -> None:
    """Starts the process; the workers inherit where to wait for it."""
    made = Path(os.environ["DATA_DIR"]) / "template"
    os.environ[MADE] = str(made)
    server = os.environ["DATABASE_URL"]
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(NAME)))
    address = f"postgresql://postgres@/{NAME}?host={conninfo_to_dict(server)['host']}"
    programs = str(postgres.paths.programs)
    with made.open("wb") as held, made.with_suffix(".log").open("wb") as log:
        fcntl.flock(held, fcntl.LOCK_EX)  # inherited, and so let go by the last who has it open
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "tests.support.template_database", programs],
            env={**os.environ, "DATABASE_URL": address, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.DEVNULL,
            stdout=held,
            stderr=log,
        )
    atexit.register(process.wait)


def is_ready() -> bool:
    """Waits for it. If it failed, a worker migrates as ever and says what is wrong."""
    if MADE not in os.environ:
        return False
    with Path(os.environ[MADE]).open("rb") as made:
        fcntl.flock(made, fcntl.LOCK_SH)
        if (told := made.read()) == READY:
            return True
    log = Path(os.environ[MADE]).with_suffix(".log").read_text(errors="replace")
    warnings.warn(f"No migrated database to copy: {told!r} {log[-500:]}", stacklevel=2)
    return False


def _dump() -> Path:
    return Path(os.environ[MADE]).with_suffix(".sql")


def pour(postgres: Postgres) -> None:
    """Fills another server's empty database with it, if there is one: quicker than migrating."""
    if not is_ready():
        return
    load = [str(postgres.paths.programs / "psql"), "--quiet", "--no-psqlrc"]
    load += [f"--dbname={postgres.url}", "--output=/dev/null", "--single-transaction"]
    load += ["--set=ON_ERROR_STOP=1", f"--file={_dump()}"]
    subprocess.run(load, check=True)


def main() -> None:
    """The process. It ends soon: to collect its garbage would take a third of its time."""
    import django
    from django.core.management import call_command
    from django.db import connection

    gc.disable()
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    connection.close()
    # Here and not when it is needed: a database in use cannot be copied.
    dump = [str(Path(sys.argv[1]) / "pg_dump"), f"--dbname={os.environ['DATABASE_URL']}"]
    subprocess.run([*dump, f"--file={_dump()}"], check=True)
    sys.stdout.buffer.write(READY)


if __name__ == "__main__":
    main()
