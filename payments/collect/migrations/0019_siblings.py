import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("collect", "0018_account_of_money"),
    ]

    operations = [
        migrations.AddField(
            model_name="order",
            name="retry_of",
            field=models.ForeignKey(blank=True, db_constraint=False, db_index=False, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="siblings", to="collect.order", verbose_name="repeats"),
        ),
    ]
