"""References in the shape of a rail that does not take ours, such as digits only.

One is allocated in the transaction that commits the intent to call the rail, and never changes. A
payment that moves to another account gets another one there. The old one still leads to the
payment, because money may arrive under it.
"""

from datetime import datetime

from payments.core.ids import has_id_shape
from payments.providers import ports, registry
from payments.rails.models import FormerState, WireReference

# A shape that is this crowded is too narrow.
ATTEMPTS = 20


class ShapeTooNarrow(RuntimeError):
    """The rail's `wire_reference` returns only references that its account has used."""


def allocate(*, account: str, reference: str, now: datetime) -> str:
    """The reference of the payment at the account; empty where the rail takes ours.

    Call it inside a transaction. Raises ShapeTooNarrow.
    """
    rail = registry.find_rail(account)
    if rail is None or rail.wire_reference is None:
        return ""
    for _ in range(ATTEMPTS):
        # Of two transactions with the same text, the second waits here for the end of the first.
        new = WireReference(
            account=account,
            wire_reference=rail.wire_reference(reference),
            reference=reference,
            created_at=now,
        )
        WireReference.objects.bulk_create([new], ignore_conflicts=True)
        if known := _allocated(account, reference):
            return known
    raise ShapeTooNarrow(account)


def find_ours(account: str, wire_reference: str) -> str:
    """Our reference; empty if none was allocated. Without a query for a reference of our shape."""
    if not wire_reference or has_id_shape(wire_reference):
        return ""
    found = WireReference.objects.filter(wire_reference=wire_reference, account=account)
    return found.values_list("reference", flat=True).first() or ""


def find_payments(wire_reference: str) -> list[str]:
    """Our references of the payments that have, or had, this one at any account."""
    if not wire_reference or has_id_shape(wire_reference):
        return []
    found = WireReference.objects.filter(wire_reference=wire_reference)
    return list(found.values_list("reference", flat=True))


def history(reference: str) -> list[tuple[str, str]]:
    """The accounts of the payment that do not take our reference, with the one that each has."""
    found = WireReference.objects.filter(reference=reference).order_by("id")
    return list(found.values_list("account", "wire_reference"))


def keep_state(*, account: str, reference: str, state: ports.State, now: datetime) -> None:
    """Keeps the state of a payment that leaves the account, which may be queried about it later."""
    if state:
        left = FormerState(account=account, reference=reference, state=state, created_at=now)
        FormerState.objects.bulk_create([left], ignore_conflicts=True)


def known_at(account: str, reference: str, provider_id: str = "") -> ports.Known:
    """For a query of an account that the payment has left."""
    states = FormerState.objects.filter(reference=reference, account=account)
    return ports.Known(
        reference=_allocated(account, reference) or reference,
        provider_id=provider_id,
        state=states.values_list("state", flat=True).first() or {},
    )


def _allocated(account: str, reference: str) -> str:
    found = WireReference.objects.filter(reference=reference, account=account)
    return found.values_list("wire_reference", flat=True).first() or ""
