"""Exports, saved filters and first passwords belong to payments.console; no table changes."""

from django.db import migrations


def rename_content_type(apps, schema_editor):
    types = apps.get_model("contenttypes", "ContentType").objects
    types.filter(app_label="core", model="proof").update(model="integritycheck")


def rename_content_type_back(apps, schema_editor):
    types = apps.get_model("contenttypes", "ContentType").objects
    types.filter(app_label="core", model="integritycheck").update(model="proof")


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0008_wrongclock"),
        ("console", "0001_tables_of_the_kernel"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel("ExportPart"),
                migrations.DeleteModel("Export"),
                migrations.DeleteModel("FirstPassword"),
                migrations.DeleteModel("SavedFilter"),
                migrations.RenameModel("Proof", "IntegrityCheck"),
                migrations.AlterModelTable("integritycheck", "core_proof"),
            ]
        ),
        migrations.RunPython(rename_content_type, rename_content_type_back),
    ]
