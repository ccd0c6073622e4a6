"""Request ids, limits of bodies, and the envelope when Django itself fails."""

import contextlib
import re
import time
import uuid
from collections.abc import Callable
from fnmatch import fnmatchcase
from io import BytesIO

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from payments.api import envelope, request_log
from payments.api.errors import as_service_error
from payments.core.errors import ServiceError

Handler = Callable[[HttpRequest], HttpResponse]
NOTHING = "default-src 'none'; frame-ancestors 'none'"
# After these the client sends its request again, so it must receive them.
RETRY_LATER = (429, 503)
_REQUEST_ID = re.compile(r"[A-Za-z0-9-]{1,64}")


def is_api(request: HttpRequest) -> bool:
    """Whether every response at this path is the JSON envelope. Slashes at its end do not count."""
    return f"/{request.path_info.strip('/')}/".startswith(settings.API_PREFIXES)


class EnvelopeMiddleware:
    """Turns HTML responses of Django or a middleware into the envelope."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_api(request):
            return self.get_response(request)
        # Otherwise messages of DRF and Django would be in the language of the pages.
        with translation.override("en"):
            response = self._as_envelope(request, self.get_response(request))
        response.headers.setdefault("Content-Security-Policy", NOTHING)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    @staticmethod
    def _as_envelope(request: HttpRequest, response: HttpResponse) -> HttpResponse:
        # Django's 405 has the type text/html and no body.
        is_html = response.headers.get("Content-Type", "").startswith("text/html")
        if response.status_code < 400 or not is_html:
            return response
        enveloped = envelope.error_response(_refusal(request, response))
        for name, value in response.headers.items():
            if name != "Content-Length":  # Allow, X-Request-Id ...
                enveloped.headers.setdefault(name, value)
        return enveloped

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """For views without DRF (callbacks, health)."""
        if is_api(request):
            return envelope.error_response(as_service_error(exception))
        return None


def _refusal(request: HttpRequest, response: HttpResponse) -> ServiceError:
    match response.status_code:
        case 404:
            return envelope.route_not_found(request.method or "", request.path_info)
        case 405:
            allowed = response.headers.get("Allow", "").replace(",", " ").split()
            return envelope.method_not_allowed(request.method or "", allowed)
        case status if status < 500:
            return envelope.Refusal(status, "VALIDATION_ERROR", "The request is malformed.")
    return envelope.internal_error(response.headers.get("X-Request-Id"))


class RequestIdMiddleware:
    """Puts X-Request-Id into the response and every log line. Keeps the client's if it is valid."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.META.get("HTTP_X_REQUEST_ID", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        request.META["pasarela.request_id"] = request_id  # config.logs reads it
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            response = self.get_response(request)
        response.headers["X-Request-Id"] = request_id
        return response


class CallLogMiddleware:
    """Stands outside all middleware that may refuse a call, so that refusals are logged, too."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not settings.API_LOG or not request.path_info.startswith("/api/"):
            return self.get_response(request)
        began = time.perf_counter()
        response = self.get_response(request)
        request_log.record(request, response, seconds=time.perf_counter() - began)
        return response


class BodySizeMiddleware:
    """Refuses a body that is too long, late or cut off. This is the first check in docs/gaps.md."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        refusal = _faulty(request) or _too_long(request, _limit(request))
        if refusal is None:
            response = self.get_response(request)
            if is_api(request) and response.status_code in RETRY_LATER:
                _read_rest(request)
            return response
        if is_api(request):
            return envelope.error_response(refusal)
        text = f"{refusal.message}\n"
        return HttpResponse(text, "text/plain", status=refusal.status, headers=refusal.headers)


def _limit(request: HttpRequest) -> int:
    if is_api(request):
        is_batch = request.path_info == settings.PAYOUT_BATCH_API_PATH
        large, usual = settings.PAYOUT_BATCH_API_MAX_BYTES, settings.API_MAX_BODY_BYTES
        return int(large if is_batch else usual)
    uploads = (
        (settings.PAYOUT_BATCH_UPLOAD_PATH, settings.PAYOUT_BATCH_UPLOAD_MAX_BYTES),
        (settings.BANK_STATEMENT_UPLOAD_PATH, settings.BANK_STATEMENT_UPLOAD_MAX_BYTES),
        (settings.DISPUTE_FILE_PATH, settings.DISPUTE_FILE_MAX_BYTES),
        (settings.BANK_CERTIFICATE_PATH, settings.BANK_CERTIFICATE_MAX_BYTES),
    )
    most = (size for path, size in uploads if fnmatchcase(request.path_info, path))
    return int(next(most, 0) + settings.PAGE_MAX_BODY_BYTES)


def _faulty(request: HttpRequest) -> ServiceError | None:
    """The error that config.request_bodies found."""
    match request.META.get("pasarela.body_fault"):
        case None:
            return None
        case "late":
            return envelope.body_late(settings.BODY_SECONDS)
        case "no room":
            return envelope.no_room()
    if is_api(request) and request.META.get("CONTENT_LENGTH"):
        return None  # the parser compares the length after authentication
    return envelope.Refusal(400, "VALIDATION_ERROR", "The body is shorter than it should be.")


def _too_long(request: HttpRequest, limit: int) -> ServiceError | None:
    length = request.META.get("CONTENT_LENGTH") or _take_unannounced(request, limit)
    if not (length.isascii() and length.isdigit()):
        return envelope.Refusal(400, "VALIDATION_ERROR", "Content-Length is not a number.")
    return envelope.payload_too_large(limit) if int(length[:20]) > limit else None


def _read_rest(request: HttpRequest) -> None:
    """Reads the rest of a body, because otherwise the server closes the connection.

    Then the client may miss the response. Only few responses need this. A slow body without
    credentials must not hold a thread.
    """
    with contextlib.suppress(OSError):
        request.read()


def _take_unannounced(request: HttpRequest, limit: int) -> str:
    """Reads a body without Content-Length (chunks), which Django ignores. Returns its length.

    Reads only if the server marks the end of its input. In the API it also needs credentials.
    """
    if not request.META.get("wsgi.input_terminated") or request.method in ("GET", "HEAD"):
        return "0"
    if request.path_info.startswith("/api/") and not _has_credentials(request):
        return "0"
    source, body = request.META["wsgi.input"], b""
    while len(body) <= limit and (piece := source.read(limit + 1 - len(body))):
        body += piece
    request.META["CONTENT_LENGTH"] = str(len(body))
    request._stream = BytesIO(body)
    return str(len(body))


def _has_credentials(request: HttpRequest) -> bool:
    return "HTTP_X_API_KEY" in request.META and "HTTP_X_API_SECRET" in request.META
