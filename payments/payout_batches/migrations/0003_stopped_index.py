from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("payout_batches", "0002_operator_approved")]

    operations = [
        AddIndexConcurrently(
            model_name="payoutbatch",
            index=models.Index(
                condition=models.Q(("cause", "UNEXPECTED_ERROR"), ("status", "PAUSED")),
                fields=["created_at"],
                name="payout_batch_stopped",
            ),
        ),
    ]
