"""Transitions, audit log, heartbeats, integrity checks; the console's exports and saved filters."""

from datetime import datetime

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.core.fields import IdField


def append_only() -> list[pgtrigger.Trigger]:
    """Triggers that refuse UPDATE, DELETE and TRUNCATE for every database role."""
    return [
        pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        no_truncate(),
    ]


def no_truncate() -> pgtrigger.Trigger:
    """A trigger that refuses TRUNCATE, which pgtrigger.Protect cannot."""
    return pgtrigger.Trigger(
        name="no_truncate",
        level=pgtrigger.Statement,
        when=pgtrigger.Before,
        operation=pgtrigger.Truncate,
        func="RAISE EXCEPTION 'pgtrigger: Cannot truncate % table', TG_TABLE_NAME;",
    )


# A new uuid, not a number: after a rollback a number would come again for other rows.
_RENEW_VERSION = """
INSERT INTO core_catalogueversion (name, version) VALUES (TG_TABLE_NAME, gen_random_uuid())
ON CONFLICT (name) DO UPDATE SET version = EXCLUDED.version;
RETURN NULL;
"""


def renews_catalogue() -> pgtrigger.Trigger:
    """A trigger for a table that processes keep in memory (payments.core.catalogue_versions)."""
    return pgtrigger.Trigger(
        name="renews_catalogue",
        level=pgtrigger.Statement,
        when=pgtrigger.After,
        operation=pgtrigger.Insert | pgtrigger.Update | pgtrigger.Delete | pgtrigger.Truncate,
        func=_RENEW_VERSION,
    )


class CatalogueVersion(models.Model):
    """The version of a table with the trigger `renews_catalogue`, by the table's name.

    Each transaction that changes the table gives it a new version, and others that change the same
    table wait for its end.
    """

    name = models.CharField(max_length=63, primary_key=True)
    version = models.UUIDField()

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


class Transition(models.Model):
    """A change of status, written by `states.move`. Append-only."""

    id = models.BigAutoField(primary_key=True)
    subject_type = models.CharField(_("kind of record"), max_length=40)
    subject_id = IdField(_("record"))
    from_state = models.CharField(_("state before"), max_length=20)
    to_state = models.CharField(_("state after"), max_length=20)
    actor = models.CharField(_("who"), max_length=150)
    # With a code, `reason` is its parameter (reasons.py). Earlier releases wrote no code.
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
    """An action of a person or command, written by `audit.record`. Append-only."""

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
        # Permissions of the whole console. This table records their use.
        permissions = [
            ("export_rows", gettext_noop("Can export lists")),
            ("reveal_personal_data", gettext_noop("Can see personal data in full")),
        ]
        indexes = [models.Index(fields=["subject_id", "id"], name="audit_subject")]
        triggers = append_only()

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.actor} {self.action} {self.subject_id}"


class Heartbeat(models.Model):
    """When a worker was last alive, for /readyz. In PostgreSQL, because Redis may lose it."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.at:%H:%M:%S}"


class WrongClock(models.Model):
    """A worker that runs no tasks because its clock is wrong (clock_skew.py)."""

    WORKER_LENGTH = 100

    worker = models.CharField(max_length=WORKER_LENGTH, primary_key=True)
    seconds_ahead = models.FloatField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.worker} {self.seconds_ahead:+.1f} s"


class IntegrityCheck(models.Model):
    """When a check of the ledger last ran and last passed, for alerts."""

    name = models.CharField(max_length=40, primary_key=True)
    checked_at = models.DateTimeField()
    passed_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "core_proof"

    def __str__(self) -> str:
        return f"{self.name} {self.passed_at:%Y-%m-%d %H:%M}" if self.passed_at else self.name


def record_check(name: str, *, passed: bool, now: datetime) -> None:
    """A failed check keeps the time of the last check that passed."""
    columns = {"checked_at": now} | ({"passed_at": now} if passed else {})
    IntegrityCheck.objects.update_or_create(name=name, defaults=columns)
