"""The three products as the experiments and the invariants see them: only what differs."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from payments.bills.api import BillPaymentDetail
from payments.bills.services.engine import engine as bills_engine
from payments.outgoing.engine import Engine
from payments.payout.api import PayoutDetail
from payments.payout.services.engine import engine as payout_engine
from payments.simulator import fake_billers, magic
from payments.simulator.magic import OutgoingProduct
from payments.topup.api import TopupDetail
from payments.topup.services.engine import engine as topup_engine
from tests.support import bills
from tests.support.factories import payout_body
from tests.support.topups import topup_body

# What each of the bodies below costs with its fee, unless a bill has an amount of its own.
PRICE = Decimal(102_500)
# No bill of the simulator costs more with its fee.
MOST = Decimal(fake_billers.MOST + bills.FEE)
# The seven behaviours of a rail (F4).
BEHAVIOURS = (
    "clean",
    "refused",
    "slow",
    "answer-lost-after",
    "answer-lost-before",
    "error-after",
    "query-unavailable",
)
ORDINARY_PHONE = "3001234567"
RAIL_CODE = f"SIM-{bills.AGREEMENT}"
KEYS = {
    product: {magic.name: key for key, magic in rows.items()}
    for product, rows in magic.OUTGOING_BY_KEY.items()
}


@dataclass(frozen=True, slots=True)
class Kind:
    """One product.

    engine   sends and asks; its product has the table.
    detail   the serializer of the answers, with the payment's id in `id_field`.
    path     of the POST.
    begins   the state in which a payment is created.
    body     a request of its own whose rail behaves as the name says; "clean" costs PRICE.
    """

    product: OutgoingProduct
    engine: Engine[Any]
    detail: Any
    id_field: str
    path: str
    begins: str
    body: Callable[[str], dict[str, Any]]

    @property
    def model(self) -> Any:
        return self.engine.product.model


def _payout(magic: str) -> dict[str, Any]:
    document = KEYS[OutgoingProduct.PAYOUT].get(magic)
    return payout_body(**({"recipientDocNumber": document} if document else {}))


def _topup(magic: str) -> dict[str, Any]:
    return topup_body(
        phone=KEYS[OutgoingProduct.TOPUP].get(magic, ORDINARY_PHONE), amountCop=int(PRICE)
    )


def _bill(magic: str) -> dict[str, Any]:
    """Clean ones are of the rail's row whose bills take more than one amount."""
    is_clean = magic == "clean"
    while True:
        reference = bills.reference("amount-range" if is_clean else magic)
        (owed,) = fake_billers.bills(RAIL_CODE, reference)
        amount = PRICE - bills.FEE if is_clean else owed.amount
        if fake_billers.is_accepted(owed, amount):
            return bills.body_of(reference, int(amount))


PAYOUT = Kind(
    OutgoingProduct.PAYOUT, payout_engine, PayoutDetail, "payoutId", "/payout", "PENDING", _payout
)
TOPUP = Kind(OutgoingProduct.TOPUP, topup_engine, TopupDetail, "id", "/topup", "PROCESSING", _topup)
BILL = Kind(
    OutgoingProduct.BILL, bills_engine, BillPaymentDetail, "id", "/bills/pay", "PROCESSING", _bill
)
KINDS = (PAYOUT, TOPUP, BILL)
# Their rail is called inside the request.
AT_ONCE = (TOPUP, BILL)


def id_of(data: dict[str, Any]) -> str:
    """The id of the payment that an answer is about."""
    return data[kind_of(data).id_field]


def kind_of(data: dict[str, Any]) -> Kind:
    """What an answer is about."""
    if "payoutId" in data:
        return PAYOUT
    return TOPUP if "operatorCode" in data else BILL
