from django.db import migrations

from payments.core.history.migration import partition_if_empty


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0010_reason_codes'),
    ]

    operations = [
        migrations.RunPython(partition_if_empty('core_auditentry'), migrations.RunPython.noop),
    ]
