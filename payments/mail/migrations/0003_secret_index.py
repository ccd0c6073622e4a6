from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """Finds the mails whose links have ended."""

    atomic = False

    dependencies = [
        ("mail", "0002_secret_until"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="mail",
            index=models.Index(condition=models.Q(("secret_until__isnull", False)), fields=["secret_until"], name="mail_secret"),
        ),
    ]
