"""Locks people out after wrong passwords. A colleague can unlock them.

django-axes counts the attempts by name and address together, in the database, because Redis may be
unavailable.
"""

import structlog
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Sum
from django.http import HttpRequest

from payments.console import second_factor
from payments.core import audit, clock

log = structlog.get_logger(__name__)


def is_locked_out(request: HttpRequest) -> bool:
    return bool(getattr(request, "axes_locked_out", False))


def record(
    sender: object, *, request: HttpRequest, username: str, ip_address: object, **_: object
) -> None:
    """Writes one audit row for each lock, but none for unknown names."""
    if getattr(request, "axes_failures_since_start", None) is None:
        return
    log.warning("console.locked_out", address=ip_address)
    if (person := User.objects.filter(username=username).first()) is not None:
        audit.record(
            actor="console",
            action="operator.locked_out",
            subject=person,
            address=str(ip_address),
            seconds=int(settings.AXES_COOLOFF_TIME.total_seconds()),
        )


def drop_form_data(sender: object, *, instance: AccessAttempt, **_: object) -> None:
    """Removes the form data that django-axes would store, because it may contain passwords."""
    instance.get_data = instance.post_data = ""


def locked_addresses(user: User) -> list[str]:
    since = clock.now() - settings.AXES_COOLOFF_TIME
    counted = (
        AccessAttempt.objects.filter(username=user.get_username(), attempt_time__gte=since)
        .values("ip_address")
        .annotate(failures=Sum("failures_since_start"))
        .order_by("ip_address")
    )
    limit = settings.AXES_FAILURE_LIMIT
    return [str(row["ip_address"] or "-") for row in counted if row["failures"] >= limit]


@transaction.atomic
def unlock(*, user: User, actor: str, reason: str) -> None:
    """Forgets the wrong passwords and codes of a person, from every address."""
    AccessAttempt.objects.filter(username=user.get_username()).delete()
    second_factor.end_waits(user)
    audit.record(actor=actor, action="operator.unlocked", subject=user, reason=reason)


def delete_old() -> int:
    since = clock.now() - settings.AXES_COOLOFF_TIME
    return int(AccessAttempt.objects.filter(attempt_time__lt=since).delete()[0])
