"""A payout provider talks to us: its signature is checked by its port, its words by the engine."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from payments.api.callbacks import InvalidSignature, heard, read_body
from payments.core import clock
from payments.core.errors import NotFound
from payments.payout.services import engine
from payments.providers import ports, registry


@csrf_exempt
@require_POST
def payout(request: HttpRequest, provider: str) -> HttpResponse:
    """POST /callbacks/payout/<provider>: 200 once what it says is on the books, also on repeats."""
    now = clock.now()
    try:
        port = registry.payout_by_code(provider)
        update = port.read_payout_callback(request.headers, read_body(request), now)
    except registry.UnknownProvider as error:
        raise NotFound from error
    except ports.InvalidCallback as error:
        raise InvalidSignature from error
    known = engine.apply_payout_update(provider=provider, update=update, now=now)
    return heard(known.provider_reference, known.status)
