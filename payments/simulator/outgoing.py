"""The simulator's adapters for payouts, top-ups and refunds, and what bills share with them."""

import sqlite3
from datetime import datetime, timedelta
from typing import ClassVar, Generic, NoReturn, Required, TypedDict, TypeVar

from django.conf import settings

from payments.core import clock, ids
from payments.providers.ports import (
    Callback,
    InvalidCallback,
    KeyHolder,
    Known,
    OutgoingReason,
    OutgoingRequest,
    OutgoingState,
    OutgoingUpdate,
    PayoutBank,
    PayoutNetwork,
    PayoutRequest,
    ProviderRefused,
    ProviderUnreachable,
    RefundRequest,
    TopupRequest,
)
from payments.simulator import CODE, callbacks, control, failures, keys, magic, store
from payments.simulator.banks import BANK_CODES, BANKS
from payments.simulator.magic import OutgoingBehaviour, OutgoingProduct
from payments.simulator.records import OutgoingRecord, new_authorization

ACCOUNT_TYPES = ("SAVINGS", "CHECKING")
KEY_TYPES = ("PHONE", "EMAIL", "ALPHANUMERIC", "ID", "BCODE")
PHONE_DIGITS = 10
ID_PREFIXES = {
    OutgoingProduct.PAYOUT: "simpo",
    OutgoingProduct.TOPUP: "simto",
    OutgoingProduct.BILL: "simbi",
    OutgoingProduct.REFUND: "simre",
}


Request = TypeVar("Request", bound=OutgoingRequest)


class Details(TypedDict, total=False):
    """Fields of `OutgoingRecord`."""

    rail: Required[str]
    destination: Required[str]
    item: str
    recipient_name: str
    document: str
    description: str


class SimulatorOutgoing(Generic[Request]):
    """What the adapters of all products share."""

    code: ClassVar[str] = CODE
    product: ClassVar[OutgoingProduct]

    def send(self, request: Request, timeout: float) -> OutgoingUpdate:
        """A repeated call returns the first payment with the reference."""
        failures.check_outage()
        number = store.count_call(request.reference, "send")
        record = self._known(request.reference)
        if record is None:
            behaviour = magic.for_outgoing(self.product, self.key(request))
            failures.fail_on_the_way(behaviour, number)
            new = self._record(request, behaviour)
            record, is_new = store.outgoing.insert(
                new, lambda connection: self._check(request, new, connection)
            )
            if record.product is not self.product:
                refuse_invalid("Another product's.")
            if is_new:
                failures.lose_response(behaviour, timeout)
        control.wake_outgoing()
        return record.update

    def query(self, known: Known) -> OutgoingUpdate:
        reference = known.reference
        failures.check_outage()
        number = store.count_call(reference, "query")
        record = self._known(reference)
        if record is None:
            return OutgoingUpdate(
                reference=reference,
                provider_id="",
                state=OutgoingState.UNKNOWN,
                occurred_at=clock.now(),
            )
        if number <= record.behaviour.unanswered_queries:
            raise ProviderUnreachable("The simulator does not answer queries (magic value).")
        control.wake_outgoing()
        return record.update

    def find_reference(self, provider_id: str) -> str:
        """The simulator's messages have our reference."""
        return ""

    def read_callback(self, callback: Callback, now: datetime) -> OutgoingUpdate:
        update = callbacks.read(OutgoingUpdate, callback, now, self.product)
        if update.state is OutgoingState.UNKNOWN:
            raise InvalidCallback("a callback is never UNKNOWN")
        return update

    def key(self, request: Request) -> str:
        """The field of the request that may have a magic value."""
        raise NotImplementedError

    def details(self, request: Request) -> Details:
        raise NotImplementedError

    def refuse(self, request: Request, others: list[OutgoingRecord]) -> None:
        """Raises ProviderRefused. `others` are the payments to the same destination."""
        raise NotImplementedError

    def _check(self, request: Request, new: OutgoingRecord, connection: sqlite3.Connection) -> None:
        if request.amount <= 0:
            refuse_invalid("There is nothing to send.")
        others = store.outgoing.at(self.product, new.rail, new.destination, connection)
        self.refuse(request, others)

    def _known(self, reference: str) -> OutgoingRecord | None:
        """None for an unknown reference and for one of another product."""
        try:
            record = control.refresh_outgoing(reference)
        except control.UnknownReference:
            return None
        return record if record.product is self.product else None

    def _record(self, request: Request, behaviour: OutgoingBehaviour) -> OutgoingRecord:
        now = clock.now()
        has_later = behaviour.later and (settings.SIMULATOR_CLOCK or not behaviour.by_clock)
        return OutgoingRecord(
            reference=request.reference,
            product=self.product,
            payment_id=request.payment_id,
            provider_id=ids.new_id(ID_PREFIXES[self.product]),
            amount=request.amount,
            callback_url=request.callback_url,
            magic=behaviour.name,
            state=behaviour.at_once,
            authorization=new_authorization(self.product, behaviour.at_once),
            started_at=now,
            changed_at=now,
            due_at=now + timedelta(seconds=behaviour.after_seconds) if has_later else None,
            **self.details(request),
        )


class SimulatorPayout(SimulatorOutgoing[PayoutRequest]):
    """Implements PayoutPort and ResolvesKeys: bank accounts and instant keys."""

    product: ClassVar[OutgoingProduct] = OutgoingProduct.PAYOUT

    def payout_banks(self) -> tuple[PayoutBank, ...]:
        return tuple(PayoutBank(code=b.code, ach_code=b.code, name=b.name) for b in BANKS)

    def networks(self) -> frozenset[PayoutNetwork]:
        return frozenset(PayoutNetwork)

    def resolve_key(self, key_type: str, key_value: str, timeout: float) -> KeyHolder:
        failures.check_outage()
        return keys.holder_of(key_value)

    def key(self, request: PayoutRequest) -> str:
        return request.document_number

    def details(self, request: PayoutRequest) -> Details:
        is_key = request.network is PayoutNetwork.BREB
        account = (request.bank_code, request.account_type, request.account_number)
        return Details(
            rail=request.network.value,
            destination=" ".join((request.key_type, request.key_value) if is_key else account),
            recipient_name=request.recipient_name,
            document=f"{request.document_type} {request.document_number}",
            description=request.description,
        )

    def refuse(self, request: PayoutRequest, others: list[OutgoingRecord]) -> None:
        if request.network is PayoutNetwork.BREB:
            if request.key_type not in KEY_TYPES or not request.key_value:
                refuse_invalid("This is no key.")
            keys.refuse_magic(request.key_value)
            return
        if request.bank_code not in BANK_CODES:
            refuse_invalid("There is no bank with this code.")
        if request.account_type not in ACCOUNT_TYPES or not _is_number(request.account_number):
            refuse_invalid("This is no account.")


class SimulatorTopup(SimulatorOutgoing[TopupRequest]):
    """Implements TopupPort: every phone of every operator."""

    product: ClassVar[OutgoingProduct] = OutgoingProduct.TOPUP

    def key(self, request: TopupRequest) -> str:
        return request.phone

    def details(self, request: TopupRequest) -> Details:
        return Details(rail=request.operator_code, destination=request.phone)

    def refuse(self, request: TopupRequest, others: list[OutgoingRecord]) -> None:
        phone = request.phone
        is_mobile = _is_number(phone) and len(phone) == PHONE_DIGITS and phone.startswith("3")
        if not request.operator_code or not is_mobile:
            refuse_invalid("This is no mobile phone of an operator.")


class SimulatorRefund(SimulatorOutgoing[RefundRequest]):
    """Implements RefundPort: any payment of any rail."""

    product: ClassVar[OutgoingProduct] = OutgoingProduct.REFUND

    def key(self, request: RefundRequest) -> str:
        return request.payer.document_number

    def details(self, request: RefundRequest) -> Details:
        payer = request.payer
        return Details(
            rail=request.method.value,
            destination=request.charge_reference,
            recipient_name=payer.name,
            document=f"{payer.document_type} {payer.document_number}",
            description=request.reason,
        )

    def refuse(self, request: RefundRequest, others: list[OutgoingRecord]) -> None:
        if not request.charge_reference:
            refuse_invalid("There is nothing to return.")


def refuse_invalid(message: str) -> NoReturn:
    raise ProviderRefused(OutgoingReason.INVALID_REQUEST, message)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()
