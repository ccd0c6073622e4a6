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
# The last click is written down at most so often: each time is an UPDATE.
_SEEN_EVERY = timedelta(minutes=1)


def begin(request: HttpRequest) -> None:
    """The clocks of a new session start."""
    moment = clock.now().isoformat()
    request.session[_BEGAN] = request.session[_SEEN] = moment


def has_ended(request: HttpRequest) -> bool:
    """Whether the session is too old, or nobody clicked for too long; else notes the click."""
    now = clock.now()
    began, seen = (_moment(request, name) for name in (_BEGAN, _SEEN))
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
    """Ends every session of a person, except the one with the key `but`; how many there were.

    Only people of the console have sessions, so there are few rows to read.
    """
    alive = Session.objects.filter(expire_date__gt=clock.now()).exclude(session_key=but)
    keys = [
        row.pk for row in alive.iterator() if row.get_decoded().get(SESSION_KEY) == str(user.pk)
    ]
    Session.objects.filter(pk__in=keys).delete()
    return len(keys)


def delete_old() -> int:
    """Rows of sessions that ended by themselves; how many there were."""
    count, _by_model = Session.objects.filter(expire_date__lt=clock.now()).delete()
    return count


def _moment(request: HttpRequest, name: str) -> datetime | None:
    text: Any = request.session.get(name)
    try:
        return datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return None
