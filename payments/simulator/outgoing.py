"""What the simulator's adapters for money on its way out have in common: taking and answering."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.conf import settings

from payments.core import clock, ids
from payments.providers.ports import (
    OutgoingReason,
    OutgoingState,
    OutgoingUpdate,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnavailable,
)
from payments.providers.registry import SIMULATOR
from payments.simulator import (
    books,
    outage,
    outgoing_books,
    outgoing_callbacks,
    outgoing_control,
    outgoing_magic,
    waiting,
)
from payments.simulator.outgoing_books import OutgoingRecord, Refuse
from payments.simulator.outgoing_magic import Answer, Magic, Product

ID_PREFIXES = {
    Product.PAYOUT: "simpo",
    Product.TOPUP: "simto",
    Product.BILL: "simbi",
    Product.REFUND: "simre",
}


class SimulatorOutgoing:
    """Half of each adapter; the other half is `send`, with the product's own request."""

    code: ClassVar[str] = SIMULATOR
    product: ClassVar[Product]

    def query(self, reference: str) -> OutgoingUpdate:
        """How the payment stands after the passing of time."""
        outage.check()
        number = books.count_call(reference, "query")
        record = self._known(reference)
        if record is None:
            return _unknown(reference)
        if number <= outgoing_magic.named(self.product, record.magic).unanswered_queries:
            raise ProviderUnavailable("The simulator does not answer questions (magic value).")
        outgoing_control.wake()
        return outgoing_control.update_of(record)

    def read_callback(
        self, headers: Mapping[str, str], body: bytes, now: datetime
    ) -> OutgoingUpdate:
        """Verifies the simulator's signature and its age, then parses."""
        return outgoing_callbacks.read(headers, body, now, self.product)

    def _send(
        self,
        reference: str,
        key: str,
        draft: Callable[..., OutgoingRecord],
        refuse: Refuse,
        timeout: float,
    ) -> OutgoingUpdate:
        """Writes the payment into the books, or finds it there: the first one stands.

        `key` is what may be magic; `draft` is given what does not depend on the product.
        """
        outage.check()
        number = books.count_call(reference, "send")
        record = self._known(reference)
        if record is None:
            behaviour = outgoing_magic.of(self.product, key)
            _fail_on_the_way(behaviour, number)
            record, is_new = outgoing_books.insert(draft(**self._begun(behaviour)), refuse)
            if record.product is not self.product:
                raise ProviderRefused(OutgoingReason.INVALID_REQUEST, "Another product's.")
            if is_new:
                _lose_the_answer(behaviour, timeout)
        outgoing_control.wake()
        return outgoing_control.update_of(record)

    def _known(self, reference: str) -> OutgoingRecord | None:
        """The payment after the passing of time; a reference of another product is not known."""
        try:
            record = outgoing_control.look(reference)
        except outgoing_control.UnknownPayment:
            return None
        return record if record.product is self.product else None

    def _begun(self, behaviour: Magic) -> dict[str, Any]:
        now = clock.now()
        has_later = behaviour.later and (settings.SIMULATOR_CLOCK or not behaviour.by_clock)
        due_at = now + timedelta(seconds=behaviour.after_seconds) if has_later else None
        return {
            "product": self.product,
            "provider_id": ids.new_id(ID_PREFIXES[self.product]),
            "magic": behaviour.name,
            "state": behaviour.at_once,
            "authorization": outgoing_control.authorization(self.product, behaviour.at_once),
            "started_at": now,
            "changed_at": now,
            "due_at": due_at,
        }


def _fail_on_the_way(behaviour: Magic, number: int) -> None:
    """What keeps the `number`th send of a reference that is not in the books from getting there."""
    if behaviour.refused:
        raise ProviderRefused(behaviour.reason, "Refused (magic value).")
    if number <= behaviour.unreachable_sends:
        raise ProviderUnavailable("The simulator is away (magic value).")
    if number <= behaviour.lost_sends:
        raise ProviderTimeout("The request was lost (magic value).")


def _lose_the_answer(behaviour: Magic, timeout: float) -> None:
    if behaviour.answer is Answer.LOST:
        raise ProviderTimeout("The answer was lost (magic value).")
    if behaviour.answer is Answer.ERROR:
        raise ProviderTimeout("The answer was 502 Bad Gateway (magic value).")
    if behaviour.answer is Answer.LATE:
        waiting.hang(min(timeout, outgoing_magic.SLOW_SECONDS))
        raise ProviderTimeout("No answer came in time (magic value).")


def _unknown(reference: str) -> OutgoingUpdate:
    return OutgoingUpdate(
        reference=reference,
        provider_id="",
        state=OutgoingState.UNKNOWN,
        occurred_at=clock.now(),
    )
