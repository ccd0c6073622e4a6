from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """Lines whose cells are still to be forgotten: the hourly task read the lines of every file."""

    atomic = False

    dependencies = [
        ("payout_batches", "0004_line_metadata"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="batchline",
            index=models.Index(fields=["batch"], condition=models.Q(("cells__isnull", False)), name="payout_batch_line_cells"),
        ),
    ]
