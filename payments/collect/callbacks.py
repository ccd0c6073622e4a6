"""Callbacks of payin providers: the port checks the signature, a service applies the content."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from payments.api.callbacks import InvalidSignature, acknowledged, read_body
from payments.collect.services.charges import charge_updates
from payments.collect.services.disputes import dispute_updates
from payments.core import clock
from payments.core.errors import NotFound
from payments.providers import ports, registry


@csrf_exempt
@require_POST
def payin(request: HttpRequest, provider: str) -> HttpResponse:
    """POST /callbacks/payin/<provider>: 200 once the update is on the books, also on repeats."""
    now = clock.now()
    update = _read(registry.PAYIN.get, request, provider, now)
    charge = charge_updates.apply_charge_update(provider=provider, update=update, now=now)
    return acknowledged(charge.pk, charge.status)


@csrf_exempt
@require_POST
def dispute(request: HttpRequest, provider: str) -> HttpResponse:
    """POST /callbacks/dispute/<provider>: as `payin`, about contested payments."""
    now = clock.now()
    update = _read(registry.DISPUTE.get, request, provider, now)
    known = dispute_updates.apply_dispute_update(provider=provider, update=update, now=now)
    return acknowledged(update.reference, known.status)


def _read(by_code: Callable[[str], Any], request: HttpRequest, provider: str, now: datetime) -> Any:
    try:
        return by_code(provider).read_callback(request.headers, read_body(request), now)
    except registry.UnknownProvider as error:
        raise NotFound from error
    except (ports.InvalidCallback, ports.UnusableAmount) as error:
        raise InvalidSignature from error
