from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """Failed deliveries of one merchant, for its page."""

    atomic = False

    dependencies = [
        ("webhooks", "0005_waiting_index"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="delivery",
            index=models.Index(condition=models.Q(("status", "FAILED")), fields=["merchant", "-created_at", "-id"], name="delivery_failed_of_merchant"),
        ),
    ]
