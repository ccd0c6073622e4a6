from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models.functions import Coalesce


class Migration(migrations.Migration):
    """Deliveries by destination: the endpoint, or the merchant for the URL of the account."""

    atomic = False

    dependencies = [
        ("webhooks", "0007_endpoints"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='delivery',
            index=models.Index(Coalesce('endpoint', 'merchant'), models.F('next_attempt_at'), models.F('id'), condition=models.Q(('status', 'PENDING')), name='delivery_due_at_destination'),
        ),
        AddIndexConcurrently(
            model_name='delivery',
            index=models.Index(Coalesce('endpoint', 'merchant'), models.F('id'), condition=models.Q(('status', 'WAITING')), name='delivery_waiting_destination'),
        ),
        AddIndexConcurrently(
            model_name='delivery',
            index=models.Index(condition=models.Q(('endpoint__isnull', False)), fields=['endpoint', '-created_at', '-id'], name='delivery_of_endpoint'),
        ),
    ]
