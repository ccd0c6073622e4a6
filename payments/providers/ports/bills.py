"""The port every rail that pays bills is plugged into, and the values that pass through it."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from payments.providers.ports.outgoing import OutgoingPort, OutgoingUpdate


@dataclass(frozen=True, slots=True, kw_only=True)
class BillProduct:
    """One bill that may be paid now (contract, Bill check result).

    code_record  the rail's name of the bill: stable while it is owed, unique for its reference,
                 at most 64 characters.
    amount       COP: what is owed.
    min_amount   COP: with max_amount, the least and the most that may be paid, both included. None
    max_amount   for both: exactly `amount`. None for one: no limit on that side.
    """

    code_record: str
    description: str
    amount: Decimal
    min_amount: Decimal | None = None
    max_amount: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BillCheck:
    """What is owed on one reference now. No products: nothing can be paid, and why.

    supplier_message  the biller's own text, for the payer, in the biller's language.
    """

    products: tuple[BillProduct, ...]
    supplier_message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BillRequest:
    """Everything a rail needs to know.

    reference       ours, stored before the call. It is the idempotency key at the provider: one
                    reference is one execution, however often it is sent.
    payment_id      our bill payment. For the provider's records and ours; not a key over there.
    agreement_code  the RAIL's own code of the agreement.
    bill_reference  the payer's reference at the biller, as it was given to `check`.
    code_record     of the `BillProduct` that is paid.
    amount          COP, quantised by the caller; what the biller gets.
    callback_url    where the provider reports what happened: POST, read by `read_callback`.
    """

    reference: str
    payment_id: str
    agreement_code: str
    bill_reference: str
    code_record: str
    amount: Decimal
    callback_url: str


class BillPort(OutgoingPort, Protocol):
    """A provider of bill payments. Most report the end at once; some only by callback or query."""

    def check(self, agreement_code: str, bill_reference: str, timeout: float) -> BillCheck:
        """Queries what is owed; changes nothing over there.

        A reference that the biller does not know is a result: no products and a message.
        `timeout` is the longest the call may take, in seconds. Raises ProviderUnreachable or
        ProviderTimeout, which here mean the same: nothing was learned, query later.
        """
        ...

    def send(self, request: BillRequest, timeout: float) -> OutgoingUpdate:
        """Pays the bill. Promises and errors: `OutgoingPort`.

        Refuses with NOT_OWED a bill that is not owed (any more), also when another reference paid
        it, and with AMOUNT_NOT_ACCEPTED an amount outside the range of the product.
        """
        ...
