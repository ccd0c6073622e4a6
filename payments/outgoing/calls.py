"""What a call to the rail takes of the payment, and what the payment keeps of it."""

from dataclasses import replace
from datetime import datetime
from functools import partial

from django.db.models import QuerySet

from payments.outgoing.models import OutgoingPayment
from payments.outgoing.product import P, Product
from payments.providers import ports
from payments.rails.services import adapter_states, wire_references


def wire_reference(payment: OutgoingPayment, now: datetime) -> str:
    """For its account, committed with the intent to send it there."""
    return wire_references.allocate(
        account=payment.provider, reference=payment.provider_reference, now=now
    )


def has_news(locked: OutgoingPayment, called: OutgoingPayment, now: datetime) -> bool:
    """Whether the rail has told of the payment since the call began, so that it may have it.

    A hint makes it due at once. It would be lost if the payment moved: another account is queried.
    """
    due_at = locked.next_action_at
    is_hinted = due_at is not None and due_at != called.next_action_at and due_at <= now
    return is_hinted or bool(locked.provider_id)


def keep_state(payment: OutgoingPayment, now: datetime) -> None:
    """Before the payment leaves its account."""
    wire_references.keep_state(
        account=payment.provider,
        reference=payment.provider_reference,
        state=payment.provider_state,
        now=now,
    )


def request_of(product: Product[P], payment: P) -> ports.OutgoingRequest:
    request: ports.OutgoingRequest = product.request(payment)
    return replace(
        request,
        reference=payment.reference_at_rail,
        state=payment.provider_state,
        save=partial(_save_state, product, payment),
    )


def _save_state(product: Product[P], payment: P, state: ports.State) -> None:
    """Commits what the adapter needs for its next call. Raises CallOvertaken."""
    adapter_states.keep(payment=payment, calls=_rows(product, payment), state=state)


def _rows(product: Product[P], payment: P) -> QuerySet[P]:
    """The payment, while this call is its newest."""
    return product.model._default_manager.filter(
        pk=payment.pk,
        status=OutgoingPayment.Status.PROCESSING,
        provider=payment.provider,
        last_sent_at=payment.last_sent_at,
    )
