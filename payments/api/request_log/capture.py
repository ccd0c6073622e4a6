"""What is taken from a request while it is being answered. Nothing is parsed or queried here."""

import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from django.http import HttpRequest, HttpResponse

from payments.api import limits
from payments.api.parsers import BODY
from payments.api.request_log.writing import writer
from payments.core import clock

log = structlog.get_logger(__name__)
# Where an answer has the id of what it is about, first come first served.
_IDS = ("refundId", "payoutId", "paymentId", "topupId", "orderId", "id")
# Beyond this a body is not held in memory until it is written; its size is told instead.
BODY_MAX_BYTES = 8 * 1024
# Strangers without credentials may not fill the table: so many rows a second and process.
STRANGERS_PER_SECOND = 5


@dataclass(frozen=True, slots=True)
class Call:
    """As it came; `rows.row` makes it fit for keeping.

    Only text and bytes: a reference to the answer would keep it, the view and the serializer alive
    until the row is written, and make the collector's work several times longer.
    """

    at: datetime
    merchant_id: str | None
    key: str
    method: str
    route: str
    path: str
    query: str
    status: int
    seconds: float
    request_id: str
    address: str
    idempotency_key: str
    subject: str
    body: bytes | int | None  # int: the size of one that is too long
    failure: bytes | None


class _Strangers:
    """Counts rows of callers without valid credentials, second by second. Races only miscount."""

    def __init__(self) -> None:
        self.second = 0
        self.count = 0

    def may_pass(self) -> bool:
        second = int(time.monotonic())
        if second != self.second:
            self.second, self.count = second, 0
        self.count += 1
        return self.count <= STRANGERS_PER_SECOND


strangers = _Strangers()


def record(request: HttpRequest, response: HttpResponse, *, seconds: float) -> None:
    """Puts the call into the queue. Never raises: an answer does not depend on its log."""
    try:
        # DRF tells Django's request who it was; without credentials there is no such attribute.
        merchant_id = getattr(getattr(request, "user", None), "pk", None)
        if merchant_id is None and not strangers.may_pass():
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
        subject=_subject(match.kwargs if match else {}, None if failed else response),
        body=body,
        failure=response.content if failed else None,
    )


def _subject(kwargs: dict[str, Any], response: HttpResponse | None) -> str:
    """The id in the path, the most inner one; of what was created, the id in the answer."""
    for value in reversed(kwargs.values()):
        return str(value)
    answer = getattr(response, "data", None)
    data = answer.get("data") if isinstance(answer, dict) else None
    if isinstance(data, dict):
        for name in _IDS:
            if value := data.get(name):
                return str(value)
    return ""
