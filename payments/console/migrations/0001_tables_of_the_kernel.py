"""The tables of the console were the kernel's: names and rows stay, only Django's state moves."""

import django.db.models.deletion
import functools
import payments.core.fields
import payments.core.ids
from django.conf import settings
from django.db import migrations, models


MOVED = ("export", "exportpart", "savedfilter", "firstpassword")


def move_content_types(apps, schema_editor):
    types = apps.get_model("contenttypes", "ContentType").objects
    types.filter(app_label="core", model__in=MOVED).update(app_label="console")


def move_content_types_back(apps, schema_editor):
    types = apps.get_model("contenttypes", "ContentType").objects
    types.filter(app_label="console", model__in=MOVED).update(app_label="core")


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("contenttypes", "0002_remove_content_type_name"),
        ("core", "0008_wrongclock"),
        ("auth", "0012_alter_user_first_name_max_length"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
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
                    options={
                        "db_table": "core_firstpassword",
                        "default_permissions": (),
                    },
                ),
                migrations.CreateModel(
                    name="Export",
                    fields=[
                        (
                            "id",
                            payments.core.fields.IdField(
                                db_collation="C",
                                default=functools.partial(
                                    payments.core.ids.new_id, *("exp",), **{}
                                ),
                                editable=False,
                                max_length=32,
                                primary_key=True,
                                serialize=False,
                            ),
                        ),
                        ("model", models.CharField(max_length=100, verbose_name="list")),
                        ("query", models.TextField(blank=True)),
                        ("scope", models.JSONField(null=True)),
                        (
                            "format",
                            models.CharField(
                                choices=[("CSV", "CSV"), ("XLSX", "Excel")],
                                max_length=4,
                                verbose_name="format",
                            ),
                        ),
                        (
                            "is_revealed",
                            models.BooleanField(
                                default=False, verbose_name="with whole personal data"
                            ),
                        ),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("WAITING", "Waiting"),
                                    ("RUNNING", "Being made"),
                                    ("READY", "Ready"),
                                    ("FAILED", "Failed"),
                                    ("CANCELLED", "Cancelled"),
                                    ("FORGOTTEN", "Deleted"),
                                ],
                                default="WAITING",
                                max_length=10,
                                verbose_name="status",
                            ),
                        ),
                        (
                            "failure",
                            models.CharField(
                                blank=True,
                                choices=[
                                    (
                                        "TOO_LARGE",
                                        "The list is too large for one file. Narrow it and export again.",
                                    ),
                                    (
                                        "NOT_ALLOWED",
                                        "Your rights have changed since you asked. Export again.",
                                    ),
                                    (
                                        "TOO_SLOW",
                                        "The database took too long. Narrow the list and export again.",
                                    ),
                                    (
                                        "LOST",
                                        "It was begun several times and never ended. Tell an administrator.",
                                    ),
                                    (
                                        "BROKEN",
                                        "Something went wrong on our side. Tell an administrator.",
                                    ),
                                ],
                                max_length=12,
                                verbose_name="reason",
                            ),
                        ),
                        ("rows_total", models.PositiveIntegerField(null=True, verbose_name="rows")),
                        (
                            "rows_done",
                            models.PositiveIntegerField(default=0, verbose_name="rows written"),
                        ),
                        ("last_key", models.CharField(blank=True, max_length=64)),
                        ("stored_bytes", models.PositiveBigIntegerField(default=0)),
                        ("due_at", models.DateTimeField(null=True)),
                        ("lease_token", models.UUIDField(null=True)),
                        ("lost", models.PositiveSmallIntegerField(default=0)),
                        ("created_at", models.DateTimeField(verbose_name="asked at")),
                        (
                            "finished_at",
                            models.DateTimeField(null=True, verbose_name="finished at"),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                                verbose_name="who",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "export",
                        "verbose_name_plural": "exports",
                        "db_table": "core_export",
                        "default_permissions": (),
                    },
                ),
                migrations.CreateModel(
                    name="ExportPart",
                    fields=[
                        ("id", models.BigAutoField(primary_key=True, serialize=False)),
                        ("number", models.PositiveIntegerField()),
                        ("content", models.BinaryField()),
                        (
                            "export",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="parts",
                                to="console.export",
                            ),
                        ),
                    ],
                    options={
                        "db_table": "core_exportpart",
                        "default_permissions": (),
                    },
                ),
                migrations.CreateModel(
                    name="SavedFilter",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("page", models.CharField(max_length=100)),
                        ("name", models.CharField(max_length=60, verbose_name="name")),
                        ("query", models.CharField(blank=True, max_length=1000)),
                        (
                            "is_shared",
                            models.BooleanField(
                                default=False, verbose_name="shared with all operators"
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "saved filter",
                        "verbose_name_plural": "saved filters",
                        "db_table": "core_savedfilter",
                        "default_permissions": (),
                    },
                ),
                migrations.AddIndex(
                    model_name="export",
                    index=models.Index(fields=["user", "-id"], name="export_of_user"),
                ),
                migrations.AddIndex(
                    model_name="export",
                    index=models.Index(
                        condition=models.Q(("due_at__isnull", False)),
                        fields=["due_at"],
                        name="export_due",
                    ),
                ),
                migrations.AddIndex(
                    model_name="export",
                    index=models.Index(
                        condition=models.Q(("status", "READY")),
                        fields=["finished_at"],
                        name="export_to_forget",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="export",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("due_at__isnull", False), ("status__in", ("WAITING", "RUNNING"))
                            ),
                            models.Q(
                                models.Q(("status__in", ("WAITING", "RUNNING")), _negated=True),
                                ("due_at", None),
                                ("lease_token", None),
                            ),
                            _connector="OR",
                        ),
                        name="export_open_is_due",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="export",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("status", "FAILED"), models.Q(("failure", ""), _negated=True)
                            ),
                            models.Q(
                                models.Q(("status", "FAILED"), _negated=True), ("failure", "")
                            ),
                            _connector="OR",
                        ),
                        name="export_failed_says_why",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="exportpart",
                    constraint=models.UniqueConstraint(
                        fields=("export", "number"), name="export_part_once"
                    ),
                ),
                migrations.AddConstraint(
                    model_name="savedfilter",
                    constraint=models.UniqueConstraint(
                        fields=("user", "page", "name"), name="saved_filter_named_once"
                    ),
                ),
            ]
        ),
        migrations.RunPython(move_content_types, move_content_types_back),
    ]
