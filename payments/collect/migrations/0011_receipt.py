import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """The table keeps its name, so that nothing is done to it: processes of the release before
    go on. Django renames the content type with the model.
    """

    dependencies = [
        ("collect", "0010_coins_seen_in_time"),
    ]

    operations = [
        migrations.AlterModelTable("proof", "collect_proof"),
        migrations.RenameModel("Proof", "Receipt"),
        migrations.AlterField(
            model_name="receipt",
            name="order",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="receipt",
                to="collect.order",
            ),
        ),
    ]
