"""Copies what the log needs of a request. Nothing is parsed or queried here."""

import time

import structlog
from django.http import HttpRequest, HttpResponse

from payments.api import limits
from payments.api.parsers import BODY
from payments.api.request_log.batch_writer import writer
from payments.api.request_log.call import Call
from payments.core import clock

log = structlog.get_logger(__name__)
# Fields of a response that may have the id of its subject. The first field that is present counts.
_IDS = ("refundId", "payoutId", "orderId", "id")
# For a longer body only the size is recorded, to save memory.
BODY_MAX_BYTES = 8 * 1024
# Rows per second and process, so that callers without valid credentials do not fill the table.
ANONYMOUS_PER_SECOND = 5


class _AnonymousQuota:
    """Counts calls without valid credentials. Without a lock: a race only makes it inexact."""

    def __init__(self) -> None:
        self.second = 0
        self.count = 0

    def take(self) -> bool:
        """Counts one row. Returns whether it may be written."""
        second = int(time.monotonic())
        if second != self.second:
            self.second, self.count = second, 0
        self.count += 1
        return self.count <= ANONYMOUS_PER_SECOND


anonymous_quota = _AnonymousQuota()


def record(request: HttpRequest, response: HttpResponse, *, seconds: float) -> None:
    """Queues the call. Never raises, so that no response depends on the log."""
    try:
        # DRF sets `user` to the merchant. Without credentials the request has no `user`.
        merchant_id = getattr(getattr(request, "user", None), "pk", None)
        if merchant_id is None and not anonymous_quota.take():
            return
        writer.add(_call(request, response, merchant_id, seconds))
    except Exception as error:
        log.warning("api_log.failed", error=type(error).__name__)


def _call(
    request: HttpRequest, response: HttpResponse, merchant_id: str | None, seconds: float
) -> Call:
    meta, match = request.META, request.resolver_match
    failed = response.status_code >= 400
    body: bytes | int | None = meta.get(BODY)
    if isinstance(body, bytes) and len(body) > BODY_MAX_BYTES:
        body = len(body)
    return Call(
        at=clock.now(),
        merchant_id=merchant_id,
        key=meta.get("HTTP_X_API_KEY", ""),
        method=request.method or "",
        route=match.route if match else "",
        path=request.path,
        query=meta.get("QUERY_STRING", ""),
        status=response.status_code,
        seconds=seconds,
        request_id=structlog.contextvars.get_contextvars().get("request_id", ""),
        address=limits.client_address(request),
        idempotency_key=meta.get("HTTP_IDEMPOTENCY_KEY", ""),
        subject=_subject_id(match.kwargs if match else {}, None if failed else response),
        body=body,
        failure=response.content if failed else None,
    )


def _subject_id(kwargs: dict[str, object], response: HttpResponse | None) -> str:
    """The last id in the path, or the id of the resource in the response."""
    for value in reversed(kwargs.values()):
        return str(value)
    envelope = getattr(response, "data", None)
    data = envelope.get("data") if isinstance(envelope, dict) else None
    if isinstance(data, dict):
        for name in _IDS:
            if value := data.get(name):
                return str(value)
    return ""
