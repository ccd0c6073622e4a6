"""Renders every error of the API as the envelope (contract, Errors)."""

from collections.abc import Mapping
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from rest_framework import exceptions

from payments.api import envelope
from payments.core.errors import ServiceError, Unavailable, ValidationFailed

log = structlog.get_logger(__name__)


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> envelope.EnvelopeResponse:
    if isinstance(exc, exceptions.MethodNotAllowed):
        return envelope.error_response(_method_not_allowed(context))
    return envelope.error_response(as_service_error(exc))


def _method_not_allowed(context: Mapping[str, Any]) -> ServiceError:
    method = context["request"].method or ""
    return envelope.method_not_allowed(method, context["view"].allowed_methods)


def as_service_error(exc: Exception) -> ServiceError:
    """The error for the client; an unknown exception is logged and becomes 500."""
    match exc:
        case ServiceError():
            return exc
        case exceptions.ValidationError():
            return ValidationFailed(flatten(exc.detail))
        case exceptions.UnsupportedMediaType():
            return envelope.unsupported_media_type()
        case Http404() | exceptions.NotFound():
            return envelope.route_not_found()
        case exceptions.PermissionDenied() | PermissionDenied():
            return envelope.Refusal(403, "FORBIDDEN", "This is not allowed.")
        case exceptions.APIException(status_code=status) if status < 500:
            return envelope.Refusal(status, "VALIDATION_ERROR", "The request is malformed.")
        case OperationalError() | InterfaceError():
            log.error("database.unavailable", error=str(exc).partition("\n")[0])
            return Unavailable()
        case _:
            log.error("request.failed", exc_info=exc)
            return envelope.internal_error()


def not_found(request: HttpRequest) -> HttpResponse:
    return envelope.error_response(
        envelope.route_not_found(request.method or "", request.path_info)
    )


def flatten(detail: object, path: str = "") -> dict[str, str]:
    """Turns DRF's nested lists into `{"a.b": "message"}`, in the order of the fields."""
    if isinstance(detail, dict):
        flat: dict[str, str] = {}
        for key, value in detail.items():
            name = "" if key == "non_field_errors" else str(key)
            flat |= flatten(value, ".".join(part for part in (path, name) if part))
        return flat
    if isinstance(detail, list):
        return flatten(detail[0], path) if detail else {}
    return {path: str(detail)}
