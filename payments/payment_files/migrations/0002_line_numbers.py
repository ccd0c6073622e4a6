"""Numbers of lines: a sequence, because a number never comes back, also after a failure."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("payment_files", "0001_initial")]

    operations = [
        migrations.RunSQL(
            "CREATE SEQUENCE payment_files_line_number MINVALUE 1 MAXVALUE 89999999",
            "DROP SEQUENCE payment_files_line_number",
        )
    ]
