"""Refusals of collections, with the codes of docs/gaps.md."""

from payments.core.errors import NotFound, ServiceError, Unavailable


class OrderNotFound(NotFound):
    """404: absent, malformed, or another merchant's (contract, Errors)."""

    code = "ORDER_NOT_FOUND"
    message = "There is no such collection order."


class OrderNotPayable(ServiceError):
    """400: the order is final, past its deadline, or the payer is at the bank."""

    code = "ORDER_NOT_PAYABLE"
    message = "The order can no longer be paid."


class MethodNotAvailable(ServiceError):
    """400: the method is not among those of the order."""

    code = "METHOD_NOT_AVAILABLE"
    message = "This payment method is not available for the order."


class ChargeRefused(ServiceError):
    """400: the rail refused to start the payment; the order is as it was."""

    code = "CHARGE_REFUSED"
    message = "The provider refused to start the payment."


class ProviderUnavailable(Unavailable):
    """503: the rail could not be reached; no payment was started."""

    message = "The payment provider is temporarily unavailable. Try again in a moment."
