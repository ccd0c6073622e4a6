"""What is owed on a reference, and which bill of it a merchant wants to pay."""

from decimal import Decimal

import structlog

from payments.bills.models import Agreement
from payments.bills.services.agreements import code_of
from payments.bills.services.engine import PRODUCT
from payments.bills.services.errors import BillChanged, BillSelectionRequired, NoPendingBill
from payments.outgoing.errors import AmountAboveLimit, AmountBelowMinimum, RailUnavailable
from payments.providers import breaker, ports, registry

log = structlog.get_logger(__name__)
# Where a biller has no message; for payers, in their language.
NOTHING_OWED = "No hay facturas pendientes de pago."


def check_debt(agreement: Agreement, reference: str, timeout: float) -> ports.BillCheck:
    """Queries the rail, so never inside a transaction. `timeout` in seconds. Without products there
    is always a message. Raises RailUnavailable.
    """
    try:
        port = registry.BILL.configured()
        # For each biller: one that does not respond must not stop payments to the others.
        code = code_of(agreement)
        with breaker.require_closed(f"{PRODUCT.circuit(port.code)}:check:{code}"):
            found = port.check(code, reference, timeout)
    except (registry.UnknownProvider, ports.ProviderError) as error:
        log.warning("bills.not_checked", agreement=agreement.pk, error=type(error).__name__)
        raise RailUnavailable from error
    if not found.products and not found.supplier_message:
        return ports.BillCheck(products=(), supplier_message=NOTHING_OWED)
    return found


def select_bill(
    debt: ports.BillCheck, code_record: str | None, amount: Decimal
) -> ports.BillProduct:
    """The bill that the merchant means, if it is owed with this amount.

    Raises NoPendingBill, BillSelectionRequired, BillChanged, AmountBelowMinimum, AmountAboveLimit.
    """
    if not debt.products:
        raise NoPendingBill(debt.supplier_message)
    if code_record is None and len(debt.products) > 1:
        raise BillSelectionRequired(debt.products)
    wanted = [one for one in debt.products if code_record in (None, one.code_record)]
    if not wanted:
        raise BillChanged(debt.products, "codeRecord")
    _check_amount(debt, wanted[0], amount)
    return wanted[0]


def _check_amount(debt: ports.BillCheck, bill: ports.BillProduct, amount: Decimal) -> None:
    least, most = bill.min_amount, bill.max_amount
    if least is None and most is None and amount != bill.amount:
        raise BillChanged(debt.products, "amountCop")
    if least is not None and amount < least:
        raise AmountBelowMinimum(least, "amountCop")
    if most is not None and amount > most:
        raise AmountAboveLimit(most, "amountCop")
