"""How tests of payment files talk: the steps of operators, and what the bank shows."""

from typing import Any

from payments.core import clock
from payments.payment_files.models import BatchLine
from payments.payment_files.services import bank_debits
from payments.payout.models import Payout
from payments.payout.services.engine import engine
from tests.support import payouts

ACCOUNT = "bancolombia-pagos"


def pay(api: Any, **changes: Any) -> tuple[Payout, BatchLine]:
    """A payout that the merchant asked for, and its line."""
    payout = payouts.create(api, **changes)
    engine.process_due(now=clock.now())
    payout.refresh_from_db()
    return payout, BatchLine.objects.get(payment_id=payout.pk)


def handed_over(line: BatchLine) -> BatchLine:
    BatchLine.objects.filter(pk=line.pk).update(handed_over_at=clock.now())
    line.refresh_from_db()
    return line


def debit(line: BatchLine, source: str = "stl_1", **changes: Any) -> Any:
    return _movement(bank_debits.apply_debit, line, source, changes)


def give_back(line: BatchLine, source: str = "stl_9", **changes: Any) -> Any:
    return _movement(bank_debits.apply_return, line, source, changes)


def _movement(apply: Any, line: BatchLine, source: str, changes: dict[str, Any]) -> Any:
    now = clock.now()
    given = {"amount": line.amount, "booked_on": now.date(), "source": source, **changes}
    found = apply(line=line, now=now, **given)
    line.refresh_from_db()
    return found
