"""The payout adapter of accounts that are paid by file. It answers from the tables of batches."""

from datetime import datetime

from django.db import DatabaseError

from payments.core import clock
from payments.payment_files import banks, pab
from payments.payment_files.lines import NewLine, detail_of, update_of
from payments.payment_files.models import BatchLine
from payments.payment_files.services import queue
from payments.providers.account import RailAccount
from payments.providers.ports import (
    Callback,
    InvalidCallback,
    Known,
    OutgoingReason,
    OutgoingState,
    OutgoingUpdate,
    PayoutBank,
    PayoutNetwork,
    PayoutRequest,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnreachable,
)

# The shortest code. Files never have it.
_NO_CODE = "100000000"


class FilePayout:
    """Implements PayoutPort. The bank is reached by a person with a file, so nothing is called."""

    def __init__(self, account: RailAccount) -> None:
        self.code = account.slug

    def networks(self) -> frozenset[PayoutNetwork]:
        """The format has no instant keys."""
        return frozenset({PayoutNetwork.BANK})

    def payout_banks(self) -> tuple[PayoutBank, ...]:
        return banks.BANKS

    def send(self, request: PayoutRequest, timeout: float) -> OutgoingUpdate:
        """Adds the payment to the open batch.

        While the first statement fails, nothing was written. A failure after that may have been
        one of the commit.
        """
        found = self._find(request.reference)
        if found is not None:
            return update_of(found)
        new = _line_of(request)
        try:
            return update_of(queue.add_line(account=self.code, new=new, now=clock.now()))
        except DatabaseError as error:
            raise ProviderTimeout("the batch was perhaps not written") from error

    def query(self, known: Known) -> OutgoingUpdate:
        found = self._find(known.reference)
        if found is not None:
            return update_of(found)
        return OutgoingUpdate(
            reference=known.reference,
            provider_id="",
            state=OutgoingState.UNKNOWN,
            occurred_at=clock.now(),
        )

    def find_reference(self, provider_id: str) -> str:
        return ""

    def read_callback(self, callback: Callback, now: datetime) -> OutgoingUpdate:
        raise InvalidCallback("a bank that gets files sends no messages")

    def _find(self, reference: str) -> BatchLine | None:
        try:
            return queue.find_line(account=self.code, reference=reference)
        except DatabaseError as error:
            raise ProviderUnreachable("the batches cannot be read") from error


def _line_of(request: PayoutRequest) -> NewLine:
    """Raises ProviderRefused for what no file can pay: known now, and not when it is made."""
    if request.network is not PayoutNetwork.BANK:
        raise ProviderRefused(OutgoingReason.INVALID_REQUEST, "the format has no instant keys")
    bank = banks.ach_code(request.bank_code)
    account_type = banks.account_type(bank, request.account_type)
    if not bank or account_type is None:
        raise ProviderRefused(OutgoingReason.INVALID_REQUEST, "no bank or type of the format")
    new = NewLine(
        reference=request.reference,
        payment_id=request.payment_id,
        recipient_name=request.recipient_name[:200],
        document_type=request.document_type,
        document=request.document_number,
        bank=bank,
        account_type=account_type.value,
        account_number=request.account_number,
        amount=request.amount,
    )
    try:
        pab.check(detail_of(new, _NO_CODE))
    except pab.NotEncodable as error:
        raise ProviderRefused(OutgoingReason.INVALID_REQUEST, str(error)) from error
    return new
