"""The bill port of the simulator, which knows every reference of every agreement."""

from typing import ClassVar

from payments.providers.ports import (
    BillCheck,
    BillRequest,
    OutgoingReason,
    OutgoingState,
    ProviderRefused,
    ProviderUnreachable,
)
from payments.simulator import failures, fake_billers, magic
from payments.simulator.magic import Debt, OutgoingProduct
from payments.simulator.outgoing import Details, SimulatorOutgoing
from payments.simulator.records import OutgoingRecord


class SimulatorBills(SimulatorOutgoing[BillRequest]):
    """Implements BillPort."""

    product: ClassVar[OutgoingProduct] = OutgoingProduct.BILL

    def check(self, agreement_code: str, bill_reference: str, timeout: float) -> BillCheck:
        failures.check_outage()
        debt = magic.for_outgoing(self.product, bill_reference).debt
        if debt is Debt.UNAVAILABLE:
            raise ProviderUnreachable("The simulator does not answer checks (magic value).")
        if debt is Debt.SLOW:
            failures.be_late(timeout)
        return fake_billers.check(agreement_code, bill_reference)

    def key(self, request: BillRequest) -> str:
        return request.bill_reference

    def details(self, request: BillRequest) -> Details:
        return Details(
            rail=request.agreement_code,
            destination=magic.plain(request.bill_reference),
            item=request.code_record,
        )

    def refuse(self, request: BillRequest, others: list[OutgoingRecord]) -> None:
        """Refuses a bill that is not owed, or that another payment has paid or is paying."""
        owed = fake_billers.bills(request.agreement_code, request.bill_reference)
        bill = {one.code_record: one for one in owed}.get(request.code_record)
        paying = fake_billers.items(others, OutgoingState.COMPLETED, OutgoingState.PENDING)
        if bill is None or bill.code_record in paying:
            raise ProviderRefused(OutgoingReason.NOT_OWED, "This bill is not owed, or no longer.")
        if not fake_billers.is_accepted(bill, request.amount):
            reason = OutgoingReason.AMOUNT_NOT_ACCEPTED
            raise ProviderRefused(reason, "The bill has another amount.")
