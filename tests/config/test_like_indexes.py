"""No table keeps a second index for LIKE where its first one serves it."""

from importlib import import_module

import pytest
from django.db import connection

from payments.ledger.models import Entry
from payments.payout.models import Payout

pytestmark = pytest.mark.django_db(transaction=True)
migration = import_module("payments.core.migrations.0013_like_indexes")


def found(sql: str) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return {row[0] for row in cursor.fetchall()}


def named(name: str) -> set[str]:
    return found(f"SELECT indexname FROM pg_indexes WHERE indexname LIKE '{name}'")


def test_new_tables_have_no_repeated_index() -> None:
    assert found(migration.FIND) == set()
    assert named("auth%user%username%like") != set(), "Django's own columns keep theirs"


@pytest.mark.parametrize(
    "column", ["ledger_entry (id", "ledger_posting (entry_id", "payout_payout (bank_id"]
)
def test_repeated_index_of_an_earlier_release_is_dropped(column: str) -> None:
    kept = named("%")
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE INDEX tried_like ON {column} varchar_pattern_ops)")
    try:
        with connection.schema_editor(atomic=False) as editor:
            migration.drop_repeated(None, editor)
        assert named("%") == kept
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP INDEX IF EXISTS tried_like")


@pytest.mark.parametrize("model", [Entry, Payout])
def test_prefix_of_an_id_is_found_by_an_ordinary_index(model: type[Entry | Payout]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off")
    try:
        plan = model.objects.filter(pk__startswith="po_01m8").values("pk").explain()
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET enable_seqscan")
    assert "Index Cond: ((id >= 'po_01m8'" in plan
