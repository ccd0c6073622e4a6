"""What a line is to its payment's engine, and to the file."""

from dataclasses import dataclass
from decimal import Decimal

from payments.payment_files import pab
from payments.payment_files.models import BatchLine, LineStatus
from payments.providers.ports import OutgoingState, OutgoingUpdate

STATES = {
    LineStatus.PENDING: OutgoingState.PENDING,
    LineStatus.COMPLETED: OutgoingState.COMPLETED,
    LineStatus.FAILED: OutgoingState.FAILED,
    LineStatus.RETURNED: OutgoingState.RETURNED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLine:
    """A payment as it is kept: with what a file needs of it."""

    reference: str
    payment_id: str
    recipient_name: str
    document_type: str
    document: str
    bank: str
    account_type: str
    account_number: str
    amount: Decimal


def update_of(line: BatchLine) -> OutgoingUpdate:
    """What the line says of its payment."""
    return OutgoingUpdate(
        reference=line.reference,
        provider_id=line.code,
        state=STATES[LineStatus(line.status)],
        reason=line.reason,
        occurred_at=line.decided_at or line.created_at,
        amount=line.amount,
    )


def detail_of(line: NewLine | BatchLine, code: str) -> pab.Detail:
    return pab.Detail(
        document_type=line.document_type,
        document=line.document,
        name=line.recipient_name,
        bank=line.bank,
        account=line.account_number,
        account_type=pab.AccountType(line.account_type),
        amount=line.amount,
        reference=code,
    )
