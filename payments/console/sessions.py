"""How long a person stays logged in to the console, and how their sessions are ended.

A session keeps the browser and the address of its login, for the page of the person's own sessions
alone. They go with it, half a day later at the latest.
"""

import hashlib
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.sessions.models import Session
from django.http import HttpRequest

from payments.console.browsers import Browser, browser_of
from payments.console.client_ip import client_ip
from payments.core import clock

_BEGAN, _SEEN = "console_began", "console_seen"
_BROWSER, _ADDRESS = "console_browser", "console_address"
# The time of the last request is stored at most this often, because each time costs an UPDATE.
_SEEN_EVERY = timedelta(minutes=1)


def begin(request: HttpRequest) -> None:
    now = clock.now().isoformat()
    request.session[_BEGAN] = request.session[_SEEN] = now
    request.session[_BROWSER] = list(browser_of(request.META.get("HTTP_USER_AGENT", "")))
    request.session[_ADDRESS] = client_ip(request) or ""


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
    """`name` tells it from the others. It is not enough to use the session."""

    name: str
    browser: Browser
    address: str
    began: datetime | None
    seen: datetime | None
    is_current: bool


def list_of(request: HttpRequest) -> list[OwnSession]:
    """The person's own sessions: this one, then the newest first."""
    current = request.session.session_key
    found = [_own(key, data, is_current=key == current) for key, data in _alive_of(request.user)]
    found.sort(key=lambda one: one.began.timestamp() if one.began else 0, reverse=True)
    return sorted(found, key=lambda one: not one.is_current)


def _own(key: str, data: dict[str, Any], *, is_current: bool) -> OwnSession:
    return OwnSession(
        name=_name_of(key),
        browser=Browser(*data.get(_BROWSER, ("", ""))),
        address=data.get(_ADDRESS, ""),
        began=_read(data, _BEGAN),
        seen=_read(data, _SEEN),
        is_current=is_current,
    )


def _name_of(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def _alive_of(user: AbstractBaseUser | AnonymousUser) -> Iterator[tuple[str, dict[str, Any]]]:
    """Key and data of each session. Reads few rows, because few users have sessions."""
    for row in Session.objects.filter(expire_date__gt=clock.now()).iterator():
        data = row.get_decoded()
        if data.get(SESSION_KEY) == str(user.pk):
            yield row.pk, data


def end_all(user: AbstractBaseUser, *, but: str | None = None) -> int:
    """Ends all sessions except the one with the key `but`."""
    return _end(user, lambda key: key != but)


def end_one(user: AbstractBaseUser, name: str) -> int:
    """Ends the session of this name, if the person has it."""
    return _end(user, lambda key: _name_of(key) == name)


def _end(user: AbstractBaseUser, is_meant: Callable[[str], bool]) -> int:
    keys = [key for key, _data in _alive_of(user) if is_meant(key)]
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
