"""Tables of the console: exports, saved filters, first passwords.

Their names begin with `core_`, because they belonged to the kernel before.
"""

from functools import partial

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from payments.core.fields import IdField
from payments.core.ids import new_id


class Export(models.Model):
    """One list as a file, only for the user who requested it.

    Due when WAITING or RUNNING and `due_at` has passed. Its worker holds a lease and has moved
    `due_at` to the lease's end. So the row becomes due again if the worker dies.
    """

    class Status(models.TextChoices):
        """FORGOTTEN: the file was deleted, the row stays."""

        WAITING = "WAITING", _("Waiting")
        RUNNING = "RUNNING", _("Being made")
        READY = "READY", _("Ready")
        FAILED = "FAILED", _("Failed")
        CANCELLED = "CANCELLED", _("Cancelled")
        FORGOTTEN = "FORGOTTEN", _("Deleted")

    class Format(models.TextChoices):
        CSV = "CSV", "CSV"
        XLSX = "XLSX", "Excel"

    class Failure(models.TextChoices):
        TOO_LARGE = (
            "TOO_LARGE",
            _("The list is too large for one file. Narrow it and export again."),
        )
        NOT_ALLOWED = "NOT_ALLOWED", _("Your rights have changed since you asked. Export again.")
        TOO_SLOW = "TOO_SLOW", _("The database took too long. Narrow the list and export again.")
        LOST = "LOST", _("It was begun several times and never ended. Tell an administrator.")
        BROKEN = "BROKEN", _("Something went wrong on our side. Tell an administrator.")

    OPEN = (Status.WAITING, Status.RUNNING)

    id = IdField(primary_key=True, default=partial(new_id, "exp"), editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="+",
        db_index=False,
        verbose_name=_("who"),
    )
    # app.model, and the filters as in the list's URL.
    model = models.CharField(_("list"), max_length=100)
    query = models.TextField(blank=True)
    # The merchants whose rows the person could see at the time of the request. Null: all merchants.
    scope = models.JSONField(null=True)
    format = models.CharField(_("format"), max_length=4, choices=Format.choices)
    # In which an Excel file has its words.
    language = models.CharField(max_length=2, blank=True, default="", db_default="")
    is_revealed = models.BooleanField(_("with whole personal data"), default=False)
    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.WAITING
    )
    failure = models.CharField(_("reason"), max_length=12, choices=Failure.choices, blank=True)
    rows_total = models.PositiveIntegerField(_("rows"), null=True)
    rows_done = models.PositiveIntegerField(_("rows written"), default=0)
    # The key of the last written row. The next query begins below it.
    last_key = models.CharField(max_length=64, blank=True)
    stored_bytes = models.PositiveBigIntegerField(default=0)
    due_at = models.DateTimeField(null=True)
    lease_token = models.UUIDField(null=True)
    # How often its worker died.
    lost = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(_("asked at"))
    finished_at = models.DateTimeField(_("finished at"), null=True)

    class Meta:
        db_table = "core_export"
        verbose_name = _("export")
        verbose_name_plural = _("exports")
        default_permissions = ()  # users see only their own rows
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=("WAITING", "RUNNING"), due_at__isnull=False)
                | ~Q(status__in=("WAITING", "RUNNING")) & Q(due_at=None, lease_token=None),
                name="export_open_is_due",
            ),
            models.CheckConstraint(
                condition=Q(status="FAILED") & ~Q(failure="") | ~Q(status="FAILED") & Q(failure=""),
                name="export_failed_says_why",
            ),
        ]
        indexes = [
            models.Index(fields=["user", "-id"], name="export_of_user"),
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="export_due"),
            models.Index(
                fields=["finished_at"], condition=Q(status="READY"), name="export_to_forget"
            ),
        ]

    def __str__(self) -> str:
        return self.pk


class ExportPart(models.Model):
    """A part of an export: some rows, compressed. Parts are written once, in order."""

    id = models.BigAutoField(primary_key=True)
    export = models.ForeignKey(Export, models.CASCADE, related_name="parts", db_index=False)
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        db_table = "core_exportpart"
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["export", "number"], name="export_part_once"),
        ]

    def __str__(self) -> str:
        return f"{self.export_id} {self.number}"


class SavedFilter(models.Model):
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    # Of the list, as app.model in lower case.
    page = models.CharField(max_length=100)
    name = models.CharField(_("name"), max_length=60)
    query = models.CharField(max_length=1000, blank=True)
    is_shared = models.BooleanField(_("shared with all operators"), default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "core_savedfilter"
        verbose_name = _("saved filter")
        verbose_name_plural = _("saved filters")
        default_permissions = ()  # users see only their own rows
        constraints = [
            models.UniqueConstraint(fields=["user", "page", "name"], name="saved_filter_named_once")
        ]

    def __str__(self) -> str:
        return self.name


class FirstPassword(models.Model):
    """A password that an operator gave, so that two people know it.

    It opens only the page that replaces it, until it expires.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+"
    )
    given_by = models.CharField(max_length=150)
    # The address of the person who gave it. Empty for a command.
    given_from = models.CharField(max_length=45, blank=True)
    given_at = models.DateTimeField()

    class Meta:
        db_table = "core_firstpassword"
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.given_by} {self.given_at:%Y-%m-%d %H:%M}"
