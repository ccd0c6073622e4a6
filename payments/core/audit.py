from decimal import Decimal

from django.db import models

from payments.core import money
from payments.core.models import AuditEntry


def record(
    *, actor: str, action: str, subject: models.Model, reason: str = "", **details: object
) -> None:
    """Writes a row in the caller's transaction. Never put a secret into `details`."""
    AuditEntry.objects.create(
        actor=actor,
        action=action,
        subject_type=subject._meta.model_name or "",
        subject_id=str(subject.pk),
        reason=reason[:500],
        details=_plain(details),
    )


def _plain(value: object) -> object:
    """Amounts become text, because JSON numbers would lose digits."""
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return money.text(value) if isinstance(value, Decimal) else value
