"""A mail of the tests, and workers that send to a server of the tests."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from payments.mail import outbox
from payments.mail.models import Mail
from tests.support.smtp_server import SmtpServer

Request = Callable[..., Mail]


@pytest.fixture
def request_mail(settings: Any) -> Request:
    """Requests the mail `hello`, whose template the tests bring."""
    folder = Path(__file__).parent / "templates"
    settings.TEMPLATES = [
        {**engine, "DIRS": [folder, *engine["DIRS"]]} for engine in settings.TEMPLATES
    ]

    def requested(key: str = "hello:1", **changes: Any) -> Mail:
        given = {"to": "lucia@example.com", "template": "hello", "context": {"shop": "Café Ñ"}}
        return outbox.send(**{**given, "language": "es", "key": key, **changes})

    return requested


@pytest.fixture
def send_to(settings: Any) -> Callable[[SmtpServer | int], None]:
    """From here on mails are sent to this server."""

    def use(server: SmtpServer | int) -> None:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST = "127.0.0.1"
        settings.EMAIL_PORT = server if isinstance(server, int) else server.port

    return use
