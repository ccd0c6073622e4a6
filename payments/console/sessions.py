"""How long a person stays logged in to the console, and how all of their sessions are ended."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.sessions.models import Session
from django.http import HttpRequest

from payments.core import clock

_BEGAN, _SEEN = "console_began", "console_seen"
# The time of the last request is stored at most this often, because each time costs an UPDATE.
_SEEN_EVERY = timedelta(minutes=1)


def begin(request: HttpRequest) -> None:
    now = clock.now().isoformat()
    request.session[_BEGAN] = request.session[_SEEN] = now


def has_ended(request: HttpRequest) -> bool:
    """Whether the session is too old or was idle for too long.

    If not, the time of the request is stored.
    """
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


class OwnSession(NamedTuple):
    began: datetime | None
    seen: datetime | None
    is_current: bool


def list_of(request: HttpRequest) -> list[OwnSession]:
    """The person's own sessions, the newest first."""
    found = [
        OwnSession(_read(data, _BEGAN), _read(data, _SEEN), key == request.session.session_key)
        for key, data in _alive_of(request.user)
    ]
    return sorted(found, key=lambda one: one.began.timestamp() if one.began else 0, reverse=True)


def _alive_of(user: AbstractBaseUser | AnonymousUser) -> Iterator[tuple[str, dict[str, Any]]]:
    """Key and data of each session. Reads few rows, because few users have sessions."""
    for row in Session.objects.filter(expire_date__gt=clock.now()).iterator():
        data = row.get_decoded()
        if data.get(SESSION_KEY) == str(user.pk):
            yield row.pk, data


def end_all(user: AbstractBaseUser, *, but: str | None = None) -> int:
    """Ends all sessions except the one with the key `but`."""
    keys = [key for key, _data in _alive_of(user) if key != but]
    Session.objects.filter(pk__in=keys).delete()
    return len(keys)


def delete_old() -> int:
    count, _by_model = Session.objects.filter(expire_date__lt=clock.now()).delete()
    return count


def _timestamp(request: HttpRequest, name: str) -> datetime | None:
    return _read(request.session, name)


def _read(data: Any, name: str) -> datetime | None:
    try:
        return datetime.fromisoformat(data[name])
    except (KeyError, TypeError, ValueError):
        return None
