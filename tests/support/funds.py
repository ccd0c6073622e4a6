"""A merchant's money in the tests: play money to begin with, and what the balance says."""

from decimal import Decimal

from django.db import transaction

from merchants.models import Merchant
from payments.core import clock
from payments.core.ids import new_id
from payments.ledger import recipes
from payments.ledger import services as ledger


@transaction.atomic
def fund(merchant: Merchant, amount: Decimal | int, currency: str = "COPM") -> None:
    """More money, which no rail has received."""
    recipes.sandbox_credited(
        merchant_id=merchant.pk,
        currency=currency,
        amount=Decimal(amount),
        reference=new_id("fund"),
        now=clock.now(),
    )


def balance(merchant: Merchant, currency: str = "COPM") -> tuple[Decimal, Decimal]:
    """Available and held."""
    found = ledger.balances(merchant.pk)[currency]
    return found["available"], found["held"]


def available(merchant: Merchant, currency: str = "COPM") -> Decimal:
    """What may be spent; none before the first money."""
    return ledger.balances(merchant.pk).get(currency, {}).get("available", Decimal(0))


def held(merchant: Merchant, currency: str = "COPM") -> Decimal:
    """What waits for the end of a payment, a refund or a dispute."""
    return balance(merchant, currency)[1]
