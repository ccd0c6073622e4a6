from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("console", "0001_tables_of_the_kernel")]

    operations = [
        migrations.AddField(
            model_name="export",
            name="language",
            field=models.CharField(blank=True, db_default="", default="", max_length=2),
        ),
    ]
