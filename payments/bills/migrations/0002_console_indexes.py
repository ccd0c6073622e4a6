from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """Indexes of the console, made beside the traffic."""

    atomic = False

    dependencies = [
        ("bills", "0001_initial"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="billpayment",
            index=models.Index(condition=models.Q(("provider_id", ""), _negated=True), fields=["provider_id"], name="billpayment_provider_id"),
        ),
    ]
