"""How long a person stays logged in to the console, and how all of their sessions end at once."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.sessions.models import Session
from django.http import HttpRequest

from payments.core import clock

_BEGAN, _SEEN = "console_began", "console_seen"
# The last click is stored at most so often: each time is an UPDATE.
_SEEN_EVERY = timedelta(minutes=1)


def begin(request: HttpRequest) -> None:
    now = clock.now().isoformat()
    request.session[_BEGAN] = request.session[_SEEN] = now


def has_ended(request: HttpRequest) -> bool:
    """The session is too old or idle for too long. Otherwise the click is stored."""
    now = clock.now()
    began, seen = (_timestamp(request, name) for name in (_BEGAN, _SEEN))
    if began is None or seen is None:
        return True
    if now - began >= timedelta(seconds=settings.CONSOLE_SESSION_SECONDS):
        return True
    if now - seen >= timedelta(seconds=settings.CONSOLE_IDLE_SECONDS):
        return True
    if now - seen >= min(_SEEN_EVERY, timedelta(seconds=settings.CONSOLE_IDLE_SECONDS / 4)):
        request.session[_SEEN] = now.isoformat()
    return False


def end_all(user: AbstractBaseUser, *, but: str | None = None) -> int:
    """Except the one with the key `but`. Few users have sessions, so few rows are read."""
    alive = Session.objects.filter(expire_date__gt=clock.now()).exclude(session_key=but)
    keys = [
        row.pk for row in alive.iterator() if row.get_decoded().get(SESSION_KEY) == str(user.pk)
    ]
    Session.objects.filter(pk__in=keys).delete()
    return len(keys)


def delete_old() -> int:
    count, _by_model = Session.objects.filter(expire_date__lt=clock.now()).delete()
    return count


def _timestamp(request: HttpRequest, name: str) -> datetime | None:
    text: Any = request.session.get(name)
    try:
        return datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return None
