"""What the statement of the bank account says of the lines of payment files.

Reconciliation calls these in the transaction in which it decides about a movement. The amounts are
above zero. `source` names the movement and is the same in every call about it.
"""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal

from django.db import transaction

from payments.core import audit
from payments.payment_files.models import BatchLine, FindingKind, LineFinding, LineStatus
from payments.payment_files.services import codes
from payments.payment_files.services.decisions import Decision, decide, lock_line, save
from payments.payment_files.services.findings import Movement, record_finding
from payments.providers.ports import OutgoingReason

BANK = "bank"


def find_line(account_slugs: Sequence[str], code: str) -> BatchLine | None:
    """By the code that the statement shows, which may be padded with zeros on its left."""
    digits = code.strip().lstrip("0")
    if not codes.is_code(digits):
        return None
    return BatchLine.objects.filter(account__in=account_slugs, code=digits).first()


@transaction.atomic
def apply_debit(
    *, line: BatchLine, amount: Decimal, booked_on: date, source: str, now: datetime
) -> LineFinding | None:
    """The account was debited for the line, which is COMPLETED if it was not.

    Returns None if this is its debit, also when it was applied before. Else nothing is applied, and
    the finding waits for an operator. Once that is closed, a line that FAILED takes its debit.
    """
    movement = Movement(amount=amount, booked_on=booked_on, source=source)
    locked = lock_line(line.pk)
    if locked.debit_source == source:
        return None
    kind = _objection_to_debit(locked, amount)
    if kind is not None and not _is_accepted(locked, kind, source):
        return record_finding(locked, kind, movement, now)
    debit = {"debit_source": source, "debited_on": booked_on}
    if locked.status == LineStatus.PENDING:
        paid = Decision(status=LineStatus.COMPLETED, actor=BANK, note=source)
        decide(locked, paid, now, **debit)
    else:  # an answer of the bank, a person or the return came before the statement's debit
        save(locked, **debit)
    return None


@transaction.atomic
def apply_return(
    *, line: BatchLine, amount: Decimal, booked_on: date, source: str, now: datetime
) -> LineFinding | None:
    """A credit gives the payment back: the line is RETURNED. Returns as apply_debit."""
    movement = Movement(amount=amount, booked_on=booked_on, source=source)
    locked = lock_line(line.pk)
    if locked.return_source == source:
        return None
    kind = _objection_to_return(locked, amount)
    if kind is not None and not _is_accepted(locked, kind, source):
        return record_finding(locked, kind, movement, now)
    credit = {"return_source": source, "returned_on": booked_on}
    if locked.status != LineStatus.RETURNED and kind is None:
        came_back = Decision(
            status=LineStatus.RETURNED,
            actor=BANK,
            reason=OutgoingReason.REFUSED_BY_BANK,
            note=source,
        )
        decide(locked, came_back, now, **credit)
    else:  # a person or the bank's answer said so before, or its finding is closed
        save(locked, **credit)
    return None


@transaction.atomic
def withdraw_movement(
    *, line: BatchLine, source: str, actor: str, reason: str, now: datetime
) -> None:
    """The movement turned out to be about something else.

    The payment keeps its state, because the merchant has heard of it. So an operator is called, and
    the line waits for its true movement.
    """
    locked = lock_line(line.pk)
    if source and source == locked.debit_source:
        was, gone = locked.debited_on, {"debit_source": "", "debited_on": None}
    elif source and source == locked.return_source:
        was, gone = locked.returned_on, {"return_source": "", "returned_on": None}
    else:
        return
    save(locked, **gone)
    day = was or now.date()
    movement = Movement(amount=locked.amount, booked_on=day, source=source)
    record_finding(locked, FindingKind.DEBIT_WITHDRAWN, movement, now)
    audit.record(actor=actor, action="batch_line.movement_withdrawn", subject=locked, reason=reason)


def _is_accepted(line: BatchLine, kind: FindingKind, source: str) -> bool:
    """The movement belongs to a line that FAILED, and an operator has closed its finding.

    The line keeps its state. The movement needs its place on the books: the operator may have
    booked the loss there.
    """
    if kind not in (FindingKind.PAID_AFTER_FAILED, FindingKind.RETURN_AFTER_FAILED):
        return False
    return line.findings.filter(kind=kind, source=source, closed_at__isnull=False).exists()


def _objection_to_debit(line: BatchLine, amount: Decimal) -> FindingKind | None:
    if line.handed_over_at is None:
        return FindingKind.NOT_HANDED_OVER
    if line.debit_source:
        return FindingKind.SECOND_DEBIT
    if amount != line.amount:
        return FindingKind.OTHER_AMOUNT
    return FindingKind.PAID_AFTER_FAILED if line.status == LineStatus.FAILED else None


def _objection_to_return(line: BatchLine, amount: Decimal) -> FindingKind | None:
    if line.handed_over_at is None:
        return FindingKind.NOT_HANDED_OVER
    if line.return_source:
        return FindingKind.SECOND_RETURN
    if amount != line.amount:
        return FindingKind.OTHER_AMOUNT
    return FindingKind.RETURN_AFTER_FAILED if line.status == LineStatus.FAILED else None
