"""Orders that are paid by transfer to the operator's own account, and what its statements say."""

from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import time_machine

from payments.collect.models import Charge, Order
from payments.core import clock
from payments.core.days import BOGOTA
from payments.ledger.models import Posting
from payments.reconciliation.models import StatementLine
from payments.reconciliation.services.matching import due_lines
from tests.rails.accounts import enter, route
from tests.reconciliation.lines import CREDENTIALS, own_account
from tests.support.charges import create, start

NAME = "Ana María Prueba López"


def open_shop():
    """The bank account, and the rail that shows it to payers."""
    account = own_account()
    enter("own", "bankfile", "", CREDENTIALS)
    route("payin", "own")
    return account


def at(day: date, hour: int = 10, minute: int = 0) -> datetime:
    return datetime.combine(day, time(hour, minute), tzinfo=BOGOTA)


def order_on(
    api: Any,
    moment: datetime,
    amount: int = 50_000,
    document: str = "1020304050",
    name: str = NAME,
    **changes: Any,
) -> tuple[Order, str]:
    """An order whose payer was shown the account, and the reference on the page."""
    customer = {"customerName": name, "customerDocNumber": document}
    with time_machine.travel(moment, tick=False):
        order = create(api, amount=amount, **customer, **changes)
        charge = start(order, "BANK_TRANSFER")
    return order, charge.reference_at_rail


def match(now: datetime | None = None) -> None:
    due_lines.match_due(now=now or clock.now())


def state(line: StatementLine) -> str:
    line.refresh_from_db()
    return line.status


def status(order: Order) -> str:
    order.refresh_from_db()
    return order.status


def charge_of(order: Order) -> Charge:
    return order.charges.order_by("-id").first()


def books(code: str) -> Decimal:
    postings = Posting.objects.filter(account__code=code)
    return sum((one.amount for one in postings), Decimal(0))
