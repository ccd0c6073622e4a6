"""A rail with one coin on two networks. It reports nothing by itself: tests say what arrives."""

from dataclasses import replace
from datetime import datetime
from typing import ClassVar

from payments.core import money
from payments.providers import ports
from payments.providers.declaration import RailDeclaration
from payments.providers.ports import Coin

CODE = "wharf"
COINS = (
    Coin(code="USDT", network="tron", label="Tron", standard="TRC-20", decimals=6),
    Coin(code="BTC", network="bitcoin", label="Bitcoin", decimals=8),
    Coin(code="USDT", network="polygon", label="Polygon", standard="PoS", decimals=6),
)
ADDRESSES = {"tron": "TWharf", "polygon": "0xWharf", "bitcoin": "bc1qwharf"}


class WharfPayin:
    """Implements PayinPort."""

    code: ClassVar[str] = CODE

    def banks(self) -> tuple[ports.Bank, ...]:
        return ()

    def terms(self) -> tuple[ports.Term, ...]:
        return ()

    def direct_methods(self) -> tuple[ports.DirectMethod, ...]:
        return ()

    def start(self, request: ports.ChargeRequest, timeout: float) -> ports.ChargeStarted:
        network = request.fields["network"]
        (coin,) = (one for one in COINS if one.key == f"{request.currency}-{network}")
        address = f"{ADDRESSES[network]}{request.reference}"
        is_bitcoin = network == "bitcoin"
        uri = f"bitcoin:{address}?amount={money.text(request.amount)}" if is_bitcoin else ""
        return ports.ChargeStarted(
            provider_id=address,
            flow=ports.Flow.INSTRUCTIONS,
            instructions={
                "network": str(coin.label),
                "standard": coin.standard,
                "address": address,
                "uri": uri,
            },
            expires_at=request.expires_at,
        )

    def query(self, known: ports.Known) -> ports.ChargeUpdate:
        raise ports.ProviderUnreachable("a wharf knows nothing")

    def read_callback(self, callback: ports.Callback, now: datetime) -> ports.ChargeUpdate:
        raise ports.InvalidCallback("a wharf sends no callbacks")


RAIL = RailDeclaration(
    code=CODE,
    payin=WharfPayin(),
    payer_needs={ports.Rail.CRYPTO: ports.PayerNeeds()},
    coins=COINS,
)


class CustomsPayin(WharfPayin):
    code: ClassVar[str] = "customs"


# The same coins, and a question to the payer before them.
CUSTOMS = replace(
    RAIL,
    code=CustomsPayin.code,
    payin=CustomsPayin(),
    payer_needs={ports.Rail.CRYPTO: ports.PayerNeeds(facts=(ports.Fact.PHONE,))},
)
