"""The catalogues of a test: made by the loaders once in a process, then copied.

Two of three tests begin with what `load_catalogues` brings, and the loaders take 30 ms of Python.
The copy is one statement in the test's own transaction: a test without it sees empty tables.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection, models, transaction

from payments.bills.services import catalogue as bills
from payments.core import clock
from payments.core.models import AuditEntry, CatalogueVersion
from payments.payout.services import catalogue as payouts
from payments.rates import services as rates
from payments.topup.services import catalogue as topups


def load(now: datetime) -> None:
    """What the command `load_catalogues` does."""
    rates.load_default_rates(now=now)
    payouts.load_catalogue(now=now)
    topups.load_catalogue(now=now)
    bills.load_catalogue(now=now)


@dataclass(frozen=True, slots=True)
class Catalogues:
    """What the loaders wrote into an empty database, and under which settings."""

    decided: tuple[Any, ...]
    rows: str = field(repr=False)
    # Whether anything was loaded before; then the loaders themselves must see what is missing.
    look: str
    write: str = field(repr=False)

    def bring(self, now: datetime) -> None:
        """As if the loaders had run now."""
        with connection.cursor() as cursor:
            if self.decided == _deciding():
                cursor.execute(self.look)
                if cursor.fetchone() == (False,):
                    cursor.execute(self.write, [self.rows, now])
                    return
        load(now)


def made_once() -> Catalogues:
    """To be called while the database is as the migrations left it. Only the index differs then."""
    with transaction.atomic(), connection.cursor() as cursor:
        # Its 1,400 trigrams of the 42 agreements took three quarters of the time of a copy. With a
        # list of pending entries, they are sorted in when a megabyte of them has come together.
        cursor.execute(
            "ALTER INDEX agreement_search SET (fastupdate = on, gin_pending_list_limit = 1024)"
        )
    with transaction.atomic(), connection.cursor() as cursor:
        # Triggers write the versions, also for the copies.
        found = [
            model
            for model in apps.get_models()
            if not model._meta.proxy and model is not CatalogueVersion
        ]
        before = {model: model._base_manager.count() for model in found}
        load(clock.now())
        written = [model for model in found if model._base_manager.count() != before[model]]
        assert not any(before[model] for model in written), "copies would come twice"
        tables = [model._meta.db_table for model in written]
        one_object = ", ".join(
            f"'{table}', (SELECT jsonb_agg(row) FROM {table} AS row)" for table in tables
        )
        cursor.execute(f"SELECT jsonb_build_object({one_object})::text")
        (rows,) = cursor.fetchone()
        transaction.set_rollback(True)
    catalogues = [model._meta.db_table for model in written if model is not AuditEntry]
    return Catalogues(
        decided=_deciding(),
        rows=rows,
        look=f"SELECT {' OR '.join(f'EXISTS (SELECT FROM {table})' for table in catalogues)}",
        write="WITH given AS (SELECT %s::jsonb AS rows, %s::timestamptz AS moment)"
        + "".join(f", {model._meta.db_table}_ AS ({_insert(model)})" for model in written)
        + " SELECT 1",
    )


def _deciding() -> tuple[Any, ...]:
    names = ("SANDBOX", "PAYIN_PROVIDER", "TOPUP_PROVIDER", "BILLS_PROVIDER")
    return tuple(getattr(settings, name) for name in names)


def _insert(model: type[models.Model]) -> str:
    """Every moment becomes the one of the copy: a price must not come from a test's future."""
    table = model._meta.db_table
    moments = {
        field.column
        for field in model._meta.concrete_fields
        if isinstance(field, models.DateTimeField)
    }
    columns = [field.column for field in model._meta.concrete_fields]
    values = ", ".join("moment" if name in moments else f"row.{name}" for name in columns)
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} "
        f"FROM given, jsonb_populate_recordset(NULL::{table}, given.rows -> '{table}') AS row"
    )
