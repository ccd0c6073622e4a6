"""The bill port of the simulator: every reference of every agreement."""

from functools import partial
from typing import ClassVar

from payments.providers.ports import (
    BillCheck,
    BillRequest,
    OutgoingReason,
    OutgoingUpdate,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnavailable,
)
from payments.simulator import bill_world, outage, outgoing_magic, waiting
from payments.simulator.outgoing import SimulatorOutgoing
from payments.simulator.outgoing_books import OutgoingRecord
from payments.simulator.outgoing_magic import Debt, Product


class SimulatorBills(SimulatorOutgoing):
    """Implements BillPort. How it can be made to misbehave is in docs/simulator.md."""

    product: ClassVar[Product] = Product.BILL

    def check(self, agreement_code: str, bill_reference: str, timeout: float) -> BillCheck:
        """What `bill_world` says is owed."""
        outage.check()
        debt = outgoing_magic.of(self.product, bill_reference).debt
        if debt is Debt.UNAVAILABLE:
            raise ProviderUnavailable("The simulator does not answer checks (magic value).")
        if debt is Debt.SLOW:
            waiting.hang(min(timeout, outgoing_magic.SLOW_SECONDS))
            raise ProviderTimeout("No answer came in time (magic value).")
        return bill_world.check(agreement_code, bill_reference)

    def send(self, request: BillRequest, timeout: float) -> OutgoingUpdate:
        """Pays the bill at once."""
        return self._send(
            request.reference,
            request.bill_reference,
            _draft(request),
            partial(_refuse, request),
            timeout,
        )


def _refuse(request: BillRequest, others: list[OutgoingRecord]) -> None:
    if request.amount <= 0:
        raise ProviderRefused(OutgoingReason.INVALID_REQUEST, "There is nothing to pay.")
    owed = bill_world.bills(request.agreement_code, request.bill_reference)
    bills = {bill.code_record: bill for bill in owed}
    bill = bills.get(request.code_record)
    if bill is None or bill.code_record in bill_world.taken_items(others):
        raise ProviderRefused(OutgoingReason.NOT_OWED, "This bill is not owed, or no longer.")
    if not bill_world.is_accepted(bill, request.amount):
        raise ProviderRefused(OutgoingReason.AMOUNT_NOT_ACCEPTED, "The bill has another amount.")


def _draft(request: BillRequest) -> partial[OutgoingRecord]:
    return partial(
        OutgoingRecord,
        reference=request.reference,
        payment_id=request.payment_id,
        rail=request.agreement_code,
        destination=outgoing_magic.plain(request.bill_reference),
        item=request.code_record,
        amount=request.amount,
        callback_url=request.callback_url,
    )
