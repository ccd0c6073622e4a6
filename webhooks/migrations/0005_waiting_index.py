from django.contrib.postgres.operations import AddIndexConcurrently, ValidateConstraint
from django.db import migrations, models


class Migration(migrations.Migration):
    """Reads the whole table, and nobody who publishes an event waits for it."""

    atomic = False

    dependencies = [
        ('webhooks', '0004_waiting_for_a_url'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='delivery',
            index=models.Index(condition=models.Q(('status', 'WAITING')), fields=['merchant', 'id'], name='delivery_waiting'),
        ),
        ValidateConstraint(
            model_name='delivery',
            name='delivery_status_known',
        ),
    ]
