"""The words that people read for the states of a batch. Changes no table."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("payout_batches", "0005_cells_index")]

    operations = [
        migrations.AlterField(
            model_name="payoutbatch",
            name="status",
            field=models.CharField(
                choices=[
                    ("CHECKING", "Being checked"),
                    ("REFUSED", "File refused"),
                    ("CHECKED", "Checked"),
                    ("WAITING_APPROVAL", "To approve"),
                    ("RUNNING", "On the way"),
                    ("PAUSED", "Paused"),
                    ("DONE", "Payouts created"),
                    ("CANCELLED", "Cancelled"),
                    ("REJECTED", "Rejected"),
                    ("DISCARDED", "Discarded"),
                ],
                default="CHECKING",
                max_length=20,
                verbose_name="status",
            ),
        ),
    ]
