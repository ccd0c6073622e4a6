"""What the simulated billers' customers owe: a function of agreement and reference, and of the
payments in the store.

An ordinary reference owes one bill until it is paid. A check stores nothing.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

from payments.providers.ports import BillCheck, BillProduct, OutgoingState
from payments.simulator import magic, store
from payments.simulator.magic import Debt, OutgoingProduct
from payments.simulator.records import OutgoingRecord

# Whole pesos.
LEAST, MOST = 20_000, 200_000
RISE = 5_000
SEVERAL = 3
RANGE_FACTOR = 2
NOTHING_OWED = "No tiene facturas pendientes de pago."
EXPIRED = "La factura está vencida y ya no se puede pagar por este medio."
UNKNOWN = "La referencia no existe. Verifique el número e intente de nuevo."
MESSAGES = {Debt.NOTHING: NOTHING_OWED, Debt.EXPIRED: EXPIRED, Debt.UNKNOWN: UNKNOWN}


def check(agreement_code: str, bill_reference: str) -> BillCheck:
    """What is owed now. Checks of a debt that changes are counted."""
    bill = magic.plain(bill_reference)
    if not agreement_code or not bill:
        return BillCheck(products=(), supplier_message=UNKNOWN)
    debt = magic.for_outgoing(OutgoingProduct.BILL, bill).debt
    if debt in MESSAGES:
        return BillCheck(products=(), supplier_message=MESSAGES[debt])
    if debt is Debt.CHANGED:
        store.count_call(_name(agreement_code, bill), "check")
    paid = paid_items(store.outgoing.at(OutgoingProduct.BILL, agreement_code, bill))
    owed = tuple(one for one in bills(agreement_code, bill) if one.code_record not in paid)
    return BillCheck(products=owed, supplier_message="" if owed else NOTHING_OWED)


def bills(agreement_code: str, bill_reference: str) -> tuple[BillProduct, ...]:
    """Every bill of the reference, paid or not, with the amount that it has now."""
    bill = magic.plain(bill_reference)
    debt = magic.for_outgoing(OutgoingProduct.BILL, bill).debt
    if not agreement_code or not bill or debt in MESSAGES:
        return ()
    number = SEVERAL if debt is Debt.SEVERAL else 1
    found = tuple(_bill(agreement_code, bill, place) for place in range(number))
    if debt is Debt.RANGE:
        return tuple(_with_range(one) for one in found)
    if debt is Debt.CHANGED and store.calls(_name(agreement_code, bill), "check") > 1:
        return tuple(replace(one, amount=one.amount + RISE) for one in found)
    return found


def paid_items(records: Iterable[OutgoingRecord]) -> frozenset[str]:
    """The code records of what was paid and did not come back. What is under way is still owed."""
    return frozenset(one.item for one in records if one.state is OutgoingState.COMPLETED)


def taken_items(records: Iterable[OutgoingRecord]) -> frozenset[str]:
    """Those, and what is under way: no other payment of it may begin now."""
    states = (OutgoingState.COMPLETED, OutgoingState.PENDING)
    return frozenset(one.item for one in records if one.state in states)


def is_accepted(bill: BillProduct, amount: Decimal) -> bool:
    """Whether the biller takes this amount for the bill."""
    if bill.min_amount is None or bill.max_amount is None:
        return amount == bill.amount
    return bill.min_amount <= amount <= bill.max_amount


def _bill(agreement_code: str, bill: str, place: int) -> BillProduct:
    digest = hashlib.sha256(f"{_name(agreement_code, bill)}\0{place}".encode()).digest()
    amount = LEAST + int.from_bytes(digest[:8]) % (MOST - LEAST + 1)
    return BillProduct(
        code_record=f"{int.from_bytes(digest[8:16]) % 10**12:012d}",
        description=f"Factura {bill}-{place + 1}",
        amount=Decimal(amount),
    )


def _with_range(bill: BillProduct) -> BillProduct:
    least, most = bill.amount // RANGE_FACTOR, bill.amount * RANGE_FACTOR
    return replace(bill, min_amount=least, max_amount=most)


def _name(agreement_code: str, bill: str) -> str:
    return f"{agreement_code}\0{bill}"
