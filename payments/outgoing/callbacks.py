"""Callbacks of providers: the port checks the signature, the engine applies the update."""

from contextlib import suppress
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from payments.core import clock
from payments.outgoing import elsewhere
from payments.outgoing.engine import ENGINES, Engine
from payments.outgoing.errors import UnknownReference
from payments.outgoing.models import OutgoingPayment
from payments.providers import ports, registry
from payments.rails.callbacks import receive


@csrf_exempt
@require_POST
def outgoing(request: HttpRequest, engine: Engine, provider: str) -> HttpResponse:
    """POST /callbacks/<product>/<provider>: 200 after the update is applied, also for repeats.

    A genuine message about no payment of ours is also 200. Otherwise the rail would repeat it
    for days.
    """
    now = clock.now()
    received = receive(registry.outgoing(engine.product.name), request, provider, now)
    message = received.message
    if isinstance(message, ports.Ignored):
        return received.leave_unused(message.kind)
    known = _apply(engine, provider, message, now)
    if known is None and not message.reference:
        found = elsewhere.find_reference(engine, provider, message.provider_id)
        # The id still finds the payment where the rail's lists do not show it yet.
        message = ports.Hint(reference=found, provider_id=message.provider_id if found else "")
        known = _apply(engine, provider, message, now)
    if known is not None:
        return received.accept(known.provider_reference, known.status)
    for one in _engines(engine):
        with suppress(UnknownReference):
            elsewhere.notice(one, provider, message)
            return received.leave_unused("at another account", message.reference)
    return received.leave_unused("unknown payment", message.reference)


def _apply(
    engine: Engine[Any], provider: str, message: ports.OutgoingUpdate | ports.Hint, now: datetime
) -> OutgoingPayment | None:
    """The payment of this account that the message is about."""
    for one in _engines(engine):
        with suppress(UnknownReference):
            known: OutgoingPayment = (
                one.apply_hint(provider=provider, hint=message, now=now)
                if isinstance(message, ports.Hint)
                else one.apply_update(provider=provider, update=message, now=now)
            )
            return known
    return None


def _engines(engine: Engine[Any]) -> list[Engine[Any]]:
    """Of the product, and of those that are sent over the rails of the product."""
    name = engine.product.name
    return [engine, *(one for one in ENGINES.values() if one.product.rides_on == name)]
