"""What the routes for providers' callbacks share."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from payments.api import envelope
from payments.core import jsontext
from payments.core.errors import ServiceError


class InvalidSignature(ServiceError):
    """401: unsigned, forged, or too old. Nothing was changed."""

    status = 401
    code = "INVALID_SIGNATURE"
    message = "The callback's signature is not valid."


def read_body(request: HttpRequest) -> bytes:
    """The raw bytes, which the signature covers. Raises 413."""
    body = request.read(settings.API_MAX_BODY_BYTES + 1)
    if len(body) > settings.API_MAX_BODY_BYTES:
        raise envelope.payload_too_large(settings.API_MAX_BODY_BYTES)
    return body


def acknowledged(reference: str, status: str, http_status: int = 200) -> HttpResponse:
    body = envelope.success({"reference": reference, "status": status})
    return HttpResponse(jsontext.dumps(body), envelope.JSON, http_status)
