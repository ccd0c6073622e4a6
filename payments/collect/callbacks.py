"""A payin provider talks to us: its signature is checked by its port, its words by a service."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from payments.api import envelope
from payments.collect.services import outcomes
from payments.core import clock, jsontext
from payments.core.errors import NotFound, ServiceError
from payments.providers import ports, registry


class InvalidSignature(ServiceError):
    """401: unsigned, forged, or too old. Nothing was changed."""

    status = 401
    code = "INVALID_SIGNATURE"
    message = "The callback's signature is not valid."


@csrf_exempt
@require_POST
def payin(request: HttpRequest, provider: str) -> HttpResponse:
    """POST /callbacks/payin/<provider>: 200 once what it says is on the books, also on repeats."""
    now = clock.now()
    try:
        port = registry.payin_by_code(provider)
    except LookupError as error:
        raise NotFound from error
    body = request.read(settings.API_MAX_BODY_BYTES + 1)
    if len(body) > settings.API_MAX_BODY_BYTES:
        raise envelope.payload_too_large(settings.API_MAX_BODY_BYTES)
    try:
        update = port.read_callback(request.headers, body, now)
    except ports.InvalidCallback as error:
        raise InvalidSignature from error
    charge = outcomes.apply_charge_update(provider=provider, update=update, now=now)
    answer = envelope.success({"reference": charge.pk, "status": charge.status})
    return HttpResponse(jsontext.dumps(answer), envelope.JSON)
