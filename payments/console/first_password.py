"""A password that an operator gave: valid for one login, at which the user replaces it.

Until then the account can do nothing else (payments.console.site.login_views). The audit log has
who gave it, and when and from where the user replaced it: payments.outgoing.four_eyes reads both.
"""

import secrets
from datetime import datetime, timedelta
from typing import Any

from axes.helpers import get_client_ip_address
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_noop

from payments.console import sessions
from payments.console.models import FirstPassword
from payments.core import audit, clock
from payments.core.errors import ServiceError

GIVEN, CHOSEN = "operator.first_password_given", "operator.password_chosen"
# Without signs that look like others: it is read out, or typed from paper. 79 bits.
_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
_PENDING = "_console_first_password"


class NotPending(ServiceError):
    """The password was replaced already, or given again."""

    code = "FIRST_PASSWORD_USED"
    message = gettext_noop("This password was changed already. Log in with the new one.")


class Expired(ServiceError):
    """It was not used in time."""

    code = "FIRST_PASSWORD_EXPIRED"
    message = gettext_noop("This single-use password has expired. Ask for another one.")


def pending(user: Any) -> FirstPassword | None:
    """The password that the user has to replace, if any."""
    return FirstPassword.objects.filter(user=user.pk).first()


def is_pending(request: HttpRequest) -> bool:
    """Read once for each request: one query."""
    found: bool | None = getattr(request, _PENDING, None)
    if found is None:
        found = pending(request.user) is not None
        setattr(request, _PENDING, found)
    return found


def expires_at(first: FirstPassword) -> datetime:
    """After that it opens nothing."""
    return first.given_at + timedelta(days=settings.CONSOLE_FIRST_PASSWORD_DAYS)


def has_expired(first: FirstPassword) -> bool:
    return clock.now() >= expires_at(first)


def address_of(request: HttpRequest) -> str:
    """As the lock-out counts it; empty if unknown."""
    return str(get_client_ip_address(request) or "")


@transaction.atomic
def give(*, user: User, actor: str, address: str = "", reason: str = "") -> str:
    """Sets a new random password, ends the user's sessions, and returns it once."""
    person = User.objects.select_for_update().get(pk=user.pk)
    password = "-".join("".join(secrets.choice(_SIGNS) for _ in range(4)) for _ in range(4))
    person.set_password(password)
    person.save(update_fields=["password"])
    user.password = person.password
    given = {"given_by": actor, "given_from": address, "given_at": clock.now()}
    FirstPassword.objects.update_or_create(user=person, defaults=given)
    ended = sessions.end_all(person)
    audit.record(
        actor=actor, action=GIVEN, subject=person, reason=reason, address=address, sessions=ended
    )
    return password


@transaction.atomic
def choose(*, user: Any, password: str, address: str) -> User:
    """Sets the password that only its person knows, once.

    `user` is as the session knows it: of two sessions that send their forms together one wins.
    Raises NotPending, Expired, and ValidationError for a password that is not good enough.
    """
    person = User.objects.select_for_update().get(pk=user.pk)
    first = pending(person)
    if first is None or person.password != user.password:
        raise NotPending
    if has_expired(first):
        raise Expired
    if person.check_password(password):
        raise ValidationError(gettext("Choose another password than the one that you were given."))
    validate_password(password, person)
    person.set_password(password)
    person.save(update_fields=["password"])
    first.delete()
    audit.record(
        actor=person.get_username(),
        action=CHOSEN,
        subject=person,
        address=address,
        given_by=first.given_by,
        given_at=first.given_at.isoformat(),
        given_from=first.given_from,
    )
    return person


def was_replaced(user: Any) -> bool:
    """Whether another session has set a password since this request read its user."""
    return not User.objects.filter(pk=user.pk, password=user.password).exists()


def note_chosen(request: HttpRequest) -> None:
    """For the rest of this request."""
    setattr(request, _PENDING, False)
