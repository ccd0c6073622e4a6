from django.db import migrations, models


class Migration(migrations.Migration):
    """Defaults in the database: processes of the release before insert without the columns."""

    dependencies = [
        ("collect", "0013_start_calls"),
    ]

    operations = [
        migrations.AddField(
            model_name="charge",
            name="accepted_terms",
            field=models.JSONField(blank=True, db_default={}, default=dict),
        ),
        migrations.AddField(
            model_name="charge",
            name="client",
            field=models.JSONField(blank=True, db_default={}, default=dict),
        ),
    ]
