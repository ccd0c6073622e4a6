from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('collect', '0021_payment_links'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='order',
            index=models.Index(condition=models.Q(('link_id', ''), _negated=True), fields=['link_id', '-created_at', '-id'], name='order_of_link'),
        ),
    ]
