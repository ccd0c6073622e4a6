from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("payout_batches", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="payoutbatch",
            name="operator_approved",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
