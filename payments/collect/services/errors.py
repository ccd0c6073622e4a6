"""Refusals of collections, with the codes of docs/gaps.md."""

from collections.abc import Iterable
from decimal import Decimal

from django.utils.translation import gettext_noop as _

from payments.core import money
from payments.core.errors import NotFound, ServiceError, Unavailable, ValidationFailed
from payments.outgoing.errors import AmountAboveLimit


class OrderNotFound(NotFound):
    """404: absent, malformed, or another merchant's (contract, Errors)."""

    code = "ORDER_NOT_FOUND"
    message = _("There is no such collection order.")


class ReferenceTaken(ValidationFailed):
    """400: the reference is that of another order of the merchant."""

    def __init__(self, existing_id: str) -> None:
        message = "An order with this reference exists already."
        super().__init__({"reference": message}, existingId=existing_id)


class OrderNotPayable(ServiceError):
    """400: the order is final, past its deadline, or the payer is at the bank."""

    code = "ORDER_NOT_PAYABLE"
    message = _("The order can no longer be paid.")

    @classmethod
    def because_over(cls, status: str) -> "OrderNotPayable":
        text = _("The order is %(status)s and can no longer be paid.")
        return cls(text, values={"status": status})


class MethodNotAvailable(ServiceError):
    code = "METHOD_NOT_AVAILABLE"
    message = _("This payment method is not available for the order.")


class TermsNotAccepted(ValidationFailed):
    """400: every account that could serve has documents that the payer did not accept."""

    def __init__(self) -> None:
        super().__init__({"acceptedTerms": "The payer must accept the documents in `terms`."})


class PayerFactsMissing(ValidationFailed):
    """400: every account that could serve needs to know more of the payer."""

    def __init__(self, keys: Iterable[str]) -> None:
        super().__init__({f"fields.{key}": "This field is required." for key in keys})


class ChargeRefused(ServiceError):
    """400: the rail refused to start the payment; the order is as it was."""

    code = "CHARGE_REFUSED"
    message = _("The provider refused to start the payment.")


class AmountTooSmall(ChargeRefused):
    """400: the network of the coin does not carry so little."""

    message = _("The amount is too small for this coin on this network.")


class ProviderUnavailable(Unavailable):
    """503: the rail could not be reached; no payment was started."""

    message = _("The payment provider is temporarily unavailable. Try again in a moment.")


class OrderNotRefundable(ServiceError):
    code = "ORDER_NOT_REFUNDABLE"
    message = _("Only an order that is COMPLETED can be refunded.")


class AmountAboveRefundable(AmountAboveLimit):
    """400: more than was paid and neither refunded nor contested. `details.max` in its currency."""

    message = _("No more than %(max)s can be returned.")


class NothingRefundable(AmountAboveRefundable):
    message = _(
        "Nothing is left to refund: %(taken)s of %(paid)s is refunded, being refunded or disputed."
    )

    def __init__(self, paid: Decimal, currency: str) -> None:
        spoken = money.Spoken(paid, currency)
        super().__init__(Decimal(0), currency=currency, taken=spoken, paid=spoken)


class AmountAboveOneCharge(AmountAboveRefundable):
    message = _("The payment came in parts. No more than %(max)s can be returned at once.")


class AmountAboveClaim(AmountAboveRefundable):
    """400: more than the payer's bank claims. `details.max` in the order's currency."""

    message = _("No more than %(max)s is claimed.")


class RefundNotFound(NotFound):
    message = _("There is no such refund.")


class RefundLinkExpired(RefundNotFound):
    message = _("The link of the refund has expired.")


class RefundProviderUnavailable(Unavailable):
    code = "REFUND_PROVIDER_UNAVAILABLE"
    message = _("No provider of refunds is available. Try again in a moment.")


class OrderNotRetryable(ServiceError):
    code = "ORDER_NOT_RETRYABLE"
    message = _("The order cannot be tried again.")


class OrderNotCancellable(ServiceError):
    code = "ORDER_NOT_CANCELLABLE"
    message = _("The order can no longer be cancelled.")


class FundsDecided(ServiceError):
    code = "NOT_ALLOWED"
    message = _("What becomes of this money is decided already.")


class FundsContested(ServiceError):
    code = "NOT_ALLOWED"
    message = _("The payer's bank contests this money. It waits until the dispute is decided.")


class FundsNotApplicable(ServiceError):
    code = "NOT_ALLOWED"
    message = _("The money can only go to an order of the same merchant and currency.")


class OrderNotDisputable(ServiceError):
    code = "ORDER_NOT_DISPUTABLE"
    message = _("Only an order that is COMPLETED can be disputed.")


class DisputeClosed(ServiceError):
    code = "NOT_ALLOWED"
    message = _("The dispute is decided already.")


class UnknownCharge(NotFound):
    """404 to the provider: no charge of ours has this reference."""

    message = _("There is no charge with this reference.")


class CurrencyMismatch(ServiceError):
    """400 to the provider: the charge is in another currency, and this one is not on our books."""

    code = "CURRENCY_MISMATCH"
    message = _("The charge is in another currency.")
