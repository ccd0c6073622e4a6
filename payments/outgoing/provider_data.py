"""What only the rail knows of a payment: its ids there, and what the rail keeps."""

from payments.core.text import storable
from payments.outgoing.models import OutgoingPayment
from payments.providers import ports
from payments.rails.services.provider_fees import set_fee

# Of one value that an adapter keeps.
STATE_TEXT = 1000


def record_provider_data(payment: OutgoingPayment, update: ports.OutgoingUpdate) -> None:
    """Keeps the first ids that the rail reported, what the adapter has learned, and the
    newest fee.
    """
    reported = {
        "provider_id": storable(update.provider_id, 100),
        "authorization": storable(update.authorization, 40),
    }
    new = {name: text for name, text in reported.items() if text and not getattr(payment, name)}
    for name, text in new.items():
        setattr(payment, name, text)
    changed = [*new, *set_fee(payment, update)]
    learned = {
        key: storable(value, STATE_TEXT) if isinstance(value, str) else value
        for key, value in update.learned.items()
    }
    if any(payment.provider_state.get(key) != value for key, value in learned.items()):
        payment.provider_state = {**payment.provider_state, **learned}
        changed.append("provider_state")
    if changed:
        payment.save(update_fields=[*changed, "updated_at"])
