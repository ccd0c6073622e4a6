import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("core", "0003_roles"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="SavedFilter",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("page", models.CharField(max_length=100)),
                ("name", models.CharField(max_length=60, verbose_name="name")),
                ("query", models.CharField(blank=True, max_length=1000)),
                ("is_shared", models.BooleanField(default=False, verbose_name="shared with all operators")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("user", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL)),
            ],
            options={
                "verbose_name": "saved filter",
                "verbose_name_plural": "saved filters",
                "default_permissions": (),
                "constraints": [models.UniqueConstraint(fields=("user", "page", "name"), name="saved_filter_named_once")],
            },
        ),
    ]
