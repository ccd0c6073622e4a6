"""Who did what, to which record, and why. Every action of a person or command passes here."""

from typing import Any

from django.db import models

from payments.core.models import AuditEntry


def record(
    *, actor: str, action: str, subject: models.Model, reason: str = "", **details: Any
) -> None:
    """Writes one audit row in the caller's transaction. Never put a secret into `details`."""
    AuditEntry.objects.create(
        actor=actor,
        action=action,
        subject_type=subject._meta.model_name or "",
        subject_id=str(subject.pk),
        reason=reason[:500],
        details=details,
    )
