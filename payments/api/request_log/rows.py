"""Makes a row of a call, with limited lengths and without secrets and personal data."""

import ipaddress
import re
from functools import lru_cache

from payments.api.request_log import redaction
from payments.api.request_log.call import Call
from payments.core import jsontext

COLUMNS = (
    "at",
    "merchant_id",
    "key",
    "method",
    "route",
    "path",
    "status",
    "code",
    "duration_ms",
    "request_id",
    "address",
    "idempotency_key",
    "subject_id",
    "request_body",
    "answer_body",
)
TEXT_MAX_CHARS = 2048
_PREFIX = "api/v1"
_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
_NOT_STORABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_KEY = re.compile(r"pk_(?:test_)?[0-9a-f]{32}")
_ID = re.compile(r"[a-z]{2,5}_[0-9a-z]{26}")


def as_row(call: Call) -> tuple[object, ...]:
    """In the order of COLUMNS."""
    body = _parsed(call.body) if isinstance(call.body, bytes) else None
    failure = _parsed(call.failure)
    idempotency_key = call.idempotency_key
    if not idempotency_key and isinstance(body, dict):
        in_body = body.get("idempotencyKey")
        idempotency_key = in_body if isinstance(in_body, str) else ""
    return (
        call.at,
        call.merchant_id,
        call.key if _KEY.fullmatch(call.key) else "",  # a client may put a secret here
        printable(call.method, 10),
        route(call.route),
        printable(_path(call.path, call.query), 500),
        call.status,
        printable(_error_code(failure), 60),
        round(call.seconds * 1000),
        printable(redaction.without_secrets(call.request_id), 64),
        network(call.address),
        printable(redaction.without_secrets(idempotency_key), 255),
        call.subject if _ID.fullmatch(call.subject) else "",
        _stored_body(call.body, redaction.redact(body)) if call.status >= 400 else "",
        _stored_body(call.failure, redaction.redact_error(failure)),
    )


def printable(text: str, limit: int) -> str:
    """Replaces characters that PostgreSQL cannot store or that break lines. Cuts the text."""
    return (text if text.isprintable() else _NOT_STORABLE.sub("�", text))[:limit]


@lru_cache(maxsize=256)
def route(pattern: str) -> str:
    """`/collect/{order_id}` for `api/v1/collect/<str:order_id>`. Empty for other routes."""
    if not pattern.startswith(f"{_PREFIX}/"):
        return ""
    return _PARAMETER.sub(r"{\1}", pattern.removeprefix(_PREFIX))[:120]


@lru_cache(maxsize=1024)
def network(address: str) -> str:
    """The network of an address: `190.24.10.0/24`, `2800:e2::/48`. Empty for other text."""
    try:
        bits = 24 if (parsed := ipaddress.ip_address(address)).version == 4 else 48
        return str(ipaddress.ip_network((parsed, bits), strict=False))
    except ValueError:
        return ""


def _path(path: str, query: str) -> str:
    redacted = redaction.text(path.removeprefix(f"/{_PREFIX}"))
    return f"{redacted}?{redaction.query(query)}" if query else redacted


def _parsed(text: bytes | None) -> object:
    try:
        return jsontext.loads(text) if text else None
    except jsontext.InvalidJSON:
        return None


def _error_code(failure: object) -> str:
    error = failure.get("error") if isinstance(failure, dict) else None
    return str(error.get("code", "")) if isinstance(error, dict) else ""


def _stored_body(text: bytes | int | None, redacted: object) -> str:
    if not text:
        return ""
    if isinstance(text, int):
        return f"({text} bytes)"
    if redacted is None:  # without field names, personal data cannot be recognised
        return f"({len(text)} bytes that are not JSON)"
    return printable(jsontext.dumps(redacted), TEXT_MAX_CHARS)
