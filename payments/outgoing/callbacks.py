"""Callbacks of providers: the port checks the signature, the engine applies the update."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from payments.api.callbacks import InvalidSignature, acknowledged, read_body
from payments.core import clock
from payments.core.errors import NotFound
from payments.outgoing.engine import Engine
from payments.providers import ports, registry


@csrf_exempt
@require_POST
def outgoing(request: HttpRequest, engine: Engine, provider: str) -> HttpResponse:
    """POST /callbacks/<product>/<provider>: 200 once it is applied, also for repeats."""
    now = clock.now()
    try:
        port = engine.product.port(provider)
        update = port.read_callback(request.headers, read_body(request), now)
    except registry.UnknownProvider as error:
        raise NotFound from error
    except (ports.InvalidCallback, ports.UnusableAmount) as error:
        raise InvalidSignature from error
    known = engine.apply_update(provider=provider, update=update, now=now)
    return acknowledged(known.provider_reference, known.status)
