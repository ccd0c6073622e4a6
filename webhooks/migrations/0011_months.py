from django.db import migrations

from payments.core.history.migration import partition_if_empty


class Migration(migrations.Migration):

    dependencies = [
        ('webhooks', '0010_history'),
    ]

    operations = [
        migrations.RunPython(
            partition_if_empty('webhooks_attempt', 'webhooks_event'), migrations.RunPython.noop
        ),
    ]
