"""Logging in to the console, and the codes that an app shows."""

import hmac
from typing import Any

from django.test import Client

from payments.core import clock
from payments.core.models import AuditEntry
from tests.admin.conftest import url

PASSWORD = "Volcán-Galeras-4276"


def log_in(browser: Client, name: str = "ana", password: str = PASSWORD, **more: Any) -> Any:
    return browser.post(url("login"), {"username": name, "password": password}, **more)


def code(key: bytes, steps: int = 0) -> str:
    """What an app shows now, or some half minutes later (RFC 6238)."""
    counter = int(clock.now().timestamp()) // 30 + steps
    digest = hmac.digest(key, counter.to_bytes(8, "big"), "sha1")
    start = digest[19] & 15
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFFFFFF
    return f"{number % 1_000_000:06d}"


def wrong_code(key: bytes) -> str:
    """None of those that a device would take now."""
    good = {code(key, steps) for steps in range(-3, 4)}
    return next(guess for guess in ("000000", "111111", "222222", "333333") if guess not in good)


def acted(action: str) -> AuditEntry:
    return AuditEntry.objects.get(action=action)
