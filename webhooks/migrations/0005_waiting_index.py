from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('webhooks', '0004_waiting_for_a_url'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='delivery',
            index=models.Index(condition=models.Q(('status', 'WAITING')), fields=['merchant', 'id'], name='delivery_waiting'),
        ),
    ]
