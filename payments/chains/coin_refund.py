"""Refunds of coins: an operator pays them from a wallet of their own, and the chain shows it.

The service holds no key that could pay. So `send` only notes what is to be seen, and the payment's
`provider_id` is the transaction that an operator has entered.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from payments.chains.verification import (
    PAYING,
    FoundPayment,
    Standing,
    WantedPayment,
    find_payment,
)
from payments.core import clock
from payments.providers.ports import (
    Callback,
    ChainPort,
    Coin,
    InvalidCallback,
    Known,
    OutgoingReason,
    OutgoingState,
    OutgoingUpdate,
    ProviderRefused,
    ProviderUnreachable,
    RefundRequest,
    State,
)

# What a query learned: a dictionary in the state.
LOOK = "look"
# Transactions that were entered and then vanished.
FORMER = "former"
# A node that starts again has lost its mempool, so a transaction is gone only after this time.
GONE_AFTER = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class CoinRefund:
    """Implements RefundPort. It is never sent twice, because it is never sent."""

    chain: ChainPort

    @property
    def code(self) -> str:
        return self.chain.code

    def send(self, request: RefundRequest, timeout: float) -> OutgoingUpdate:
        if not request.state:
            request.save(self._wanted(request).as_state())
        return _update(request.reference)

    def query(self, known: Known) -> OutgoingUpdate:
        """`learned` has a LOOK, which is about the transaction `of`:

        missing_since  the node did not show it since then, or showed it as one that does not pay.
        is_gone        that was long ago.
        again          a transaction that had vanished pays after all.
        """
        if not known.state:
            return _update(known.reference, OutgoingState.UNKNOWN)
        if again := self._returned(known):
            return self._report(known, again.transaction, again, again=again.transaction)
        if not known.provider_id:
            return _update(known.reference)
        found = self.find(known, known.provider_id)
        if found.standing in PAYING:
            return self._report(known, known.provider_id, found)
        return self._missing(known)

    def find(self, known: Known, transaction: str) -> FoundPayment:
        """Whether the transaction pays. Raises ProviderUnreachable and ProviderTimeout."""
        return find_payment(self.chain, self._of(known), transaction)

    def coin(self, code: str) -> Coin | None:
        """None for a coin that is switched off."""
        return next((one for one in self.chain.coins if one.code == code), None)

    def find_reference(self, provider_id: str) -> str:
        return ""

    def read_callback(self, callback: Callback, now: datetime) -> OutgoingUpdate:
        raise InvalidCallback("nodes send no messages")

    def _wanted(self, request: RefundRequest) -> WantedPayment:
        coin, address = self.coin(request.currency), request.destination.get("address", "")
        if coin is None:
            raise ProviderUnreachable("the coin is switched off")
        if not self.chain.is_address(address):
            raise ProviderRefused(OutgoingReason.INVALID_REQUEST, "no address to pay to")
        return WantedPayment(
            coin=coin,
            target=self.chain.target_of(address),
            units=coin.units(request.amount),
            after=self.chain.tip().height,
        )

    def _of(self, known: Known) -> WantedPayment:
        return WantedPayment.of_state(known.state, self.chain.network)

    def _returned(self, known: Known) -> FoundPayment | None:
        """The first that vanished and pays after all."""
        found = (self.find(known, each) for each in known.state.get(FORMER, ()))
        return next((one for one in found if one.standing in PAYING), None)

    def _report(
        self, known: Known, transaction: str, found: FoundPayment, **more: object
    ) -> OutgoingUpdate:
        is_final = found.standing is Standing.FINAL
        state = OutgoingState.COMPLETED if is_final else OutgoingState.PENDING
        look = {"confirmations": found.confirmations, "needed": found.needed, **more}
        return _update(
            known.reference, state, transaction if is_final else "", look=_look(known, **look)
        )

    def _missing(self, known: Known) -> OutgoingUpdate:
        before, now = known.state.get(LOOK, {}), clock.now()
        is_same = before.get("of") == known.provider_id
        since = (is_same and before.get("missing_since")) or now.isoformat()
        is_gone = now - datetime.fromisoformat(since) >= GONE_AFTER
        look = _look(known, missing_since=since, is_gone=is_gone)
        return _update(known.reference, look=look)


def _look(known: Known, **found: object) -> State:
    return {LOOK: {"of": known.provider_id, **found}}


def _update(
    reference: str,
    state: OutgoingState = OutgoingState.PENDING,
    provider_id: str = "",
    look: Any = None,
) -> OutgoingUpdate:
    return OutgoingUpdate(
        reference=reference,
        provider_id=provider_id,
        state=state,
        occurred_at=clock.now(),
        learned=look or {},
    )
