"""The envelope of every response (contract, Errors), for DRF and for plain Django."""

from collections.abc import Iterable, Mapping

import structlog
from django.http import HttpResponse

from payments.core import jsontext
from payments.core.errors import ServiceError
from payments.core.text import quotable

JSON = "application/json"


class EnvelopeResponse(HttpResponse):
    """A JSON response for every Accept header, rendered at once, unlike DRF's Response."""

    def __init__(
        self,
        data: Mapping[str, object],
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(jsontext.dumps(data), JSON, status=status, headers=headers)
        self.data = data  # for the log of calls


def success(data: object) -> dict[str, object]:
    return {"success": True, "data": data}


def failure(error: ServiceError) -> dict[str, object]:
    body: dict[str, object] = {"code": error.code, "message": error.message}
    if error.details:
        body["details"] = error.details
    return {"success": False, "error": body}


def error_response(error: ServiceError) -> EnvelopeResponse:
    return EnvelopeResponse(failure(error), status=error.status, headers=error.headers)


class Refusal(ServiceError):
    """An error of HTTP, which belongs to no service."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        details: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message, details=details, headers=headers)
        self.status = status  # type: ignore[misc]
        self.code = code  # type: ignore[misc]


def route_not_found(method: str = "", path: str = "") -> Refusal:
    """Without arguments it is the general sentence, for the table of error codes."""
    if not path:
        return Refusal(404, "NOT_FOUND", "There is nothing at this path.")
    called = f"{_method(method)} {quotable(path.removeprefix('/api/v1'))}"
    hint = " Paths have no slash at the end." if path.endswith("/") else ""
    return Refusal(404, "NOT_FOUND", f"No endpoint `{called}`.{hint}")


def method_not_allowed(method: str = "", allowed: Iterable[str] = ()) -> Refusal:
    text = f"This path does not accept the HTTP method {_method(method)}."
    if not method:
        text = "This path does not accept this method."
    names = ", ".join(sorted(allowed))
    return Refusal(405, "METHOD_NOT_ALLOWED", f"{text} Allowed: {names}." if names else text)


def _method(name: str) -> str:
    return quotable(name, 20)


def payload_too_large(limit_bytes: int) -> Refusal:
    return Refusal(
        413, "PAYLOAD_TOO_LARGE", "The body is too large.", details={"maxBytes": limit_bytes}
    )


def body_late(seconds: int) -> Refusal:
    return Refusal(408, "REQUEST_TIMEOUT", f"The body did not arrive within {seconds} seconds.")


def no_room() -> Refusal:
    """There are too many long bodies at once."""
    text = "Too many requests are being received. Try again in a moment."
    return Refusal(503, "SERVICE_UNAVAILABLE", text, headers={"Retry-After": "1"})


def unsupported_media_type() -> Refusal:
    return Refusal(415, "UNSUPPORTED_MEDIA_TYPE", "Send the body as application/json in UTF-8.")


def internal_error(request_id: str | None = None) -> Refusal:
    """Contains the request id, by default that of this request, and not the cause."""
    request_id = request_id or structlog.contextvars.get_contextvars().get("request_id")
    details = {"requestId": request_id} if request_id else None
    return Refusal(500, "INTERNAL_ERROR", "Something went wrong on our side.", details=details)
