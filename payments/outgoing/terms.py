"""What a payment costs, and which amounts are accepted."""

from decimal import Decimal

from payments.core import money
from payments.outgoing.errors import AmountAboveLimit, AmountBelowMinimum
from payments.outgoing.models import Terms


def fee_of(terms: Terms, amount: Decimal) -> Decimal:
    """The fee on top, in whole pesos: flat plus a part of the amount, half up."""
    return money.quantize(
        terms.fee_flat + money.percentage_fee(amount, terms.fee_rate, money.FIAT), money.FIAT
    )


def check_amount(terms: Terms, amount: Decimal, field: str = "amount") -> None:
    """Raises AmountAboveLimit or AmountBelowMinimum, naming the request's `field`."""
    if amount > terms.max_amount:
        raise AmountAboveLimit(terms.max_amount, field)
    if terms.min_amount is not None and amount < terms.min_amount:
        raise AmountBelowMinimum(terms.min_amount, field)
