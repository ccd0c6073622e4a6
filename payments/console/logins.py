"""A login starts the clocks of the session and counts as re-authentication."""

import structlog
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest

from payments.console import reauthentication, second_factor, sessions

log = structlog.get_logger(__name__)


def start_session_clocks(
    sender: object, *, request: HttpRequest, user: AbstractBaseUser, **_: object
) -> None:
    """A handler of Django's signal for logins, also for those of tests.

    With a second factor, the password alone does not count as re-authentication.
    """
    sessions.begin(request)
    second_factor.forget(request)
    reauthentication.forget(request)
    if not second_factor.has_device(user):
        reauthentication.mark(request)
    log.info("console.logged_in", actor=user.get_username())
