"""Refusals of payouts alone, with the codes of the contract and docs/gaps.md."""

from payments.core.errors import ServiceError, Unavailable


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
