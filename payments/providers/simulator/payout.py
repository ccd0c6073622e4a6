"""The payout port of the simulator: bank accounts and instant keys."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import ClassVar

from payments.core import clock, ids
from payments.providers.ports import (
    PayoutNetwork,
    PayoutReason,
    PayoutRequest,
    PayoutState,
    PayoutUpdate,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnavailable,
)
from payments.providers.registry import SIMULATOR
from payments.providers.simulator import (
    books,
    payout_books,
    payout_callbacks,
    payout_control,
    payout_magic,
)
from payments.providers.simulator.banks import BANKS
from payments.providers.simulator.payout_books import PayoutRecord
from payments.providers.simulator.payout_magic import Answer, Magic

ACCOUNT_TYPES = ("SAVINGS", "CHECKING")
KEY_TYPES = ("PHONE", "EMAIL", "ALPHANUMERIC", "ID", "BCODE")
_BANK_CODES = {bank.code for bank in BANKS}


class SimulatorPayout:
    """Implements PayoutPort. How it can be made to misbehave is in docs/simulator.md."""

    code: ClassVar[str] = SIMULATOR

    def networks(self) -> frozenset[PayoutNetwork]:
        """Both."""
        return frozenset(PayoutNetwork)

    def send(self, request: PayoutRequest, timeout: float | None = None) -> PayoutUpdate:
        """Writes the payout into the books, or finds it there: the first one stands."""
        number = books.count_call(request.reference, "send")
        try:
            record = payout_control.look(request.reference)
        except payout_control.UnknownPayout:
            record = _take(request, payout_magic.of(request), number)
        payout_control.wake()
        return payout_control.update_of(record)

    def query(self, reference: str) -> PayoutUpdate:
        """How the payout stands after the passing of time."""
        number = books.count_call(reference, "query")
        try:
            record = payout_control.look(reference)
        except payout_control.UnknownPayout:
            return _unknown(reference)
        if number <= payout_magic.BY_NAME[record.magic].unanswered_queries:
            raise ProviderUnavailable("The simulator does not answer questions (magic value).")
        payout_control.wake()
        return payout_control.update_of(record)

    def read_callback(self, headers: Mapping[str, str], body: bytes, now: datetime) -> PayoutUpdate:
        """Verifies the simulator's signature and its age, then parses."""
        return payout_callbacks.read(headers, body, now)

    read_payout_callback = read_callback


def _take(request: PayoutRequest, behaviour: Magic, number: int) -> PayoutRecord:
    """What the `number`th send of a reference that is not in the books comes to."""
    _refuse(request, behaviour)
    if number <= behaviour.unreachable_sends:
        raise ProviderUnavailable("The simulator is away (magic value).")
    if number <= behaviour.lost_sends:
        raise ProviderTimeout("The request was lost (magic value).")
    record, is_new = payout_books.insert(_record(request, behaviour, clock.now()))
    if is_new and behaviour.answer is Answer.LOST:
        raise ProviderTimeout("The answer was lost (magic value).")
    if is_new and behaviour.answer is Answer.ERROR:
        raise ProviderTimeout("The answer was 502 Bad Gateway (magic value).")
    return record


def _refuse(request: PayoutRequest, behaviour: Magic) -> None:
    if behaviour.refused:
        raise ProviderRefused(behaviour.reason, "Refused (magic value).")
    if request.amount <= 0:
        raise ProviderRefused(PayoutReason.INVALID_REQUEST, "There is nothing to send.")
    if request.network is PayoutNetwork.BREB:
        if request.key_type not in KEY_TYPES or not request.key_value:
            raise ProviderRefused(PayoutReason.INVALID_REQUEST, "This is no key.")
        return
    if request.bank_code not in _BANK_CODES:
        raise ProviderRefused(PayoutReason.INVALID_REQUEST, "There is no bank with this code.")
    is_number = request.account_number.isascii() and request.account_number.isdigit()
    if request.account_type not in ACCOUNT_TYPES or not is_number:
        raise ProviderRefused(PayoutReason.INVALID_REQUEST, "This is no account.")


def _record(request: PayoutRequest, behaviour: Magic, now: datetime) -> PayoutRecord:
    is_key = request.network is PayoutNetwork.BREB
    account = (request.bank_code, request.account_type, request.account_number)
    return PayoutRecord(
        reference=request.reference,
        payout_id=request.payout_id,
        provider_id=ids.new_id("simpo"),
        network=request.network,
        amount=request.amount,
        recipient_name=request.recipient_name,
        document=f"{request.document_type} {request.document_number}",
        destination=" ".join((request.key_type, request.key_value) if is_key else account),
        description=request.description,
        callback_url=request.callback_url,
        magic=behaviour.name,
        state=behaviour.at_once,
        started_at=now,
        changed_at=now,
        due_at=now + timedelta(seconds=behaviour.after_seconds) if behaviour.later else None,
    )


def _unknown(reference: str) -> PayoutUpdate:
    return PayoutUpdate(
        reference=reference,
        provider_id="",
        state=PayoutState.UNKNOWN,
        occurred_at=clock.now(),
    )
