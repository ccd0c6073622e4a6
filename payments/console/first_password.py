"""A password that an operator gave. It is valid for one login, and the user must replace it.

Until then the account can do nothing else (payments.console.site.login_views). The audit log
records who gave the password, and when and from where the user replaced it.
payments.console.four_eyes reads both.
"""

import secrets
from datetime import datetime, timedelta
from typing import Any

from axes.helpers import get_client_ip_address
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from payments.console import sessions
from payments.console.formatting import when
from payments.console.models import FirstPassword
from payments.console.registry import Text
from payments.core import audit, clock
from payments.core.errors import ServiceError

GIVEN, CHOSEN = "operator.first_password_given", "operator.password_chosen"
# Without characters that look alike, because the password is read aloud or typed from paper. 79
# bits.
_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
_PENDING = "_console_first_password"


class NotPending(ServiceError):
    """The password was already replaced, or given again."""

    code = "FIRST_PASSWORD_USED"
    message = gettext_noop("This password was changed already. Log in with the new one.")


class Expired(ServiceError):
    """The password was not used in time."""

    code = "FIRST_PASSWORD_EXPIRED"
    message = gettext_noop("This single-use password has expired. Ask for another one.")


def pending(user: User | AnonymousUser) -> FirstPassword | None:
    return FirstPassword.objects.filter(user=user.pk).first()


def is_pending(request: HttpRequest) -> bool:
    """Whether the user must replace the password. One query for each request."""
    found: bool | None = getattr(request, _PENDING, None)
    if found is None:
        found = pending(request.user) is not None
        setattr(request, _PENDING, found)
    return found


def expires_at(first: FirstPassword) -> datetime:
    """After this time the password is not accepted."""
    return first.given_at + timedelta(days=settings.CONSOLE_FIRST_PASSWORD_DAYS)


def has_expired(first: FirstPassword) -> bool:
    return clock.now() >= expires_at(first)


def to_hand_over(request: HttpRequest, user: User, password: str) -> dict[Text, str]:
    """What the person needs, one by one and as one message."""
    first = pending(user)
    until = when(expires_at(first)) if first is not None else "-"
    message = gettext(
        "Log in at %(address)s as %(name)s with the single-use password %(password)s until "
        "%(until)s. You choose your own password at once."
    ) % {
        "address": request.build_absolute_uri(reverse("admin:login")),
        "name": user.username,
        "password": password,
        "until": until,
    }
    return {
        _("User name"): user.username,
        _("Single-use password"): password,
        _("The password works until"): until,
        _("Message to send"): message,
    }


def address_of(request: HttpRequest) -> str:
    """The address as the lock-out counts it. Empty if unknown."""
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
    """Sets the password that only its owner knows, once.

    `user` is as the session knows it: if two sessions send their forms together, only one
    succeeds. Raises NotPending, Expired, and ValidationError for a weak password.
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
    """Marks for the rest of this request that the user has chosen a password."""
    setattr(request, _PENDING, False)
