"""Refusals that outgoing payments share, with the codes of docs/gaps.md."""

from decimal import Decimal
from typing import ClassVar

from django.utils.translation import gettext_noop as _

from payments.core import money
from payments.core.errors import NotFound, ServiceError, Unavailable


class PaymentNotFound(NotFound):
    """404: absent, malformed, or another merchant's (contract, Errors)."""

    message = _("There is no such payment.")

    def __init__(self, noun: str = "payment") -> None:
        super().__init__(f"There is no such {noun}.")


class RailUnavailable(Unavailable):
    """503: the rail cannot take anything now. Try again in a moment."""

    message = _("The provider is not available. Try again in a moment.")


class _OutsideLimits(ServiceError):
    """400: `details` has the limit in pesos, as `max` or `min`."""

    limit_name: ClassVar[str]

    def __init__(
        self,
        limit: Decimal,
        field: str = "amount",
        currency: str = money.FIAT,
        **values: object,
    ) -> None:
        super().__init__(
            values={self.limit_name: money.Spoken(limit, currency), **values},
            details={"field": field, self.limit_name: money.number(limit)},
        )


class AmountAboveLimit(_OutsideLimits):
    """400: the amount is above the cap of one transaction."""

    code = "AMOUNT_ABOVE_LIMIT"
    message = _("The amount is above the cap of %(max)s per transaction.")
    limit_name = "max"


class AmountBelowMinimum(_OutsideLimits):
    """400: the amount is below the minimum of one transaction."""

    code = "AMOUNT_BELOW_MINIMUM"
    message = _("The amount is below the minimum of %(min)s.")
    limit_name = "min"


class UnknownReference(NotFound):
    """404 to the provider: no payment of ours has this reference."""

    message = _("There is no payment with this reference.")
