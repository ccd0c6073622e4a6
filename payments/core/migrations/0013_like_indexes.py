"""Indexes for LIKE that repeat another index, as config.postgresql.schema leaves them out."""

from django.db import migrations

# A text column in collation C, or a foreign key, that has an ordinary index, too. Those of
# partitions cannot be dropped beside writers.
FIND = """
SELECT quote_ident(namespace.nspname) || '.' || quote_ident(class.relname)
FROM pg_index AS index
    JOIN pg_class AS class ON class.oid = index.indexrelid
    JOIN pg_namespace AS namespace ON namespace.oid = class.relnamespace
    JOIN pg_opclass AS opclass ON opclass.oid = index.indclass[0]
    JOIN pg_attribute AS attribute
        ON attribute.attrelid = index.indrelid AND attribute.attnum = index.indkey[0]
WHERE namespace.nspname = current_schema()
    AND class.relkind = 'i' AND NOT class.relispartition
    AND right(class.relname, 5) = '_like'
    AND index.indnatts = 1 AND NOT index.indisunique AND index.indpred IS NULL
    AND opclass.opcname IN ('varchar_pattern_ops', 'text_pattern_ops')
    AND (
        attribute.attcollation = 'pg_catalog."C"'::regcollation
        OR EXISTS (
            SELECT FROM pg_constraint
            WHERE contype = 'f' AND conrelid = index.indrelid
                AND conkey = ARRAY[attribute.attnum]
        )
    )
    AND EXISTS (
        SELECT FROM pg_index AS other
            JOIN pg_opclass ON pg_opclass.oid = other.indclass[0] AND pg_opclass.opcdefault
        WHERE other.indrelid = index.indrelid AND other.indkey[0] = index.indkey[0]
            AND other.indcollation[0] = attribute.attcollation
            AND other.indpred IS NULL AND other.indisvalid
    )
ORDER BY 1
"""


def drop_repeated(apps, schema_editor):
    """May be interrupted and run again: an index that is half dropped is found, too."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(FIND)
        for (name,) in cursor.fetchall():
            cursor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("core", "0012_catalogue_versions"),
    ]

    operations = [migrations.RunPython(drop_repeated, migrations.RunPython.noop)]
