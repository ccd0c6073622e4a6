"""What every product leaves behind: transitions of states, audit rows, heartbeats, proofs."""

from datetime import datetime

import pgtrigger
from django.db import models

from payments.core.fields import IdField


def append_only() -> list[pgtrigger.Trigger]:
    """Triggers that refuse UPDATE, DELETE and TRUNCATE, whoever asks (docs: append-only books)."""
    return [
        pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        no_truncate(),
    ]


def no_truncate() -> pgtrigger.Trigger:
    """Refuses TRUNCATE, which row triggers do not see (and pgtrigger.Protect cannot)."""
    return pgtrigger.Trigger(
        name="no_truncate",
        level=pgtrigger.Statement,
        when=pgtrigger.Before,
        operation=pgtrigger.Truncate,
        func="RAISE EXCEPTION 'pgtrigger: Cannot truncate % table', TG_TABLE_NAME;",
    )


class Transition(models.Model):
    """One move of one record's state: who, when, why. Written by `states.move`, never changed."""

    id = models.BigAutoField(primary_key=True)
    subject_type = models.CharField(max_length=40)
    subject_id = IdField()
    from_state = models.CharField(max_length=20)
    to_state = models.CharField(max_length=20)
    actor = models.CharField(max_length=150)
    reason = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["subject_id", "id"], name="transition_subject")]
        triggers = append_only()

    def __str__(self) -> str:
        return f"{self.subject_id}: {self.from_state} -> {self.to_state}"


class AuditEntry(models.Model):
    """One act of a person or command: who, what, on which record, and why."""

    id = models.BigAutoField(primary_key=True)
    actor = models.CharField(max_length=150)
    action = models.CharField(max_length=60)
    subject_type = models.CharField(max_length=40)
    subject_id = models.CharField(max_length=64)
    reason = models.CharField(max_length=500, blank=True)
    details = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "audit entries"
        indexes = [models.Index(fields=["subject_id", "id"], name="audit_subject")]
        triggers = append_only()

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.actor} {self.action} {self.subject_id}"


class Heartbeat(models.Model):
    """When a worker was last heard; /readyz looks here. FLUSHALL loses nothing."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.at:%H:%M:%S}"


class Proof(models.Model):
    """When a check of the books was last made, and when it last passed. Alerts look here."""

    name = models.CharField(max_length=40, primary_key=True)
    checked_at = models.DateTimeField()
    passed_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name} {self.passed_at:%Y-%m-%d %H:%M}" if self.passed_at else self.name


def note_proof(name: str, *, passed: bool, now: datetime) -> None:
    """Remembers the outcome of one check; a failed one leaves the last that passed."""
    facts = {"checked_at": now} | ({"passed_at": now} if passed else {})
    Proof.objects.update_or_create(name=name, defaults=facts)
