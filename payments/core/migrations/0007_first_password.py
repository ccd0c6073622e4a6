"""Passwords that somebody else gave; and who was shut out without the box *staff* stays out.

Access follows from roles now. An operator who had a role and was not of the staff could not log in:
such an account becomes inactive, which says the same where people see it, and can be mended there.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

OF_MERCHANTS = ("Merchant staff", "Merchant administrator")


def deactivate(apps, schema_editor):
    users = apps.get_model("auth", "User").objects
    holds = Q(is_superuser=True) | Q(groups__isnull=False) | Q(user_permissions__isnull=False)
    shut_out = users.filter(holds, is_staff=False, is_active=True)
    shut_out = shut_out.exclude(groups__name__in=OF_MERCHANTS)
    users.filter(pk__in=list(shut_out.values_list("pk", flat=True))).update(is_active=False)


class Migration(migrations.Migration):

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("core", "0006_words"),
    ]

    operations = [
        migrations.CreateModel(
            name="FirstPassword",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("given_by", models.CharField(max_length=150)),
                ("given_from", models.CharField(blank=True, max_length=45)),
                ("given_at", models.DateTimeField()),
            ],
            options={"default_permissions": ()},
        ),
        migrations.RunPython(deactivate, migrations.RunPython.noop, elidable=True),
    ]
