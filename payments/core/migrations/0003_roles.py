from django.db import migrations

# As payments.console.roles had them when this was written; their rights follow after every migrate.
NAMES = [
    "Viewer",
    "Support",
    "Finance",
    "Approver",
    "Administrator",
    "Merchant staff",
    "Merchant administrator",
]


def make_groups(apps, schema_editor):
    groups = apps.get_model("auth", "Group")
    for name in NAMES:
        groups.objects.get_or_create(name=name)


class Migration(migrations.Migration):
    """The roles of the console, as groups."""

    dependencies = [
        ("core", "0002_exports"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    # Groups may be in use: going back leaves them.
    operations = [migrations.RunPython(make_groups, migrations.RunPython.noop, elidable=False)]
