"""Refusals of top-ups, with the codes of docs/gaps.md."""

from payments.core.errors import ServiceError, Unavailable


class TopupNotEnabled(ServiceError):
    """503: the operator has not enabled top-ups for the merchant (contract, Top-ups).

    No Retry-After: an operator has to act.
    """

    status = 503
    code = "TOPUP_NOT_ENABLED"
    message = "Top-up by API is not enabled for this merchant."


class TopupsSwitchedOff(Unavailable):
    """503: no phones are topped up now, for any merchant."""

    message = "Top-ups are temporarily disabled."
