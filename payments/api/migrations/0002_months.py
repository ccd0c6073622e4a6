from django.db import migrations

from payments.core.history.migration import partition_if_empty


class Migration(migrations.Migration):

    dependencies = [
        ('api', '0001_initial'),
    ]

    operations = [
        migrations.RunPython(partition_if_empty('api_apicall'), migrations.RunPython.noop),
    ]
