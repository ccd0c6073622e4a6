"""Versions of the catalogues, which processes keep until a version changes."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0011_audit_months'),
    ]

    operations = [
        migrations.CreateModel(
            name='CatalogueVersion',
            fields=[
                ('name', models.CharField(max_length=63, primary_key=True, serialize=False)),
                ('version', models.UUIDField()),
            ],
        ),
        # Without any row nothing is kept.
        migrations.RunSQL(
            "INSERT INTO core_catalogueversion (name, version) VALUES ('', gen_random_uuid())",
            migrations.RunSQL.noop,
        ),
    ]
