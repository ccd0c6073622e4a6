from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """Indexes of the console, made beside the traffic."""

    atomic = False

    dependencies = [
        ("payout", "0002_outgoing"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="payout",
            index=models.Index(condition=models.Q(("provider_id", ""), _negated=True), fields=["provider_id"], name="payout_provider_id"),
        ),
        AddIndexConcurrently(
            model_name="payout",
            index=models.Index(condition=models.Q(("key_value", ""), _negated=True), fields=["key_value"], name="payout_key"),
        ),
    ]
