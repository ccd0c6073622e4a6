"""Where a worker's database comes from, and how a transactional test leaves it: empty, although our
books cannot be emptied.

Append-only tables refuse DELETE and TRUNCATE by triggers, so Django's flush would fail on them.
A replica does not run triggers, and only a superuser (the one of the throw-away cluster) may act
as one: the way is shut for the application.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest
from django.db import connection, connections, transaction
from django.db.backends.utils import CursorWrapper
from django.test import TransactionTestCase

from tests.support import template_database

# Written by migrations and needed by every later test: content types, permissions, roles.
KEPT = {"django_migrations", "django_content_type", "auth_permission"}
KEPT |= {"auth_group", "auth_group_permissions"}


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Of pytest-django, before it creates the database: a copy where there is one to copy."""
    if template_database.is_ready():
        connections["default"].settings_dict["TEST"]["TEMPLATE"] = template_database.NAME


@pytest.fixture(scope="session", autouse=True)
def _emptying_append_only_tables() -> object:
    """In place of flush, for every test with `transaction=True`; also several times faster."""
    patch = pytest.MonkeyPatch()
    patch.setattr(TransactionTestCase, "_fixture_teardown", empty_database)
    yield
    patch.undo()


def empty_database(case: TransactionTestCase) -> None:
    """Deletes every row in one statement. Small tables: quicker than TRUNCATE with its files."""
    for alias in case._databases_names(include_mirrors=False):
        with transaction.atomic(using=alias), connections[alias].cursor() as cursor:
            cursor.execute(_deletes(alias))


@cache
def _deletes(alias: str) -> str:
    connection = connections[alias]
    tables = set(connection.introspection.django_table_names(only_existing=True)) - KEPT
    deletes = "; ".join(f"DELETE FROM {connection.ops.quote_name(one)}" for one in sorted(tables))
    return f"DO $$ BEGIN SET LOCAL session_replication_role = replica; {deletes}; END $$"


@contextmanager
def triggers_asleep() -> Iterator[CursorWrapper]:
    """For what no trigger shall refuse: as a superuser, who can switch them off."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        yield cursor
        cursor.execute("SET LOCAL session_replication_role = origin")


def sessions(condition: str) -> int:
    """How many other sessions of clients meet a condition on the columns of pg_stat_activity."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            f" AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND {condition}"
        )
        return int(cursor.fetchone()[0])
