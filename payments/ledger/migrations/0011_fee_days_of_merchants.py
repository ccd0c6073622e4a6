from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """Fees of one merchant, for its page."""

    atomic = False

    dependencies = [
        ("ledger", "0010_fee_days"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="feeday",
            index=models.Index(fields=["merchant", "day"], name="fee_day_of_merchant"),
        ),
    ]
