"""Applies a genuine message of an account, also about a charge that it does not have.

A charge moves to another account only after a call that certainly did not arrive. If the first
account reports money all the same, that waits for an operator.
"""

from contextlib import suppress
from dataclasses import replace
from datetime import datetime

import structlog

from payments.collect.models import Charge
from payments.collect.services.charges import charge_updates
from payments.collect.services.errors import ProviderUnavailable, UnknownCharge
from payments.core.ids import is_id
from payments.providers import ports, registry
from payments.rails.services import strange_ids, wire_references

log = structlog.get_logger(__name__)


def apply_message(
    *, provider: str, message: ports.ChargeUpdate | ports.Hint, now: datetime
) -> Charge:
    """May call the rail. Raises UnknownCharge, CurrencyMismatch, and ProviderUnavailable: then the
    rail repeats its message.
    """
    if isinstance(message, ports.Hint):
        return _follow(provider, message, now)
    return charge_updates.apply_charge_update(
        provider=provider, update=_prove(provider, message), now=now
    )


def _follow(provider: str, hint: ports.Hint, now: datetime) -> Charge:
    with suppress(UnknownCharge):
        return charge_updates.apply_hint(provider=provider, hint=hint, now=now)
    if not hint.reference:
        hint = replace(hint, reference=_find_reference(provider, hint.provider_id))
        with suppress(UnknownCharge):
            return charge_updates.apply_hint(provider=provider, hint=hint, now=now)
    if not _is_elsewhere(provider, hint.reference):
        raise UnknownCharge
    update = _query(provider, hint.reference, hint.provider_id)
    return charge_updates.apply_charge_update(provider=provider, update=update, now=now)


def _prove(provider: str, update: ports.ChargeUpdate) -> ports.ChargeUpdate:
    """What counts of a message about a charge that is at another account: the rail's own answer.

    What is not signed may be written into a genuine message, our reference included. The id finds
    what the rail's list does not show yet.
    """
    if not update.needs_known_id or not _is_elsewhere(provider, update.reference):
        return update
    return _query(provider, update.reference, update.provider_id)


def _is_elsewhere(provider: str, reference: str) -> bool:
    if not is_id(reference, "chg"):
        return False
    return Charge.objects.filter(pk=reference).exclude(provider=provider).exists()


def _find_reference(provider: str, provider_id: str) -> str:
    """Our reference of what the rail calls `provider_id`. Raises UnknownCharge."""
    adapter = registry.PAYIN.get(provider)
    if not provider_id or not isinstance(adapter, ports.FindsReference):
        raise UnknownCharge
    try:
        found = strange_ids.find_reference(adapter, provider, provider_id)
    except ports.ProviderError as error:
        log.warning("charge.message_not_resolved", provider=provider, error=type(error).__name__)
        raise ProviderUnavailable from error
    if not found:
        raise UnknownCharge
    return found


def _query(provider: str, reference: str, provider_id: str) -> ports.ChargeUpdate:
    """Raises UnknownCharge and ProviderUnavailable."""
    known = wire_references.known_at(provider, reference, provider_id)
    try:
        answer = registry.PAYIN.get(provider).query(known)
    except ports.ProviderError as error:
        raise ProviderUnavailable from error
    if answer.reference != known.reference:
        if provider_id and answer.provider_id == provider_id:
            raise UnknownCharge  # the rail has another reference for this id
        raise ProviderUnavailable
    return replace(answer, reference=reference)
