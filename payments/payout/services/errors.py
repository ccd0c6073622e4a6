"""Refusals of payouts, with the codes of the contract and docs/gaps.md."""

from decimal import Decimal

from payments.core import money
from payments.core.errors import NotFound, ServiceError, Unavailable


class PayoutNotFound(NotFound):
    """404: absent, malformed, or another merchant's (contract, Errors)."""

    message = "There is no such payout."


class PayoutDisabled(Unavailable):
    """503: payouts are switched off (contract, Payouts, rule 5)."""

    code = "PAYOUT_DISABLED"
    message = "Payouts are temporarily disabled."


class PayoutProviderUnavailable(Unavailable):
    """503: no provider can take the payout now (contract, Payouts, rule 5)."""

    code = "PAYOUT_PROVIDER_UNAVAILABLE"
    message = "No provider of payouts is available. Try again in a moment."


class PayoutMethodNotAvailable(ServiceError):
    """400: the method is not in the catalogue of GET /payout/methods (rule 3)."""

    code = "PAYOUT_METHOD_NOT_AVAILABLE"
    message = "This payout method is not available. See GET /payout/methods."


class AmountAboveLimit(ServiceError):
    """400: above the cap of the method (rule 4). `details.max` in pesos."""

    code = "AMOUNT_ABOVE_LIMIT"

    def __init__(self, maximum: Decimal) -> None:
        super().__init__(
            f"The amount is above the cap of {money.text(maximum)} per payout.",
            details={"field": "amount", "max": money.number(maximum)},
        )


class AmountBelowMinimum(ServiceError):
    """400: below the minimum of the method. `details.min` in pesos."""

    code = "AMOUNT_BELOW_MINIMUM"

    def __init__(self, minimum: Decimal) -> None:
        super().__init__(
            f"The amount is below the minimum of {money.text(minimum)}.",
            details={"field": "amount", "min": money.number(minimum)},
        )


class NotAllowed(ServiceError):
    """400: the payout's state does not allow this, or this person must not do it."""

    code = "NOT_ALLOWED"
    message = "The payout does not allow this now."
