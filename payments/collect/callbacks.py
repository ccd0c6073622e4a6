"""A payin provider talks to us: its signature is checked by its port, its words by a service."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from payments.api.callbacks import InvalidSignature, heard, read_body
from payments.collect.services import outcomes
from payments.core import clock
from payments.core.errors import NotFound
from payments.providers import ports, registry


@csrf_exempt
@require_POST
def payin(request: HttpRequest, provider: str) -> HttpResponse:
    """POST /callbacks/payin/<provider>: 200 once what it says is on the books, also on repeats."""
    now = clock.now()
    try:
        port = registry.payin_by_code(provider)
        update = port.read_callback(request.headers, read_body(request), now)
    except registry.UnknownProvider as error:
        raise NotFound from error
    except ports.InvalidCallback as error:
        raise InvalidSignature from error
    charge = outcomes.apply_charge_update(provider=provider, update=update, now=now)
    return heard(charge.pk, charge.status)
