"""A call as a row: bounded, without secrets and without what belongs to a person."""

import ipaddress
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from payments.api.request_log import redaction
from payments.core import jsontext

if TYPE_CHECKING:
    from payments.api.request_log.capture import Call

COLUMNS = (
    *("at", "merchant_id", "key", "method", "route", "path", "status", "code", "duration_ms"),
    *("request_id", "address", "idempotency_key", "subject_id", "request_body", "answer_body"),
)
TEXT_MAX_CHARS = 2048
_PREFIX = "api/v1"
_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
_NOT_STORABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_KEY = re.compile(r"pk_[0-9a-f]{32}")
_ID = re.compile(r"[a-z]{2,5}_[0-9a-z]{26}")


def row(call: "Call") -> tuple[Any, ...]:
    """In the order of COLUMNS."""
    body = _parsed(call.body) if isinstance(call.body, bytes) else None
    failure = _parsed(call.failure)
    key = call.idempotency_key
    if not key and isinstance(body, dict) and isinstance(body.get("idempotencyKey"), str):
        key = body["idempotencyKey"]
    return (
        call.at,
        call.merchant_id,
        call.key if _KEY.fullmatch(call.key) else "",  # a secret may stand in the wrong header
        plain(call.method, 10),
        route(call.route),
        plain(_path(call.path, call.query), 500),
        call.status,
        plain(_code(failure), 60),
        round(call.seconds * 1000),
        plain(redaction.without_secrets(call.request_id), 64),
        network(call.address),
        plain(redaction.without_secrets(key), 255),
        call.subject if _ID.fullmatch(call.subject) else "",
        _kept(call.body, redaction.json(body)) if call.status >= 400 else "",
        _kept(call.failure, redaction.answer(failure)),
    )


def plain(text: str, limit: int) -> str:
    """What PostgreSQL can store and a page can show in one line, at most `limit` characters."""
    return (text if text.isprintable() else _NOT_STORABLE.sub("�", text))[:limit]


@lru_cache(maxsize=256)
def route(pattern: str) -> str:
    """`/collect/{order_id}` from Django's `api/v1/collect/<str:order_id>`; else nothing."""
    if not pattern.startswith(f"{_PREFIX}/"):
        return ""
    return _PARAMETER.sub(r"{\1}", pattern.removeprefix(_PREFIX))[:120]


@lru_cache(maxsize=1024)
def network(address: str) -> str:
    """The address without its last part: `190.24.10.0/24`, `2800:e2::/48`. Else nothing."""
    try:
        bits = 24 if (parsed := ipaddress.ip_address(address)).version == 4 else 48
        return str(ipaddress.ip_network((parsed, bits), strict=False))
    except ValueError:
        return ""


def _path(path: str, query: str) -> str:
    shown = redaction.text(path.removeprefix(f"/{_PREFIX}"))
    return f"{shown}?{redaction.query(query)}" if query else shown


def _parsed(text: bytes | None) -> Any:
    try:
        return jsontext.loads(text) if text else None
    except jsontext.InvalidJSON:
        return None


def _code(failure: Any) -> str:
    error = failure.get("error") if isinstance(failure, dict) else None
    return str(error.get("code", "")) if isinstance(error, dict) else ""


def _kept(text: bytes | int | None, redacted: Any) -> str:
    if not text:
        return ""
    if isinstance(text, int):
        return f"({text} bytes)"
    if redacted is None:  # its fields cannot be told apart, so nothing of it is safe to keep
        return f"({len(text)} bytes that are not JSON)"
    return plain(jsontext.dumps(redacted), TEXT_MAX_CHARS)
