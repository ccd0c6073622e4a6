"""The throw-away PostgreSQL and Valkey of a test run, started once before Django's settings load.

Loaded by `-p tests.support.services` in pyproject.toml, because a conftest would come too late:
the plugin of Django reads the settings first. The workers of a parallel run inherit the addresses.
"""

import atexit
import gc
import os
import shutil
import sys

import pytest

from config.devstack.postgres import Postgres
from config.devstack.process import StackError
from config.devstack.throwaway import make_throwaway
from config.devstack.valkey import Valkey
from tests.support import template_database

FIXED = {
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "ENV": "development",
    "SANDBOX": "1",
    # Its thread would write past the rollback of a test; its own tests switch it on.
    "API_LOG": "0",
    # Tests move the time by hand; a payment that ended by itself would end it under them.
    "SIMULATOR_CLOCK": "0",
    "PUBLIC_URL": "http://testserver",
    "SECRET_KEY": "tests-only-secret-key-0123456789abcdefghijklmnopqrstuvwxyz",
    "ENCRYPTION_KEYS": "dGVzdHMtb25seS1rZXktMDEyMzQ1Njc4OWFiY2RlZmc=",
}
# What an operator may have exported must not change what the tests see.
CLEARED = ("DEBUG", "PORT", "BROKER_URL", "SECRET_KEY_FILE", "ENCRYPTION_KEYS_FILE")
CLEARED_PREFIXES = ("WEBHOOK_", "RATE_LIMIT_", "DATABASE_", "REDIS_", "COLLECT_")
# Set by who started the servers for several runs in turn (tests/mutants): they are used as given.
GIVEN = "TEST_SERVERS_GIVEN"


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Start the servers in the controller; give each worker a Redis database of its own."""
    _keep_bytecode()
    gc.disable()  # until everything is collected (tests.support.gc_tuning): before Django is set up
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is not None:
        os.environ["REDIS_URL"] = redis_url_of(worker)
        # The simulated rails' books, too: a worker must not hear of another's payments.
        os.environ["SIMULATOR_STATE"] = f"{os.environ['DATA_DIR']}/simulator-{worker}.sqlite3"
    elif os.environ.get(GIVEN):
        return
    elif not (early_config.known_args_namespace.help or early_config.known_args_namespace.version):
        try:
            postgres = start()
        except StackError as error:
            raise pytest.UsageError(str(error)) from error
        if getattr(early_config.known_args_namespace, "numprocesses", None):
            template_database.begin(postgres)


def _keep_bytecode() -> None:
    """Without files of it each of the 150 processes of a run compiles all modules again, and each
    worker rewrites all tests: six seconds each. The Makefile does the same for what it runs.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


def start() -> Postgres:
    """Servers below a fresh directory; both end and the directory goes when this process ends."""
    root = make_throwaway("test")
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    postgres = Postgres(root, log=root / "postgres.log", throwaway=True)
    atexit.register(postgres.stop, grace_seconds=5)
    valkey = Valkey(root, log=root / "valkey.log")
    atexit.register(valkey.stop)
    postgres.start()
    valkey.start()
    for name in list(os.environ):
        if name in CLEARED or name.startswith(CLEARED_PREFIXES):
            del os.environ[name]
    os.environ.update(FIXED, DATA_DIR=str(root), DATABASE_URL=postgres.url, REDIS_URL=valkey.url)
    return postgres


def redis_url_of(worker: str) -> str:
    """Database 0 belongs to a run without workers, 1 to gw0, 2 to gw1 and so on."""
    server = os.environ["REDIS_URL"].rpartition("/")[0]
    return f"{server}/{int(worker.removeprefix('gw')) + 1}"


def child_environment(**changes: str) -> dict[str, str]:
    """For a process started by a test (a worker, a web server): it shares the test's database.

    Only transactional tests can use it: the child sees nothing that was not committed.
    """
    from django.db import connection
    from psycopg.conninfo import conninfo_to_dict

    server = conninfo_to_dict(os.environ["DATABASE_URL"])
    name = connection.settings_dict["NAME"]
    # The browser's tests set it for their own process.
    own = {key: value for key, value in os.environ.items() if key != "DJANGO_ALLOW_ASYNC_UNSAFE"}
    return {
        **own,
        "DATABASE_URL": f"postgresql://postgres@/{name}?host={server['host']}",
        "PYTHONPATH": os.pathsep.join(sys.path),
        **changes,
    }
