from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """Indexes of the console, made beside the traffic."""

    atomic = False

    dependencies = [
        ("topup", "0001_initial"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="topup",
            index=models.Index(condition=models.Q(("provider_id", ""), _negated=True), fields=["provider_id"], name="topup_provider_id"),
        ),
    ]
