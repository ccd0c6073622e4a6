from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

CREATE = """
    CREATE UNIQUE INDEX CONCURRENTLY "order_one_live_sibling" ON "collect_order" ("retry_of_id")
    WHERE "status" IN ('PENDING', 'PROCESSING', 'WAITING_TRANSFER', 'COMPLETED')
"""


class Migration(migrations.Migration):
    """Indexes of siblings, made beside the traffic."""

    atomic = False

    dependencies = [
        ("collect", "0019_siblings"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="order",
            index=models.Index(condition=models.Q(("retry_of__isnull", False)), fields=["retry_of"], name="order_siblings"),
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(CREATE, 'DROP INDEX CONCURRENTLY "order_one_live_sibling"'),
            ],
            state_operations=[
                migrations.AddConstraint(
                    model_name="order",
                    constraint=models.UniqueConstraint(condition=models.Q(("status__in", ["PENDING", "PROCESSING", "WAITING_TRANSFER", "COMPLETED"])), fields=("retry_of",), name="order_one_live_sibling"),
                ),
            ],
        ),
    ]
