"""Queries what is owed on a reference, and selects the bill that the merchant wants to pay."""

from decimal import Decimal

import structlog

from payments.bills.models import Agreement
from payments.bills.services.agreements import code_of
from payments.bills.services.engine import PRODUCT, PROVIDERS
from payments.bills.services.errors import BillChanged, BillSelectionRequired, NoPendingBill
from payments.outgoing.errors import RailUnavailable
from payments.outgoing.models import check_limits
from payments.providers import breaker, ports, registry

log = structlog.get_logger(__name__)
# For payers, if the biller has no message; in their language.
NOTHING_OWED = "No hay facturas pendientes de pago."


def check_debt(agreement: Agreement, reference: str, timeout: float) -> ports.BillCheck:
    """Queries the rail, so never call it inside a transaction. `timeout` is in seconds.

    A result without products always has a message. Raises RailUnavailable.
    """
    try:
        port = PROVIDERS.configured()
        # A circuit for each biller: one that does not respond must not stop the others.
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
    """The bill that the merchant wants to pay, if it is owed and takes this amount.

    Raises NoPendingBill, BillSelectionRequired, BillChanged, AmountBelowMinimum, AmountAboveLimit.
    """
    if not debt.products:
        raise NoPendingBill(debt.supplier_message)
    if code_record is None and len(debt.products) > 1:
        raise BillSelectionRequired(debt.products)
    wanted = [one for one in debt.products if code_record in (None, one.code_record)]
    if not wanted:
        raise BillChanged(debt.products, "codeRecord")
    bill = wanted[0]
    if bill.min_amount is None and bill.max_amount is None and amount != bill.amount:
        raise BillChanged(debt.products, "amountCop")
    check_limits(amount, bill.min_amount, bill.max_amount, "amountCop")
    return bill
