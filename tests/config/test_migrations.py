"""No migration stops the release that is still running (docs/recipes/migration.md).

The SQL of each is made as `migrate` would run it, and is judged by django-migration-linter.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState
from django_migration_linter.sql_analyser.analyser import analyse_sql_statements
from django_migration_linter.sql_analyser.postgresql import PostgresqlAnalyser

pytestmark = pytest.mark.slow

# Written before the first release, when no other release ran beside them and the tables they
# lock were empty. None may be added: write the change in steps instead.
BEFORE_THE_FIRST_RELEASE = {
    "merchants.0002_merchant_payout_approval_above_and_more",
    "merchants.0003_brand",
    "ledger.0003_movements",
    "webhooks.0002_event_numbers",
    "collect.0002_direct_methods",
    "collect.0003_refunds_disputes",
    "collect.0004_dispute_operator",
    "collect.0005_unmatched_decided",
    "collect.0008_payments_in_parts",
    # The name of who asked became longer; for PostgreSQL that changes no row.
    "collect.0009_requested_by",
    "payout.0004_requested_by",
    "topup.0003_requested_by",
    "bills.0003_requested_by",
}
# Of a column that the release before does not write: no row of its can be refused.
UNIQUE_IN_NEW_COLUMNS = {"collect.0020_one_live_sibling"}


@pytest.fixture(scope="module", autouse=True)
def _connected(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Outside a transaction, where indexes are made CONCURRENTLY; nothing is written."""
    with django_db_blocker.unblock():
        yield


def is_ours(path: Path) -> bool:
    """Not a package's: those are read before they are updated."""
    inside = path.relative_to(settings.BASE_DIR) if path.is_relative_to(settings.BASE_DIR) else None
    return inside is not None and inside.parts[0] != ".venv"


def refusals(migration: migrations.Migration, state: ProjectState) -> list[str]:
    """What the linter says against a migration that comes after `state`, which it moves on."""
    with connection.schema_editor(collect_sql=True, atomic=migration.atomic) as editor:
        migration.apply(state, editor, collect_sql=True)
    statements = [line for line in editor.collected_sql if not line.startswith("--")]
    statements = list(_without_indexes_of_new_tables(statements))
    if migration.atomic:
        statements = ["BEGIN;", *statements, "COMMIT;"]
    errors, _, warnings = analyse_sql_statements(PostgresqlAnalyser, statements, ())
    return sorted({issue.code for issue in (*errors, *warnings)})


def _without_indexes_of_new_tables(statements: list[str]) -> Iterator[str]:
    """They lock nothing. The linter knows it, but misreads the table of an index that has
    expressions or INCLUDE.
    """
    new = set(re.findall(r'^CREATE TABLE ("\w+")', "\n".join(statements), re.M))
    for statement in statements:
        index = re.match(r'CREATE (?:UNIQUE )?INDEX "\w+" ON ("\w+")', statement)
        if index is None or index.group(1) not in new:
            yield statement


def test_every_migration_lets_the_release_before_it_run() -> None:
    loader = MigrationLoader(connection)
    ours = {app.label for app in apps.get_app_configs() if is_ours(Path(app.path))}
    state, refused, seen = ProjectState(), {}, 0
    for app, name in loader.graph._generate_plan(loader.graph.leaf_nodes(), at_end=True):
        migration = loader.graph.nodes[app, name]
        if app not in ours or f"{app}.{name}" in BEFORE_THE_FIRST_RELEASE:
            state = migration.mutate_state(state, preserve=False)
            continue
        seen += 1
        allowed = {"ADD_UNIQUE"} if f"{app}.{name}" in UNIQUE_IN_NEW_COLUMNS else set()
        if found := set(refusals(migration, state)) - allowed:
            refused[f"{app}.{name}"] = found
    assert seen > 20
    assert refused == {}


class Tried(migrations.Migration):
    """A migration that a developer might write tomorrow; it is in no folder."""

    def __init__(self, *operations: Any, atomic: bool = True) -> None:
        super().__init__("9999_tried", "collect")
        self.operations = list(operations)
        self.atomic = atomic


INDEX = models.Index(fields=["customer_email"], name="tried")
STOPPING = {
    "a column is dropped": (migrations.RemoveField("order", "description"), "DROP_COLUMN"),
    "a column is renamed": (
        migrations.RenameField("order", "description", "concept"),
        "RENAME_COLUMN",
    ),
    "a table is renamed": (migrations.AlterModelTable("order", "orders"), "RENAME_TABLE"),
    "a table is dropped": (migrations.DeleteModel("refund"), "DROP_TABLE"),
    # Django fills the rows and drops the default: the running release inserts without the column.
    "a new column may not be null": (
        migrations.AddField("order", "channel", models.TextField(default="")),
        "NOT_NULL",
    ),
    "a type changes": (
        migrations.AlterField("order", "reference", models.IntegerField()),
        "ALTER_COLUMN",
    ),
    "an index locks out writers": (migrations.AddIndex("order", INDEX), "CREATE_INDEX"),
    "a column becomes unique": (
        migrations.AddConstraint(
            "order", models.UniqueConstraint(fields=["customer_email"], name="tried")
        ),
        "ADD_UNIQUE",
    ),
}
HARMLESS = {
    "a column that may be null": Tried(
        migrations.AddField("order", "channel", models.TextField(null=True))
    ),
    "a default that stays in the table": Tried(
        migrations.AddField("order", "channel", models.TextField(default="", db_default=""))
    ),
    "an index beside writers": Tried(AddIndexConcurrently("order", INDEX), atomic=False),
}


@pytest.mark.parametrize(("operation", "code"), STOPPING.values(), ids=STOPPING)
def test_operation_that_breaks_the_earlier_release_is_refused(operation: Any, code: str) -> None:
    state = MigrationLoader(connection).project_state()
    assert code in refusals(Tried(operation), state)


@pytest.mark.parametrize("migration", HARMLESS.values(), ids=HARMLESS)
def test_operation_that_the_earlier_release_bears_is_allowed(migration: Tried) -> None:
    state = MigrationLoader(connection).project_state()
    assert refusals(migration, state) == []
