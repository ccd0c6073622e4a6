"""Files that wait for their import, because it takes longer than a request may."""

from functools import partial

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from payments.core.fields import IdField
from payments.core.ids import new_id
from payments.reconciliation.models.statements import BankAccount, StatementFile


class StatementUpload(models.Model):
    """A file that a person uploaded. Its content is deleted after the import.

    Due when `due_at` has passed. A worker that takes it moves `due_at` to the end of its lease, so
    that another one takes it when the first one dies.
    """

    class Status(models.TextChoices):
        WAITING = "WAITING", _("Waiting")
        RUNNING = "RUNNING", _("Being imported")
        DONE = "DONE", _("Imported")
        REFUSED = "REFUSED", _("Refused")

    OPEN = (Status.WAITING, Status.RUNNING)

    id = IdField(primary_key=True, default=partial(new_id, "stu"), editable=False)
    name = models.CharField(_("file"), max_length=200)
    sha256 = models.CharField(_("SHA-256"), max_length=64)
    size = models.PositiveBigIntegerField(_("bytes"))
    # Null: the file says it.
    account = models.ForeignKey(
        BankAccount, models.PROTECT, null=True, related_name="+", verbose_name=_("bank account")
    )
    # Why a gap before the statement is accepted. Empty: it is not.
    accepted_gap = models.CharField(_("reason for the gap"), max_length=500, blank=True)
    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.WAITING
    )
    # Of a refused file. A gap before it may be accepted.
    is_gap = models.BooleanField(default=False)
    reason = models.CharField(_("reason"), max_length=1000, blank=True)
    line = models.PositiveIntegerField(_("line in the file"), null=True)
    file = models.ForeignKey(
        StatementFile, models.PROTECT, null=True, related_name="+", verbose_name=_("statement")
    )
    due_at = models.DateTimeField(null=True)
    # How often a worker began.
    attempts = models.PositiveSmallIntegerField(default=0)
    uploaded_by = models.CharField(_("uploaded by"), max_length=150)
    uploaded_at = models.DateTimeField(_("uploaded at"))
    finished_at = models.DateTimeField(_("finished at"), null=True)

    class Meta:
        verbose_name = _("uploaded statement")
        verbose_name_plural = _("uploaded statements")
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=("WAITING", "RUNNING"), due_at__isnull=False)
                | ~Q(status__in=("WAITING", "RUNNING")) & Q(due_at=None),
                name="statement_upload_open_is_due",
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=Q(due_at__isnull=False),
                name="statement_upload_due",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class UploadPart(models.Model):
    """A part of an uploaded file, compressed."""

    id = models.BigAutoField(primary_key=True)
    upload = models.ForeignKey(
        StatementUpload, models.CASCADE, related_name="parts", db_index=False
    )
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["upload", "number"], name="upload_part_once"),
        ]

    def __str__(self) -> str:
        return f"{self.upload_id} {self.number}"


class WatchedFile(models.Model):
    """A file in the watched directory, as it was seen last.

    It is taken when it has not changed between two looks, because it may still be written.
    """

    # Below the directory.
    path = models.CharField(max_length=500, primary_key=True)
    size = models.PositiveBigIntegerField()
    modified_ns = models.BigIntegerField()
    # Since when size and time of the file have been the same.
    unchanged_since = models.DateTimeField()
    # A worker imports it until then.
    taken_until = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.path
