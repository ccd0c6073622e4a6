"""Refusals of payouts alone, with the codes of the contract and docs/gaps.md."""

from payments.core.errors import ServiceError, Unavailable
from payments.providers.breb_qr.refusals import MESSAGES, QRRefused


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


class QRNotValid(ServiceError):
    """400: the text is no QR code of Bre-B, or names no key. details.reason tells why."""

    code = "QR_NOT_VALID"

    def __init__(self, refused: QRRefused) -> None:
        super().__init__(
            MESSAGES[refused.reason],
            values={"field": refused.field},
            details={
                "field": "qr",
                "reason": refused.reason.value,
                "qrField": refused.field or None,
            },
        )
