"""The port of rails that pay bills, and its values."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from payments.providers.ports.outgoing import OutgoingPort, OutgoingRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class BillProduct:
    """One bill that may be paid now (contract, Bill check result).

    code_record  the rail's name of the bill: stable while it is owed, unique for its reference,
                 at most 64 characters.
    amount       what is owed, in COP.
    min_amount   the least and
    max_amount   the most that may be paid, in COP. Without both exactly `amount` is accepted;
                 without one there is no limit on that side.
    """

    code_record: str
    description: str
    amount: Decimal
    min_amount: Decimal | None = None
    max_amount: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BillCheck:
    """What is owed on a reference now. Without products nothing can be paid.

    supplier_message  the biller's text for the payer, in the biller's language.
    """

    products: tuple[BillProduct, ...]
    supplier_message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BillRequest(OutgoingRequest):
    """
    agreement_code  the RAIL's own code of the agreement.
    bill_reference  the payer's reference at the biller, as in `check`.
    code_record     of the `BillProduct` that is paid.
    """

    agreement_code: str
    bill_reference: str
    code_record: str


class BillPort(OutgoingPort[BillRequest], Protocol):
    """Most rails report the end at once, some only by callback or query.

    `send` refuses a bill that is not owed with NOT_OWED, also when another reference paid it, and
    an amount outside the range of the product with AMOUNT_NOT_ACCEPTED.
    """

    def check(self, agreement_code: str, bill_reference: str, timeout: float) -> BillCheck:
        """Returns what is owed. Changes nothing at the provider.

        A reference that the biller does not know is a result: no products and a message.
        `timeout` is in seconds. ProviderUnreachable and ProviderTimeout mean the same here: check
        again later.
        """
        ...
