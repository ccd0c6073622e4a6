from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """Made beside the traffic."""

    atomic = False

    dependencies = [
        ('payout', '0007_made_by_hand'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='payout',
            index=models.Index(condition=models.Q(('needs_team_approval', True)), fields=['merchant', 'created_at'], name='payout_waits_for_team'),
        ),
    ]
