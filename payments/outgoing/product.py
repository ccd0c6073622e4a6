"""What makes a payout a payout, and a top-up a top-up, where the engine is concerned."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from payments.ledger import recipes
from payments.outgoing.models import OutgoingPayment

P = TypeVar("P", bound=OutgoingPayment)


def noop(_payment: Any, _now: datetime) -> None:
    """The product does nothing more here."""


def always(_payment: Any) -> bool:
    """Nothing keeps payments of this product back."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Product(Generic[P]):
    """One kind of outgoing payment.

    name      names the kinds of its entries, its callbacks' URL and its circuits.
    model     its table.
    port      the adapter with this code (payments.providers.registry). Raises UnknownProvider.
    request   what the port's `send` takes. Called outside transactions, with a row just read.
    task      the Celery task that sends one sooner than the scan.
    may_send  asked before a PENDING one is handed over; False keeps hold and turn.
    on_final  called in the transaction of each final state, before the postings: publishes events.
    on_funds_released  called in that transaction, after the postings, when the merchant has its
              money again.
    """

    name: str
    model: type[P]
    port: Callable[[str], Any]
    request: Callable[[P], Any]
    task: str
    may_send: Callable[[P], bool] = always
    on_final: Callable[[P, datetime], None] = noop
    on_funds_released: Callable[[P, datetime], None] = noop

    def circuit(self, provider: str) -> str:
        """The circuit breaker of sending: one rail of a provider may fail while others work."""
        return f"{self.name}:{provider}"

    def money(self, payment: P) -> recipes.Outgoing:
        """What the books need to know of it."""
        return recipes.Outgoing(
            product=self.name,
            payment_id=payment.pk,
            merchant_id=payment.merchant_id,
            currency=payment.currency,
            amount=payment.amount,
            fee=payment.fee_amount,
            debit=payment.debit,
            rail=payment.rail,
            paid_in=payment.paid_in,
        )
