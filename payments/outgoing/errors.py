"""Refusals that payouts, top-ups and bill payments share, with the codes of docs/gaps.md."""

from decimal import Decimal

from django.utils.translation import gettext_noop as _

from payments.core import money
from payments.core.errors import NotFound, ServiceError, Unavailable


class PaymentNotFound(NotFound):
    """404: absent, malformed, or another merchant's (contract, Errors)."""

    message = _("There is no such payment.")


class RailUnavailable(Unavailable):
    """503: the rail cannot take anything now. Try again in a moment."""

    message = _("The provider is not available. Try again in a moment.")


class AmountAboveLimit(ServiceError):
    """400: above the cap per transaction. `details.max` in pesos."""

    code = "AMOUNT_ABOVE_LIMIT"
    message = _("The amount is above the cap of %(max)s per transaction.")

    def __init__(self, maximum: Decimal, field: str = "amount") -> None:
        super().__init__(
            values={"max": money.text(maximum)},
            details={"field": field, "max": money.number(maximum)},
        )


class AmountBelowMinimum(ServiceError):
    """400: below the minimum. `details.min` in pesos."""

    code = "AMOUNT_BELOW_MINIMUM"
    message = _("The amount is below the minimum of %(min)s.")

    def __init__(self, minimum: Decimal, field: str = "amount") -> None:
        super().__init__(
            values={"min": money.text(minimum)},
            details={"field": field, "min": money.number(minimum)},
        )


class NotAllowed(ServiceError):
    """400: the payment's state does not allow this, or this person must not do it."""

    code = "NOT_ALLOWED"
    message = _("The payment does not allow this now.")


class UnknownReference(NotFound):
    """404 to the provider: no payment of ours has this reference."""

    message = _("There is no payment with this reference.")
