"""Refusals of bill payments, with the codes of docs/gaps.md."""

from collections.abc import Iterable

from payments.core import money
from payments.core.errors import ServiceError, Unavailable
from payments.providers.ports import BillProduct


class BillPaymentNotEnabled(ServiceError):
    """503: the operator has not enabled bill payments for the merchant (contract, Bill payments).

    No Retry-After: an operator has to act.
    """

    status = 503
    code = "BILL_PAYMENT_NOT_ENABLED"
    message = "Bill payment by API is not enabled for this merchant."


class BillsSwitchedOff(Unavailable):
    """503: no bills are paid now, for any merchant."""

    message = "Bill payments are temporarily disabled."


class NoPendingBill(ServiceError):
    """400: nothing is owed, or it is being paid already.

    `details.supplierMessage`: the biller's own words, where it has any.
    """

    code = "NO_PENDING_BILL"
    message = "There is no bill to pay for this reference."

    def __init__(self, supplier_message: str = "") -> None:
        details = {"supplierMessage": supplier_message} if supplier_message else None
        super().__init__(details=details)


class BillSelectionRequired(ServiceError):
    """400: several bills are owed and `codeRecord` is missing. `details.products`."""

    code = "BILL_SELECTION_REQUIRED"
    message = "Several bills are owed for this reference. Say which with codeRecord."

    def __init__(self, products: Iterable[BillProduct]) -> None:
        super().__init__(details={"field": "codeRecord", "products": _serialize(products)})


class BillChanged(ServiceError):
    """400: the debt is not what the merchant saw. `details.products`: what is owed now."""

    code = "BILL_CHANGED"
    message = "The debt has changed. Check it again."

    def __init__(self, products: Iterable[BillProduct], field: str) -> None:
        is_amount = field != "codeRecord"
        super().__init__(
            "The amount does not match what is owed: see details.products."
            if is_amount
            else "No bill with this codeRecord is owed: see details.products.",
            details={"field": field, "products": _serialize(products)},
        )


def _serialize(products: Iterable[BillProduct]) -> list[dict[str, object]]:
    """As POST /bills/check returns them."""
    return [
        {
            "codeRecord": product.code_record,
            "description": product.description,
            "amount": money.number(product.amount),
            "minAmount": money.number(product.min_amount),
            "maxAmount": money.number(product.max_amount),
        }
        for product in products
    ]
