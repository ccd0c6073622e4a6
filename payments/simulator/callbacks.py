"""Signed messages from the simulator to our callback URL, and their verification.

A message passes through Django's handlers inside this process, so that the same URL, middleware
and view serve it as serve a real provider.
"""

import contextvars
import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from io import BytesIO
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.core.handlers.base import BaseHandler
from django.core.handlers.wsgi import WSGIRequest

from payments.core import clock
from payments.providers.ports import Callback, InvalidCallback
from payments.simulator.messages import U, Update, body_of, parse

log = structlog.get_logger(__name__)
TIMESTAMP_HEADER = "X-Simulator-Timestamp"
SIGNATURE_HEADER = "X-Simulator-Signature"
TOLERANCE = timedelta(minutes=5)
MAX_BODY_BYTES = 16 * 1024


def signed_headers(body: bytes, now: datetime) -> dict[str, str]:
    timestamp = str(int(now.timestamp() * 1000))
    return {TIMESTAMP_HEADER: timestamp, SIGNATURE_HEADER: _signature(timestamp, body)}


def read(update_type: type[U], callback: Callback, now: datetime, product: str = "") -> U:
    """Raises InvalidCallback. Its text never contains the expected signature."""
    verify(callback.headers, callback.body, now)
    return parse(update_type, callback.body, product)


def verify(headers: Mapping[str, str], body: bytes, now: datetime) -> None:
    """Raises InvalidCallback unless `body` was signed with our secret within TOLERANCE."""
    timestamp, signature = check_headers(headers, now)
    if len(body) > MAX_BODY_BYTES:
        raise InvalidCallback("body too large")
    # As bytes: compare_digest refuses text that is not ASCII, and headers come from anyone.
    expected = _signature(timestamp, body).encode()
    if not hmac.compare_digest(expected, signature.encode("utf-8", "backslashreplace")):
        raise InvalidCallback("signature does not match")


def check_headers(headers: Mapping[str, str], now: datetime) -> tuple[str, str]:
    """Runs the checks that need no body, and returns the timestamp and the signature."""
    lowered = {name.lower(): value for name, value in headers.items()}
    timestamp = lowered.get(TIMESTAMP_HEADER.lower(), "")
    signature = lowered.get(SIGNATURE_HEADER.lower(), "")
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 15):
        raise InvalidCallback("no usable timestamp")
    if abs(int(now.timestamp() * 1000) - int(timestamp)) > TOLERANCE // timedelta(milliseconds=1):
        raise InvalidCallback("timestamp out of tolerance")
    if not signature:
        raise InvalidCallback("no signature")
    return timestamp, signature


def send(update: Update, callback_url: str, product: str = "") -> int:
    return deliver(update.reference, body_of(update, product), callback_url)


def deliver(reference: str, body: bytes, callback_url: str) -> int:
    """Signs and posts `body` once. Returns the HTTP status."""
    request = _request(callback_url, body, signed_headers(body, clock.now()))
    # In a copied context, because the inner request sets a language, URLs and log values of its
    # own and must not change those of the outer request.
    status: int = contextvars.copy_context().run(_status_of, request)
    log.info("simulator.callback", reference=reference, status=status)
    return status


def _status_of(request: WSGIRequest) -> int:
    try:
        # No request signals and no response.close(): both would close the database connections
        # that the outer request still uses.
        return _handler().get_response(request).status_code
    finally:
        request.close()


@cache
def _handler() -> BaseHandler:
    handler = BaseHandler()
    handler.load_middleware()
    return handler


def _request(url: str, body: bytes, headers: Mapping[str, str]) -> WSGIRequest:
    parts = urlsplit(url)
    host, port = parts.hostname or "localhost", parts.port
    return WSGIRequest(
        {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": parts.path,
            "QUERY_STRING": parts.query,
            "SERVER_NAME": host,
            "SERVER_PORT": str(port or (443 if parts.scheme == "https" else 80)),
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_HOST": parts.netloc,
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.url_scheme": parts.scheme,
            "wsgi.input": BytesIO(body),
            **{f"HTTP_{name.upper().replace('-', '_')}": text for name, text in headers.items()},
        }
    )


def _signature(timestamp: str, body: bytes) -> str:
    secret = settings.SIMULATOR_CALLBACK_SECRET.encode()
    return hmac.new(secret, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
