"""Around every request: its id, the size of its body, and the envelope when Django itself fails."""

import re
import uuid
from collections.abc import Callable

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from payments.api import envelope
from payments.api.errors import as_service_error

Handler = Callable[[HttpRequest], HttpResponse]
NOTHING = "default-src 'none'; frame-ancestors 'none'"
_REQUEST_ID = re.compile(r"[A-Za-z0-9-]{1,64}")


def is_api(request: HttpRequest) -> bool:
    """Whether the answer must be the JSON envelope, whatever happens."""
    return request.path_info.startswith(settings.API_PREFIXES)


class EnvelopeMiddleware:
    """Outermost: API answers that Django or a middleware made as HTML become the envelope."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if is_api(request):
            response = self._as_envelope(response)
            response.headers.setdefault("Content-Security-Policy", NOTHING)
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    @staticmethod
    def _as_envelope(response: HttpResponse) -> HttpResponse:
        is_html = response.headers.get("Content-Type", "").startswith("text/html")
        if response.status_code < 400 or not is_html:
            return response
        match response.status_code:
            case 404:
                return envelope.error_response(envelope.route_not_found())
            case 405:
                return envelope.error_response(envelope.method_not_allowed())
            case status if status < 500:
                return envelope.error_response(
                    envelope.Refusal(status, "VALIDATION_ERROR", "The request is malformed.")
                )
        return envelope.error_response(envelope.internal_error())

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """An exception of a view that is not DRF's (callbacks, health)."""
        if is_api(request):
            return envelope.error_response(as_service_error(exception))
        return None


class RequestIdMiddleware:
    """X-Request-Id: taken from the client when it is harmless, echoed, and in every log line."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-Id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            response = self.get_response(request)
        response.headers["X-Request-Id"] = request_id
        return response


class BodySizeMiddleware:
    """413 before anything else looks at the request (docs/gaps.md, Order of checks)."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if is_api(request):
            length = request.META.get("CONTENT_LENGTH") or "0"
            limit = settings.API_MAX_BODY_BYTES
            if not (length.isascii() and length.isdigit()) or int(length[:20]) > limit:
                return envelope.error_response(envelope.payload_too_large(limit))
        return self.get_response(request)
