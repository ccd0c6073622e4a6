"""Accounts, keys and addresses for payers. None of them can receive real money.

Each address contains SIM. No network has the letter I in its alphabet (hexadecimal, bech32,
base58), and the checksums are wrong, so a real wallet refuses every address.
"""

import hashlib
from dataclasses import dataclass
from decimal import Decimal

from payments.core import money
from payments.providers.ports import ChargeRequest, Coin, Flow, Rail

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
HEX = "0123456789abcdef"
HOLDER = "Pasarela (simulador)"


@dataclass(frozen=True, slots=True)
class CoinNetwork:
    """`uri` is what a wallet reads: BIP 21, EIP-681. Tron has none."""

    coin: Coin
    uri: str
    prefix: str
    alphabet: str
    length: int

    def address(self, seed: str) -> str:
        """The same seed always has the same address."""
        digest = hashlib.shake_256(seed.encode()).digest(self.length - len(self.prefix))
        return self.prefix + "".join(self.alphabet[byte % len(self.alphabet)] for byte in digest)


_BITCOIN = Coin(code="BTC", network="bitcoin", label="Bitcoin", decimals=8)
_ETHER = Coin(code="ETH", network="ethereum", label="Ethereum", decimals=18)
_TETHER = Coin(code="USDT", network="tron", label="Tron", decimals=6, standard="TRC-20")
_USD_COIN = Coin(code="USDC", network="polygon", label="Polygon", decimals=6, standard="PoS")
# A contract as impossible as the addresses.
_CONTRACT = f"0xSIM{'0' * 37}"
_BY_TOKEN = f"ethereum:{_CONTRACT}@137/transfer?address={{address}}&uint256={{units}}"
# By the currency, in the order to offer them.
COINS = {
    "USDT": CoinNetwork(_TETHER, "", "TSIM", BASE58, 34),
    "USDC": CoinNetwork(_USD_COIN, _BY_TOKEN, "0xSIM", HEX, 42),
    "BTC": CoinNetwork(_BITCOIN, "bitcoin:{address}?amount={amount}", "bc1qsim", BECH32, 42),
    "ETH": CoinNetwork(_ETHER, "ethereum:{address}@1?value={units}", "0xSIM", HEX, 42),
}


def instructions_for(request: ChargeRequest, flow: Flow, seed: str) -> dict[str, str]:
    """The key, account or address to pay to. Empty for a debit."""
    if flow is Flow.KEY:
        # No key of Bre-B has a dash, so nothing can be sent to this one.
        return {"keyValue": f"@SIM-{_digits(seed)[-10:]}", "holder": HOLDER}
    if flow is not Flow.INSTRUCTIONS:
        return {}
    if request.method is Rail.CRYPTO:
        return _coin(request.currency, request.amount, seed)
    return _transfer(seed)


def _digits(seed: str) -> str:
    """Twenty digits, the same for the same seed."""
    return str(int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8])).zfill(20)


def _transfer(seed: str) -> dict[str, str]:
    digits = _digits(seed)
    return {
        # No such bank exists, so nothing can be sent to it.
        "bank": "Banco Simulado",
        "accountType": "SAVINGS",
        "accountNumber": f"000000{digits[:6]}",
        "holder": HOLDER,
        "document": "NIT 999999999",
        "reference": digits[-10:],
    }


def _coin(currency: str, amount: Decimal, seed: str) -> dict[str, str]:
    network = COINS[currency]
    coin, address = network.coin, network.address(seed)
    return {
        "network": str(coin.label),
        "standard": coin.standard,
        "address": address,
        "uri": payment_uri(coin, address, amount),
    }


def payment_uri(coin: Coin, address: str, amount: Decimal) -> str:
    """As ChainPort.payment_uri."""
    units = coin.units(amount)
    return COINS[coin.code].uri.format(address=address, amount=money.text(amount), units=units)
