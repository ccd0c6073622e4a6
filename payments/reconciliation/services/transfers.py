"""The transfers that payers were asked for, and what the bank's lines say of them."""

from datetime import datetime
from decimal import Decimal

from payments.core.ids import is_id
from payments.core.money import FIAT
from payments.providers import ports
from payments.rails.services import wire_references
from payments.reconciliation.models import AwaitedTransfer, LineMatch, MatchKind
from payments.reconciliation.models.statements import StatementLine


def await_transfer(
    *, account: str, reference: str, amount: Decimal, expires_at: datetime, now: datetime
) -> AwaitedTransfer:
    """The same however often it is called."""
    ours = wire_references.find_ours(account, reference)
    new = AwaitedTransfer(
        account=account,
        reference=reference,
        charge_id=ours if is_id(ours, "chg") else "",
        amount=amount,
        expires_at=expires_at,
        created_at=now,
    )
    AwaitedTransfer.objects.bulk_create([new], ignore_conflicts=True)
    return AwaitedTransfer.objects.get(account=account, reference=reference)


def find_transfer(*, account: str, reference: str) -> AwaitedTransfer | None:
    return AwaitedTransfer.objects.filter(account=account, reference=reference).first()


def update_of(awaited: AwaitedTransfer) -> ports.ChargeUpdate:
    """All that was ever matched counts: an operator who takes a match back opens a dispute."""
    matches = LineMatch.objects.filter(transfer=awaited, kind=MatchKind.CHARGE)
    found = list(matches.select_related("line").order_by("decided_at", "id"))
    received = sum((one.amount for one in found), Decimal(0))
    return ports.ChargeUpdate(
        reference=awaited.reference,
        provider_id=awaited.reference,
        status=_status(awaited, received),
        received=received,
        currency=FIAT,
        trace_code=trace_code(found[0].line) if found else "",
        last_trace_code=trace_code(found[-1].line) if found else "",
        occurred_at=found[-1].line.created_at if found else awaited.created_at,
    )


def trace_code(line: StatementLine) -> str:
    """The bank's name of the operation, else where the line stands."""
    return line.operation_id or f"{line.file_id}:{line.file_line}"


def _status(awaited: AwaitedTransfer, received: Decimal) -> ports.ChargeStatus:
    if received >= awaited.amount:
        return ports.ChargeStatus.SUCCEEDED
    return ports.ChargeStatus.RECEIVED if received else ports.ChargeStatus.PENDING
