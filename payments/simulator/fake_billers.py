"""What customers owe to the simulated billers, computed from agreement and reference.

An ordinary reference owes one bill until the store has a completed payment of it.
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
NOTHING_OWED = "No tiene facturas pendientes de pago."
EXPIRED = "La factura está vencida y ya no se puede pagar por este medio."
UNKNOWN = "La referencia no existe. Verifique el número e intente de nuevo."
MESSAGES = {Debt.NOTHING: NOTHING_OWED, Debt.EXPIRED: EXPIRED, Debt.UNKNOWN: UNKNOWN}


def check(agreement_code: str, bill_reference: str) -> BillCheck:
    """What is owed now. Checks of a debt that changes are counted in the store."""
    bill = magic.plain(bill_reference)
    if not agreement_code or not bill:
        return BillCheck(products=(), supplier_message=UNKNOWN)
    debt = magic.for_outgoing(OutgoingProduct.BILL, bill).debt
    if debt in MESSAGES:
        return BillCheck(products=(), supplier_message=MESSAGES[debt])
    if debt is Debt.CHANGED:
        store.count_call(_name(agreement_code, bill), "check")
    payments = store.outgoing.at(OutgoingProduct.BILL, agreement_code, bill)
    paid = items(payments, OutgoingState.COMPLETED)
    owed = tuple(one for one in bills(agreement_code, bill) if one.code_record not in paid)
    return BillCheck(products=owed, supplier_message="" if owed else NOTHING_OWED)


def bills(agreement_code: str, bill_reference: str) -> tuple[BillProduct, ...]:
    """Every bill of the reference, paid or not, with its present amount."""
    bill = magic.plain(bill_reference)
    debt = magic.for_outgoing(OutgoingProduct.BILL, bill).debt
    if not agreement_code or not bill or debt in MESSAGES:
        return ()
    number = SEVERAL if debt is Debt.SEVERAL else 1
    found = tuple(_bill(agreement_code, bill, place) for place in range(number))
    if debt is Debt.RANGE:
        return tuple(
            replace(one, min_amount=one.amount // 2, max_amount=one.amount * 2) for one in found
        )
    if debt is Debt.CHANGED and store.calls(_name(agreement_code, bill), "check") > 1:
        return tuple(replace(one, amount=one.amount + RISE) for one in found)
    return found


def items(payments: Iterable[OutgoingRecord], *states: OutgoingState) -> frozenset[str]:
    """The code records of the bills whose payment is in one of these states."""
    return frozenset(one.item for one in payments if one.state in states)


def is_accepted(bill: BillProduct, amount: Decimal) -> bool:
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


def _name(agreement_code: str, bill: str) -> str:
    return f"{agreement_code}\0{bill}"
