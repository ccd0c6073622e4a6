"""What makes a payout a payout, and a top-up a top-up, where the engine is concerned."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from payments.ledger import recipes
from payments.outgoing.models import OutgoingPayment

P = TypeVar("P", bound=OutgoingPayment)


def untold(_payment: Any, _now: datetime) -> None:
    """Nobody is told how payments of this product end."""


def always(_payment: Any) -> bool:
    """Nothing keeps payments of this product back."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Product(Generic[P]):
    """One kind of outgoing payment.

    name      payout, topup or bill: the kinds of its entries, its callbacks' URL, its circuits.
    model     its table.
    port      the adapter with this code (payments.providers.registry). Raises UnknownProvider.
    request   what the port's `send` takes. Called outside transactions, with a row just read.
    task      the Celery task that sends one: the doorbell.
    may_send  asked before a PENDING one is handed over; False keeps hold and turn.
    ended     called in the transaction of each end, before the books: events are published there.
    freed     called in that transaction when the merchant has its money again, after the books.
    """

    name: str
    model: type[P]
    port: Callable[[str], Any]
    request: Callable[[P], Any]
    task: str
    may_send: Callable[[P], bool] = always
    ended: Callable[[P, datetime], None] = untold
    freed: Callable[[P, datetime], None] = untold

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
