"""Transitions, audit log, heartbeats, integrity checks; the console's exports and saved filters."""

from datetime import datetime
from functools import partial

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.core.fields import IdField
from payments.core.ids import new_id


def append_only() -> list[pgtrigger.Trigger]:
    """Triggers that refuse UPDATE, DELETE and TRUNCATE for every database role."""
    return [
        pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        no_truncate(),
    ]


def no_truncate() -> pgtrigger.Trigger:
    """Row triggers do not see TRUNCATE, and pgtrigger.Protect cannot refuse it."""
    return pgtrigger.Trigger(
        name="no_truncate",
        level=pgtrigger.Statement,
        when=pgtrigger.Before,
        operation=pgtrigger.Truncate,
        func="RAISE EXCEPTION 'pgtrigger: Cannot truncate % table', TG_TABLE_NAME;",
    )


class Transition(models.Model):
    """One change of a record's state. Written by `states.move`, never changed."""

    id = models.BigAutoField(primary_key=True)
    subject_type = models.CharField(_("kind of record"), max_length=40)
    subject_id = IdField(_("record"))
    from_state = models.CharField(_("state before"), max_length=20)
    to_state = models.CharField(_("state after"), max_length=20)
    actor = models.CharField(_("who"), max_length=150)
    # See reasons.py: with a code, `reason` is its parameter. Releases before it leave it empty.
    reason_code = models.CharField(max_length=30, blank=True, default="", db_default="")
    reason = models.CharField(_("why"), max_length=500, blank=True)
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("transition")
        verbose_name_plural = _("transitions")
        indexes = [models.Index(fields=["subject_id", "id"], name="transition_subject")]
        triggers = append_only()

    def __str__(self) -> str:
        return f"{self.subject_id}: {self.from_state} -> {self.to_state}"


class AuditEntry(models.Model):
    """One action of a person or command."""

    id = models.BigAutoField(primary_key=True)
    actor = models.CharField(_("who"), max_length=150)
    action = models.CharField(_("act"), max_length=60)
    subject_type = models.CharField(_("kind of record"), max_length=40)
    subject_id = models.CharField(_("record"), max_length=64)
    reason = models.CharField(_("why"), max_length=500, blank=True)
    details = models.JSONField(_("details"), default=dict, blank=True)
    at = models.DateTimeField(_("when"), auto_now_add=True)

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit entries")
        # Permissions of the whole console; their use is recorded here.
        permissions = [
            ("export_rows", gettext_noop("Can export lists")),
            ("reveal_personal_data", gettext_noop("Can see personal data in full")),
        ]
        indexes = [models.Index(fields=["subject_id", "id"], name="audit_subject")]
        triggers = append_only()

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.actor} {self.action} {self.subject_id}"


class Heartbeat(models.Model):
    """When a worker last reported, for /readyz. In the database, so that FLUSHALL loses nothing."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.at:%H:%M:%S}"


class WrongClock(models.Model):
    """A worker that does no work because its clock differs from the database's."""

    WORKER_LENGTH = 100

    worker = models.CharField(max_length=WORKER_LENGTH, primary_key=True)
    seconds_ahead = models.FloatField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.worker} {self.seconds_ahead:+.1f} s"


class Export(models.Model):
    """One list as a file, which only the person who requested it sees.

    Due when WAITING or RUNNING and `due_at` has passed. A worker takes a lease and moves `due_at`
    to its end, so the row of a worker that died becomes due again.
    """

    class Status(models.TextChoices):
        """FORGOTTEN: the row stays without its file."""

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
        """Why there is no file, as the person reads it."""

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
    # app.model, and the query string of the list.
    model = models.CharField(_("list"), max_length=100)
    query = models.TextField(blank=True)
    # The merchants whose rows the person could see at the request; null: all.
    scope = models.JSONField(null=True)
    format = models.CharField(_("format"), max_length=4, choices=Format.choices)
    is_revealed = models.BooleanField(_("with whole personal data"), default=False)
    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.WAITING
    )
    failure = models.CharField(_("reason"), max_length=12, choices=Failure.choices, blank=True)
    rows_total = models.PositiveIntegerField(_("rows"), null=True)
    rows_done = models.PositiveIntegerField(_("rows written"), default=0)
    # Primary key of the last row written: the next query begins below it.
    last_key = models.CharField(max_length=64, blank=True)
    stored_bytes = models.PositiveBigIntegerField(default=0)
    due_at = models.DateTimeField(null=True)
    lease_token = models.UUIDField(null=True)
    # How many workers took it and died.
    lost = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(_("asked at"))
    finished_at = models.DateTimeField(_("finished at"), null=True)

    class Meta:
        verbose_name = _("export")
        verbose_name_plural = _("exports")
        default_permissions = ()  # one sees one's own
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
    """Some rows of an export, compressed; written once, in order."""

    id = models.BigAutoField(primary_key=True)
    export = models.ForeignKey(Export, models.CASCADE, related_name="parts", db_index=False)
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["export", "number"], name="export_part_once"),
        ]

    def __str__(self) -> str:
        return f"{self.export_id} {self.number}"


class SavedFilter(models.Model):
    """A changelist with query parameters, under a name."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    # app.model of the list, in lower case.
    page = models.CharField(max_length=100)
    name = models.CharField(_("name"), max_length=60)
    query = models.CharField(max_length=1000, blank=True)
    is_shared = models.BooleanField(_("shared with all operators"), default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("saved filter")
        verbose_name_plural = _("saved filters")
        default_permissions = ()  # one sees one's own
        constraints = [
            models.UniqueConstraint(fields=["user", "page", "name"], name="saved_filter_named_once")
        ]

    def __str__(self) -> str:
        return self.name


class FirstPassword(models.Model):
    """A password that another person gave to this one. It opens only the page that changes it."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+"
    )
    given_by = models.CharField(max_length=150)
    # Where they were then; empty for a command.
    given_from = models.CharField(max_length=45, blank=True)
    given_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.given_by} {self.given_at:%Y-%m-%d %H:%M}"


class Proof(models.Model):
    """When a check of the ledger last ran and last passed, for alerts."""

    name = models.CharField(max_length=40, primary_key=True)
    checked_at = models.DateTimeField()
    passed_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name} {self.passed_at:%Y-%m-%d %H:%M}" if self.passed_at else self.name


def record_check(name: str, *, passed: bool, now: datetime) -> None:
    """A failed check keeps the time of the last that passed."""
    columns = {"checked_at": now} | ({"passed_at": now} if passed else {})
    Proof.objects.update_or_create(name=name, defaults=columns)
