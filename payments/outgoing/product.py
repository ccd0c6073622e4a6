"""What the engine needs to know of payouts, top-ups and bill payments."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from payments.ledger import recipes
from payments.outgoing.models import OutgoingPayment

P = TypeVar("P", bound=OutgoingPayment)


def noop(_payment: OutgoingPayment, _now: datetime) -> None:
    """The product does nothing more here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Product(Generic[P]):
    """One kind of outgoing payment.

    name      names the kinds of its entries, its callbacks' URL and its circuits.
    port      returns the adapter with this code. Raises UnknownProvider.
    request   what the port's `send` takes. Called outside transactions, with a row just read.
    task      the Celery task that sends one sooner than the scan.
    may_send  called before a PENDING one is handed over; False keeps hold and turn.
    on_final  called in the transaction of each final state, before the postings: publishes events.
    on_funds_released  called in that transaction, after the postings, when the merchant has its
              money again.
    """

    name: str
    model: type[P]
    port: Callable[[str], Any]
    request: Callable[[P], Any]
    task: str
    may_send: Callable[[P], bool] = lambda _payment: True
    on_final: Callable[[P, datetime], None] = noop
    on_funds_released: Callable[[P, datetime], None] = noop

    def circuit(self, provider: str) -> str:
        """The circuit breaker of sending: one rail of a provider may fail while others work."""
        return f"{self.name}:{provider}"

    def money(self, payment: P) -> recipes.Outgoing:
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
