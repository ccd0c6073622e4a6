"""The instant keys of payouts, for checks at their rails."""

from datetime import datetime

from payments.payout.models import Network, Payout
from payments.rails.models import KeyCheck
from payments.rails.services import key_checks
from payments.rails.services.key_checks import KeyPayment


def payment_of(payout: Payout) -> KeyPayment | None:
    """None for a payout to a bank account."""
    if payout.network != Network.BREB:
        return None
    return KeyPayment(
        subject_id=payout.pk,
        account=payout.provider,
        key_type=payout.key_type,
        key_value=payout.key_value,
    )


def last_check(payout: Payout) -> KeyCheck | None:
    payment = payment_of(payout)
    return key_checks.last_check(payment) if payment else None


def check(*, payout: Payout, now: datetime) -> KeyCheck | None:
    """Calls the rail. None if there is no key, or the rail resolves none."""
    payment = payment_of(payout)
    return key_checks.check_key(payment=payment, now=now) if payment else None
