"""Signed messages from the simulator to our callback URL, and their verification.

They go through Django's whole handler stack inside this process, so that the same URL, middleware,
signature check and view serve them as would serve a real provider.
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
from payments.providers.ports import InvalidCallback
from payments.simulator.messages import U, Update, body_of, parse

log = structlog.get_logger(__name__)
TIMESTAMP_HEADER = "X-Simulator-Timestamp"
SIGNATURE_HEADER = "X-Simulator-Signature"
TOLERANCE = timedelta(minutes=5)
MAX_BODY_BYTES = 16 * 1024


def signed_headers(body: bytes, now: datetime) -> dict[str, str]:
    timestamp = str(int(now.timestamp() * 1000))
    return {TIMESTAMP_HEADER: timestamp, SIGNATURE_HEADER: _signature(timestamp, body)}


def read(
    update_type: type[U], headers: Mapping[str, str], body: bytes, now: datetime, product: str = ""
) -> U:
    """Raises InvalidCallback, whose text never has what was expected."""
    verify(headers, body, now)
    return parse(update_type, body, product)


def verify(headers: Mapping[str, str], body: bytes, now: datetime) -> None:
    """Raises InvalidCallback unless `body` was signed with our secret, not long ago."""
    timestamp, signature = check_headers(headers, now)
    if len(body) > MAX_BODY_BYTES:
        raise InvalidCallback("body too large")
    # As bytes: compare_digest refuses text that is not ASCII, and headers come from anyone.
    expected = _signature(timestamp, body).encode()
    if not hmac.compare_digest(expected, signature.encode("utf-8", "backslashreplace")):
        raise InvalidCallback("signature does not match")


def check_headers(headers: Mapping[str, str], now: datetime) -> tuple[str, str]:
    """What can be refused before the body is read. Returns timestamp and signature."""
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
    """Posts `body`, signed now, and returns the HTTP status. Never again: a query learns it."""
    request = _request(callback_url, body, signed_headers(body, clock.now()))
    # A copied context: the inner request sets its own language, URLs and log values, and must
    # leave those of the request around it alone.
    status: int = contextvars.copy_context().run(_status_of, request)
    log.info("simulator.callback", reference=reference, status=status)
    return status


def _status_of(request: WSGIRequest) -> int:
    try:
        # Neither the signals of a request nor response.close(): both would close the database
        # connections under the request that is being served around this one.
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
