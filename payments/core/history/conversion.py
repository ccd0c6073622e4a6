"""Makes a table partitioned while the service runs. Its rows are not copied.

The table becomes the first partition. Reading all rows happens in VALIDATE, which lets others read
and write; the locks that exclude them last for milliseconds.
"""

import re
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper

from payments.core.errors import ServiceError
from payments.core.history import layout
from payments.core.history.months import make_months
from payments.core.history.tables import (
    MARGIN,
    SEQUENCE_BITS,
    HistoryTable,
    month_of,
    months_later,
)

_BOUNDED = "pasarela_first_partition"
_COPIED = "INCLUDING ALL EXCLUDING IDENTITY EXCLUDING STATISTICS"
_BELOW = re.compile(r"< '?(\w+)")


class NotConvertible(ServiceError):
    code = "NOT_ALLOWED"
    message = "%(table)s is used by %(others)s, which would see its first partition only."


def partition(table: HistoryTable, *, now: datetime) -> bool:
    """Returns False if the table is partitioned already, or never is. Raises NotConvertible.

    May be repeated after an interruption.
    """
    if table.in_batches or layout.is_partitioned(table.table):
        return False
    _refuse_users(table)
    if table.prepare is not None:
        table.prepare()
    until = months_later(month_of(now + MARGIN), 1)
    bounded = f"CHECK (id < {table.literal(until)})"
    with layout.alteration() as cursor:
        _drop_check(cursor, table)
        cursor.execute(f"ALTER TABLE {table.table} ADD CONSTRAINT {_BOUNDED} {bounded} NOT VALID")
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table.table} VALIDATE CONSTRAINT {_BOUNDED}")
    with layout.alteration() as cursor:
        _replace(cursor, table, until)
    make_months(table, now=now)
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {table.table}")
    return True


def drop_leftover(table: HistoryTable) -> None:
    """The constraint of an interrupted conversion would refuse the rows of later months."""
    with layout.alteration() as cursor:
        _drop_check(cursor, table)


def has_leftover(table: HistoryTable, *, now: datetime) -> bool:
    """Whether it has such a constraint, of a conversion that cannot be running any more."""
    found = layout.rows(
        "SELECT pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE conrelid = to_regclass(%s) AND conname = %s",
        [table.table, _BOUNDED],
    )
    match = _BELOW.search(found[0][0]) if found else None
    return match is not None and not table.is_within(now + MARGIN / 2, match.group(1))


def _drop_check(cursor: CursorWrapper, table: HistoryTable) -> None:
    cursor.execute(f"ALTER TABLE {table.table} DROP CONSTRAINT IF EXISTS {_BOUNDED}")


def _refuse_users(table: HistoryTable) -> None:
    """Views and foreign keys follow the renamed table, not its name."""
    found = layout.rows(
        "SELECT DISTINCT r.ev_class::regclass::text FROM pg_depend d JOIN pg_rewrite r"
        " ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid"
        " WHERE d.refobjid = %(table)s::regclass"
        " UNION SELECT conrelid::regclass::text FROM pg_constraint"
        " WHERE confrelid = %(table)s::regclass AND contype = 'f'",
        {"table": table.table},
    )
    if found:
        others = ", ".join(sorted(name for (name,) in found))
        raise NotConvertible(values={"table": table.table, "others": others})


def _replace(cursor: CursorWrapper, table: HistoryTable, until: datetime) -> None:
    """The table is renamed, an empty partitioned one takes its name, and the old is attached."""
    name, old = table.table, table.first_partition(until)
    cursor.execute(f"LOCK TABLE {name} IN ACCESS EXCLUSIVE MODE")
    for column in table.not_unique:
        _drop_keys(cursor, name, column)
    foreign_keys = _foreign_keys(cursor, name)
    indexes = _indexes(cursor, name)
    triggers = _triggers(cursor, name)
    for index, _definition in indexes:
        cursor.execute(f'ALTER INDEX "{index}" RENAME TO "{_first_name(index)}"')
    for trigger, *_rest, is_of_rows in triggers:
        if is_of_rows:
            cursor.execute(f'DROP TRIGGER "{trigger}" ON {name}')
    if not table.prefix:
        cursor.execute(f"ALTER TABLE {name} ALTER COLUMN id DROP IDENTITY IF EXISTS")
    cursor.execute(f"ALTER TABLE {name} RENAME TO {old}")
    # LIKE copies expressions as they are. Read from text they may differ, and PostgreSQL would
    # refuse a constraint and build an index again.
    cursor.execute(f"CREATE TABLE {name} (LIKE {old} {_COPIED}) PARTITION BY RANGE (id)")
    _drop_check(cursor, table)
    _name_indexes(cursor, name, indexes)
    if not table.prefix:
        _number_by_time(cursor, name)
    for constraint, definition in foreign_keys:
        cursor.execute(f'ALTER TABLE {name} ADD CONSTRAINT "{constraint}" {definition}')
    for trigger, definition, comment, _is_of_rows in triggers:
        cursor.execute(definition)
        if comment:
            quoted = comment.replace("'", "''")
            cursor.execute(f"COMMENT ON TRIGGER \"{trigger}\" ON {name} IS '{quoted}'")
    _grant(cursor, name, old)
    layout.attach(cursor, table, old, f"FOR VALUES FROM (MINVALUE) TO ({table.literal(until)})")
    cursor.execute(f"ALTER TABLE {old} DROP CONSTRAINT {_BOUNDED}")
    layout.create_partition(cursor, table, table.default)
    layout.attach(cursor, table, table.default, "DEFAULT")


def _drop_keys(cursor: CursorWrapper, name: str, column: str) -> None:
    """A key without the id cannot be enforced beyond one partition."""
    cursor.execute(
        "SELECT c.relname, k.conname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
        " LEFT JOIN pg_constraint k ON k.conindid = c.oid AND k.contype = 'u'"
        " JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attname = %s"
        " WHERE i.indrelid = %s::regclass AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum",
        [column, name],
    )
    for index, constraint in cursor.fetchall():
        if constraint:
            cursor.execute(f'ALTER TABLE {name} DROP CONSTRAINT "{constraint}"')
        else:
            cursor.execute(f'DROP INDEX "{index}"')


def _first_name(index: str) -> str:
    return f"{index[:57]}_first"


def _number_by_time(cursor: CursorWrapper, name: str) -> None:
    """Ids sort by time, so that a month is a range of them. They are above all earlier ids."""
    sequence, mask = f"{name}_id_seq", (1 << SEQUENCE_BITS) - 1
    cursor.execute(f"CREATE SEQUENCE {sequence} OWNED BY {name}.id")
    milliseconds = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    cursor.execute(
        f"ALTER TABLE {name} ALTER COLUMN id SET DEFAULT"
        f" ({milliseconds} << {SEQUENCE_BITS}) | (nextval('{sequence}') & {mask})"
    )


def _foreign_keys(cursor: CursorWrapper, name: str) -> list[tuple[str, str]]:
    cursor.execute(
        "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE conrelid = %s::regclass AND contype = 'f' ORDER BY conname",
        [name],
    )
    return list(cursor.fetchall())


def _indexes(cursor: CursorWrapper, name: str) -> list[tuple[str, str]]:
    """Names, and what they index."""
    cursor.execute(
        "SELECT c.relname,"
        " i.indisunique || regexp_replace(pg_get_indexdef(c.oid), '^.*? USING ', '')"
        " FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
        " WHERE i.indrelid = %s::regclass ORDER BY c.relname",
        [name],
    )
    return list(cursor.fetchall())


def _name_indexes(cursor: CursorWrapper, name: str, wanted: list[tuple[str, str]]) -> None:
    """Gives the copied indexes, and with them the keys, the names that migrations know."""
    present = _indexes(cursor, name)
    # Two steps, because a copy may have the name that belongs to another.
    copies = [(f"{name}_copy_{number}", what) for number, (_, what) in enumerate(present)]
    for (index, _), (copy, _) in zip(present, copies, strict=True):
        cursor.execute(f'ALTER INDEX "{index}" RENAME TO "{copy}"')
    for index, what in wanted:
        found = next(each for each in copies if each[1] == what)
        copies.remove(found)
        cursor.execute(f'ALTER INDEX "{found[0]}" RENAME TO "{index}"')


def _triggers(cursor: CursorWrapper, name: str) -> list[tuple[str, str, str, bool]]:
    """Name, definition, comment, and whether it is a trigger of rows."""
    cursor.execute(
        "SELECT tgname, pg_get_triggerdef(oid), obj_description(oid, 'pg_trigger'),"
        " tgtype & 1 = 1 FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal"
        " ORDER BY tgname",
        [name],
    )
    return list(cursor.fetchall())


def _grant(cursor: CursorWrapper, name: str, old: str) -> None:
    """Other roles that read the table, such as one for reports, go on reading it."""
    cursor.execute(
        "SELECT privilege_type, CASE grantee WHEN 0 THEN 'PUBLIC'"
        " ELSE quote_ident(pg_get_userbyid(grantee)) END"
        " FROM pg_class c, aclexplode(c.relacl) WHERE c.oid = %s::regclass"
        " AND grantee <> c.relowner",
        [old],
    )
    grants: list[tuple[Any, ...]] = cursor.fetchall()
    for privilege, role in grants:
        cursor.execute(f"GRANT {privilege} ON {name} TO {role}")
