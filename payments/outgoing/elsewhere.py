"""Messages of an account about a payment that it does not have: it may be paid twice.

A payment moves to another account only after a call that certainly did not arrive. If the first
account reports it all the same, only an operator can decide.
"""

from typing import Any

import structlog
from django.db import transaction

from payments.outgoing import completion
from payments.outgoing.engine import Engine
from payments.outgoing.errors import RailUnavailable
from payments.providers import breaker, ports
from payments.rails.services import health, strange_ids, wire_references

log = structlog.get_logger(__name__)
State = ports.OutgoingState


def find_reference(engine: Engine[Any], provider: str, provider_id: str) -> str:
    """Our reference of what the rail calls `provider_id`. Empty if it is none of ours.

    Calls the rail. Raises RailUnavailable: then the rail repeats its message.
    """
    try:
        with breaker.watch(engine.query_circuit(provider)):
            return strange_ids.find_reference(engine.product.port(provider), provider, provider_id)
    except ports.ProviderError as error:
        log.warning("outgoing.message_not_resolved", provider=provider, error=type(error).__name__)
        raise RailUnavailable from error


def notice(engine: Engine[Any], provider: str, message: ports.OutgoingUpdate | ports.Hint) -> None:
    """Calls an operator if money may have moved at this account, too.

    Raises UnknownReference if no payment has this reference.
    """
    payment = engine.find(message.reference)
    if payment.provider == provider or not _may_be_paid(engine, provider, message):
        return
    health.count_callback(provider, health.ELSEWHERE)
    with transaction.atomic():
        completion.flag_report_of_another(engine.lock(payment.pk), provider)


def _may_be_paid(
    engine: Engine[Any], provider: str, message: ports.OutgoingUpdate | ports.Hint
) -> bool:
    """A hint may be a forgery of a genuine one, so the account is queried. A doubt counts."""
    state = message.state if isinstance(message, ports.OutgoingUpdate) else None
    if state is None:
        try:
            known = wire_references.known_at(provider, message.reference, message.provider_id)
            state = engine.product.port(provider).query(known).state
        except ports.ProviderError:
            return True
    return state not in (State.FAILED, State.UNKNOWN)
