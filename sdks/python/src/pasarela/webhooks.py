"""Whether a webhook is genuine.

Two signatures are on every message. That of Standard Webhooks (`webhook-signature`) is looked at
first, because it signs the event's id, too.
"""

import base64
import hashlib
import hmac
import re
import time
from collections.abc import Iterable, Mapping
from typing import cast

from . import _json
from .errors import WebhookNotGenuine
from .models import Event

TOLERANCE = 300  # seconds
SECRET = re.compile("whsec_[A-Za-z0-9+/]{16,}={0,2}")
PREFIX = "X-Service-"


def verify(
    body: bytes,
    headers: Mapping[str, str],
    secrets: str | Iterable[str],
    *,
    tolerance: float = TOLERANCE,
    prefix: str = PREFIX,
) -> Event:
    """The event with its `id`, if one of the secrets signed it; else WebhookNotGenuine.

    `body` is the raw body. During a rotation give both secrets, the old and the new. `prefix` is
    that of your installation's own headers.
    """
    names = {name.lower(): value for name, value in headers.items()}
    known = [secrets] if isinstance(secrets, str) else list(secrets)
    # With an empty key anybody could sign.
    if not known or not all(SECRET.fullmatch(each) for each in known):
        raise ValueError("A webhook secret is missing, or is not whsec_ and base64.")
    if "webhook-signature" in names:
        _check_standard(body, names, known, tolerance)
        event_id = names.get("webhook-id", "")
    else:
        _check_own(body, names, known, tolerance, prefix.lower())
        event_id = names.get(f"{prefix.lower()}event-id", "")
    try:
        return cast(Event, {"id": event_id, **_json.loads(body)})
    except (ValueError, TypeError):
        raise WebhookNotGenuine("The body is not a JSON object.") from None


def sign(
    body: bytes, *, event_id: str, secret: str, at: float | None = None, prefix: str = PREFIX
) -> dict[str, str]:
    """The headers of a message as the service sends them: for tests of your receiver."""
    moment = time.time() if at is None else at
    milliseconds, seconds = str(int(moment * 1000)), str(int(moment))
    result = {
        "Content-Type": "application/json",
        f"{prefix}Timestamp": milliseconds,
        f"{prefix}Signature": _own(secret, milliseconds, body),
        f"{prefix}Event-Id": event_id,
        f"{prefix}Attempt": "1",
    }
    if signature := _standard(secret, event_id, seconds, body):
        result["webhook-id"] = event_id
        result["webhook-timestamp"] = seconds
        result["webhook-signature"] = signature
    return result


def _check_standard(
    body: bytes, headers: Mapping[str, str], secrets: list[str], tolerance: float
) -> None:
    at = headers.get("webhook-timestamp", "")
    _check_age(at, 1, tolerance)
    given = headers["webhook-signature"].split(" ")
    expected = [_standard(each, headers.get("webhook-id", ""), at, body) for each in secrets]
    _check_any(given, [each for each in expected if each])


def _check_own(
    body: bytes, headers: Mapping[str, str], secrets: list[str], tolerance: float, prefix: str
) -> None:
    at = headers.get(f"{prefix}timestamp", "")
    _check_age(at, 1000, tolerance)
    _check_any([headers.get(f"{prefix}signature", "")], [_own(each, at, body) for each in secrets])


def _check_age(timestamp: str, units: int, tolerance: float) -> None:
    if not (timestamp.isascii() and timestamp.isdigit()):
        raise WebhookNotGenuine("There is no timestamp.")
    if abs(time.time() - int(timestamp) / units) > tolerance:
        raise WebhookNotGenuine("The timestamp is too far from the present: check the clock.")


def _check_any(given: list[str], expected: list[str]) -> None:
    """Compares every pair, so that the time says nothing."""
    equal = [hmac.compare_digest(a.encode(), b.encode()) for a in given for b in expected]
    if not any(equal):
        raise WebhookNotGenuine("The signature is not of this secret and body.")


def _own(secret: str, timestamp: str, body: bytes) -> str:
    """The key is the whole secret, with its `whsec_`."""
    signed = timestamp.encode() + b"." + body
    return "sha256=" + hmac.digest(secret.encode(), signed, hashlib.sha256).hex()


def _standard(secret: str, message_id: str, timestamp: str, body: bytes) -> str | None:
    """The key is the bytes that the base64 after `whsec_` encodes."""
    if not secret.startswith("whsec_"):
        return None
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        return None
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
