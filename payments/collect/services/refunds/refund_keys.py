"""The instant keys that payers name for refunds by payout, for checks at their rails."""

from datetime import datetime

from payments.collect.models import Refund
from payments.collect.services.refunds.destination_checks import is_as_approved
from payments.providers.ports import PayoutNetwork
from payments.rails.models import KeyCheck
from payments.rails.services import key_checks
from payments.rails.services.key_checks import KeyPayment


def payment_of(refund: Refund) -> KeyPayment | None:
    """None for a refund that goes elsewhere, or nowhere yet."""
    given = refund.destination
    if given.get("network") != PayoutNetwork.BREB:
        return None
    return KeyPayment(
        subject_id=refund.pk,
        account=refund.provider,
        key_type=given["key_type"],
        key_value=given["key_value"],
    )


def last_check(refund: Refund) -> KeyCheck | None:
    payment = payment_of(refund)
    return key_checks.last_check(payment) if payment else None


def check(*, refund: Refund, now: datetime) -> KeyCheck | None:
    """Calls the rail. None if there is no key, or the rail resolves none."""
    payment = payment_of(refund)
    return key_checks.check_key(payment=payment, now=now) if payment else None


def refusal(refund: Refund, now: datetime) -> str:
    """For Product.refusal. A key that was not approved is an operator's matter."""
    payment = payment_of(refund)
    if payment is None or not is_as_approved(refund):
        return ""
    return key_checks.refusal(payment=payment, now=now)
