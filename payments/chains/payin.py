"""The payin adapter of coin accounts. It answers from the tables that the scanner fills."""

from payments.chains import snapshots
from payments.chains.services import addresses, watching
from payments.core import clock
from payments.providers import ports
from payments.providers.ports.chain import ChainPort, Coin


class CoinPayin:
    """A PayinPort over the node of one account. Threads share it."""

    def __init__(self, chain: ChainPort) -> None:
        self._chain = chain

    @property
    def code(self) -> str:
        return self._chain.code

    def banks(self) -> tuple[ports.Bank, ...]:
        return ()

    def direct_methods(self) -> tuple[ports.DirectMethod, ...]:
        return ()

    def terms(self) -> tuple[ports.Term, ...]:
        return ()

    def is_paused(self) -> bool:
        return not watching.is_watched(self.code, clock.now())

    def start(self, request: ports.ChargeRequest, timeout: float) -> ports.ChargeStarted:
        """Calls no node. An address that was given before is given again, watched or not."""
        coin = self._find_coin(request)
        address = addresses.find_address(account=self.code, reference=request.reference)
        if address is None:
            now = clock.now()
            if not self._chain.counts(coin, coin.units(request.amount)):
                raise ports.ProviderRefused(ports.Reason.AMOUNT_TOO_SMALL, "dust of the coin")
            if not watching.is_watched(self.code, now):
                raise ports.ProviderUnreachable(f"The chain of {self.code} is not watched.")
            address = addresses.allocate_address(
                chain=self._chain,
                new=addresses.NewAddress(
                    reference=request.reference,
                    coin=coin,
                    amount=request.amount,
                    expires_at=request.expires_at,
                ),
                now=now,
            )
        instructions = {
            "network": str(coin.label),
            "standard": coin.standard,
            "address": address.address,
            "uri": self._chain.payment_uri(coin, address.address, request.amount),
        }
        return ports.ChargeStarted(
            provider_id=address.address,
            flow=ports.Flow.INSTRUCTIONS,
            instructions=instructions,
            expires_at=request.expires_at,
        )

    def query(self, known: ports.Known) -> ports.ChargeUpdate:
        address = addresses.find_address(account=self.code, reference=known.reference)
        if address is not None:
            return snapshots.newest_update(address)
        return ports.ChargeUpdate(
            reference=known.reference,
            provider_id="",
            status=ports.ChargeStatus.UNKNOWN,
            received=ports.ZERO,
            currency="",
            occurred_at=clock.now(),
        )

    def read_callback(self, callback: ports.Callback, now: object) -> ports.ChargeUpdate:
        raise ports.InvalidCallback("a node sends no callbacks")

    def _find_coin(self, request: ports.ChargeRequest) -> Coin:
        """Charges of earlier releases name no network."""
        wanted = (request.currency, request.fields.get("network", self._chain.network))
        for coin in self._chain.coins:
            if (coin.code, coin.network) == wanted:
                return coin
        raise ports.ProviderRefused(
            ports.Reason.INVALID_REQUEST, "the account does not take this coin on this network"
        )
