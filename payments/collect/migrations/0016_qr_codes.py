from django.db import migrations, models


class Migration(migrations.Migration):
    """Defaults in the database: processes of the release before insert without the columns."""

    dependencies = [
        ("collect", "0015_at_rail"),
    ]

    operations = [
        migrations.AlterField(
            model_name="charge",
            name="flow",
            field=models.CharField(
                blank=True,
                choices=[
                    ("REDIRECT", "Goes to the provider's page"),
                    ("PUSH", "Approves in an app"),
                    ("KEY", "Pays to an instant key"),
                    ("INSTRUCTIONS", "Sends to an account or address"),
                    ("QR", "Scans a code"),
                ],
                max_length=20,
                verbose_name="flow",
            ),
        ),
        migrations.AddField(
            model_name="charge",
            name="qr_text",
            field=models.CharField(blank=True, db_default="", default="", max_length=1000),
        ),
        migrations.AddField(
            model_name="charge",
            name="qr_image",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
    ]
