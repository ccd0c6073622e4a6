"""Runs tests against a scratch copy of the working tree, and reads their results.

One PostgreSQL and one Valkey for all runs; each run has a fresh copy of one migrated database.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psycopg
import redis
from psycopg import sql

from config.devstack.options import PROJECT
from config.devstack.throwaway import make_throwaway
from tests.mutants import repeat
from tests.mutants.patches import Mutant
from tests.support import services

# A run that takes longer has hung, and a hang catches nothing.
RUN_SECONDS = 120
HEALTHY_SECONDS = 900
# How pytest words the failure of a test that looked and saw something wrong. Any other exception
# may be a patch that does not even run.
SAW = ("AssertionError", "assert ", "Failed: ")
CLEAN = "clean"


@dataclass(frozen=True, slots=True)
class Run:
    """What one run of tests said. `failed` and `broken` are tests, each with its first words."""

    seconds: float
    passed: int
    failed: dict[str, str]
    broken: dict[str, str]
    note: str = ""

    @property
    def is_green(self) -> bool:
        """Everything ran, and passed."""
        return bool(self.passed) and not (self.failed or self.broken or self.note)


class Laboratory:
    """The servers and the healthy copy. Everything goes when `close` is called."""

    def __init__(self) -> None:
        self.root = make_throwaway("mutants")
        services.start()
        self.address = os.environ["DATABASE_URL"]
        self.name = psycopg.conninfo.conninfo_to_dict(self.address)["dbname"]
        self.healthy = self.root / "healthy"
        copy_tree(PROJECT, self.healthy)
        self._migrate(self.healthy, CLEAN)

    def close(self) -> None:
        """Removes the copies; the servers end with this process."""
        shutil.rmtree(self.root, ignore_errors=True)

    def try_healthy(self, tests: Sequence[str], jobs: int) -> Run:
        """The tests on the unchanged copy: what fails here says nothing about a mutant."""
        for worker in range(jobs):
            self._clone(f"test_{self.name}_gw{worker}")
        options = ["-n", str(jobs), "--dist", "worksteal"]
        return self._run(self.healthy, [*tests, *options], limit=HEALTHY_SECONDS)

    def try_mutant(self, mutant: Mutant, times: int = 1) -> Run:
        """The mutant's tests on a copy that has its mistake, once up to the first that sees it, or
        each so many times. Raises DoesNotApply.
        """
        how = ["-x"] if times == 1 else ["-p", "tests.mutants.repeat"]
        tree = self.root / mutant.name
        # With the compiled files of the healthy copy: only what the patch touches is newer.
        shutil.copytree(self.healthy, tree, symlinks=True)
        try:
            mutant.apply(tree)
            self._clone(f"test_{self.name}", self._template_of(mutant, tree))
            os.environ[repeat.TIMES] = str(times)
            tests = [*mutant.caught_by, "-p", "no:xdist", *how]
            return self._run(tree, tests, limit=RUN_SECONDS * times)
        finally:
            shutil.rmtree(tree)

    def _run(self, tree: Path, arguments: list[str], limit: int = RUN_SECONDS) -> Run:
        # Fresh for each run: a report that another run left must not speak for this one.
        scratch = self.root / "run"
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        report = scratch / "report.xml"
        options = ["-q", "-p", "no:cacheprovider", "--reuse-db", f"--junit-xml={report}"]
        command = [sys.executable, "-W", "ignore", "-m", "pytest", *options, *arguments]
        redis.Redis.from_url(os.environ["REDIS_URL"]).flushall()
        started = time.monotonic()
        output, note = _finish(command, tree, scratch, limit)
        seconds = time.monotonic() - started
        if not report.exists():
            last = output.strip().splitlines()[-12:]
            return Run(seconds, 0, {}, {}, note or "no report:\n" + "\n".join(last))
        return _result(report, seconds, note)

    def _template_of(self, mutant: Mutant, tree: Path) -> str:
        """Most mutants leave the tables alone; the others get tables of their own."""
        if not any("/migrations/" in hunk.path for hunk in mutant.hunks):
            return CLEAN
        self._migrate(tree, "changed")
        return "changed"

    def _migrate(self, tree: Path, database: str) -> None:
        self._clone(database, "template1")
        given = {**os.environ, "DATABASE_URL": self._address_of(database)}
        command = [sys.executable, "-W", "ignore", "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(command, cwd=tree, env=given, check=True)

    def _clone(self, database: str, template: str = CLEAN) -> None:
        name, like = sql.Identifier(database), sql.Identifier(template)
        with self._server() as server:
            server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))
            server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(name, like))

    def _server(self) -> psycopg.Connection:
        return psycopg.connect(self._address_of("postgres"), autocommit=True)

    def _address_of(self, database: str) -> str:
        return self.address.replace(f"/{self.name}?", f"/{database}?")


def copy_tree(source: Path, target: Path) -> None:
    """The files that git knows or would add, as they are on disk: changes not committed, too."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=source, check=True, capture_output=True).stdout
    for name in sorted(set(names.decode().split("\0")) - {""}):
        if (source / name).is_file():  # one that was deleted is still in the index
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / name, target / name)


def _finish(command: list[str], tree: Path, scratch: Path, limit: int) -> tuple[str, str]:
    """Output and, if it had to be killed, a note."""
    given = {**os.environ, services.GIVEN: "1", "SIMULATOR_STATE": str(scratch / "rails.sqlite3")}
    process = subprocess.Popen(
        command,
        cwd=tree,
        env=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        return process.communicate(timeout=limit)[0], ""
    except subprocess.TimeoutExpired:
        return "", f"did not end within {limit} s"
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _result(report: Path, seconds: float, note: str) -> Run:
    passed, failed, broken = 0, {}, {}
    for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314  we wrote it
        name = f"{case.get('classname', '').rpartition('.')[2]}::{case.get('name')}"
        failure, error = case.find("failure"), case.find("error")
        words = failure if failure is not None else error
        if words is None:
            passed += case.find("skipped") is None
            continue
        message = words.get("message", "")
        saw = failure is not None and message.startswith(SAW)
        (failed if saw else broken)[name] = message[:300]
    return Run(seconds, passed, failed, broken, note)
