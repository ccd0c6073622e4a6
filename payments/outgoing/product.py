"""The parts of a product that the engine uses."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from payments.ledger import recipes
from payments.outgoing.models import OutgoingPayment
from payments.providers.ports import OutgoingUpdate
from payments.rails.services.routing import circuit

P = TypeVar("P", bound=OutgoingPayment)


@dataclass(frozen=True, slots=True, kw_only=True)
class Product(Generic[P]):
    """One kind of outgoing payment.

    name      names the kinds of its entries, its callbacks' URL and its circuits.
    port      returns the adapter with this code. Raises UnknownProvider.
    request   what the port's `send` takes. Called outside transactions, with a row just read.
    task      the Celery task that sends one sooner than the scan.
    is_on     whether operators let the product send anything.
    may_send  called before every call that may send the payment, also before a repeated one, with
              its row locked; False keeps hold and turn.
    refusal   called outside transactions before a PENDING one is handed over, and may call a rail.
              Returns the OutgoingReason with which it ends unsent, or an empty text.
    other_accounts  where else a payment can go that certainly did not reach its account: for each,
              the fields of the row that change, `provider` among them. Read only then.
    on_update  called with each report of an open payment's rail, with its row locked, before the
              report changes the status.
    on_final  called in the transaction of each final state, before the postings.
    rides_on  another product, over whose rails it may be sent: its callbacks may come to that one.
    rides     whether this payment goes over those rails. Then it waits while that product is off.
    on_funds_released  called in that transaction, after the postings, when the merchant has its
              money again.
    """

    name: str
    model: type[P]
    port: Callable[[str], Any]
    request: Callable[[P], Any]
    task: str
    rides_on: str = ""
    rides: Callable[[P], bool] = lambda _payment: False
    is_on: Callable[[], bool] = lambda: True
    may_send: Callable[[P], bool] = lambda _payment: True
    refusal: Callable[[P, datetime], str] | None = None
    other_accounts: Callable[[P], Iterator[Mapping[str, str]]] = lambda _payment: iter(())
    on_update: Callable[[P, OutgoingUpdate], None] = lambda _payment, _update: None
    on_final: Callable[[P, datetime], None] = lambda _payment, _now: None
    on_funds_released: Callable[[P, datetime], None] = lambda _payment, _now: None

    def circuit(self, provider: str) -> str:
        """The circuit breaker of sending.

        Each product has its own, because a provider may fail for one product only.
        """
        return circuit(self.name, provider)

    def money(self, payment: P) -> recipes.Outgoing:
        return recipes.Outgoing(
            product=self.name,
            payment_id=payment.pk,
            merchant_id=payment.merchant_id,
            currency=payment.currency,
            amount=payment.paid_amount,
            fee=payment.fee_amount,
            debit=payment.debit,
            rail=payment.rail,
            account=payment.provider,
            paid_in=payment.paid_in,
        )
