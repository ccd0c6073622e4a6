"""Where a stack of a test keeps its data."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.devstack.postgres import Postgres
from config.devstack.throwaway import make_throwaway
from tests.support import template_database


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """Not `tmp_path`: as root, PostgreSQL's user could not enter it."""
    root = make_throwaway("started")
    yield root
    shutil.rmtree(root)


@pytest.fixture
def migrated_dir(data_dir: Path) -> Path:
    """A database that has the tables of the test run's template, if there is one: a first start
    migrates for half its time. Tests of the first start itself begin without.
    """
    postgres = Postgres(data_dir, log=data_dir / "before.log")
    postgres.start()
    try:
        template_database.pour(postgres)
    finally:
        postgres.stop(grace_seconds=20)
    return data_dir
