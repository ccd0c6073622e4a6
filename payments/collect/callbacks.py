"""Callbacks of payin providers: the port checks the signature, and a service applies the update."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from payments.collect.services.charges import messages
from payments.collect.services.disputes import dispute_updates
from payments.collect.services.errors import UnknownCharge
from payments.core import clock
from payments.providers import ports, registry
from payments.rails.callbacks import receive


@csrf_exempt
@require_POST
def payin(request: HttpRequest, provider: str) -> HttpResponse:
    """POST /callbacks/payin/<provider>: 200 after the update is committed, also for repeats.

    A genuine message about no charge of ours is also 200. Otherwise the rail would repeat it
    for days.
    """
    now = clock.now()
    received = receive(registry.PAYIN, request, provider, now)
    message = received.message
    if isinstance(message, ports.Ignored):
        return received.leave_unused(message.kind)
    try:
        charge = messages.apply_message(provider=provider, message=message, now=now)
    except UnknownCharge:
        return received.leave_unused("unknown charge", message.reference)
    return received.accept(charge.pk, charge.status)


@csrf_exempt
@require_POST
def dispute(request: HttpRequest, provider: str) -> HttpResponse:
    """POST /callbacks/dispute/<provider>: as `payin`, but for disputes."""
    now = clock.now()
    received = receive(registry.DISPUTE, request, provider, now)
    update = received.message
    known = dispute_updates.apply_dispute_update(provider=provider, update=update, now=now)
    return received.accept(update.reference, known.status)
