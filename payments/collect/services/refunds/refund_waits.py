"""What an open refund waits for, in the words of the API."""

from payments.collect.models import Refund

WAITS = ("DESTINATION", "APPROVAL", "PAYMENT", "CONFIRMATIONS")


def waits_for(refund: Refund) -> str:
    """Empty if it waits for the rail, or has ended."""
    if refund.has_ended:
        return ""
    if refund.needs_destination:
        return "DESTINATION"
    if refund.needs_approval:
        return "APPROVAL"
    if refund.coin:
        return "CONFIRMATIONS" if refund.transaction else "PAYMENT"
    return ""
