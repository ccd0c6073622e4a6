"""Accounts, keys and addresses for payers. Nothing here can receive real money.

Each address carries the letters SIM: an I stands in no alphabet of these networks (hexadecimal,
bech32, base58), and the rest is no valid checksum either. A real wallet refuses all of them.
"""

import hashlib
from dataclasses import dataclass
from decimal import Decimal

from payments.core import money
from payments.providers.ports import ChargeRequest, Flow, Rail

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
HEX = "0123456789abcdef"


@dataclass(frozen=True, slots=True)
class CoinNetwork:
    """How addresses of a network look: a beginning, an alphabet and a length."""

    name: str
    scheme: str
    prefix: str
    alphabet: str
    length: int

    def address(self, seed: str) -> str:
        """The same address for the same seed, distinct for others, never a valid one."""
        digest = hashlib.shake_256(seed.encode()).digest(self.length - len(self.prefix))
        return self.prefix + "".join(self.alphabet[byte % len(self.alphabet)] for byte in digest)


COINS = {
    "BTC": CoinNetwork("Bitcoin", "bitcoin", "bc1qsim", BECH32, 42),
    "ETH": CoinNetwork("Ethereum", "ethereum", "0xSIM", HEX, 42),
    "USDT": CoinNetwork("Tron", "tron", "TSIM", BASE58, 34),
    "USDC": CoinNetwork("Polygon", "polygon", "0xSIM", HEX, 42),
}


def instructions_for(request: ChargeRequest, flow: Flow, seed: str) -> dict[str, str]:
    """What to pay to: a key, an account, an address. Empty where the payer only decides."""
    if flow is Flow.KEY:
        return {"keyValue": _key(seed)}
    if flow is not Flow.INSTRUCTIONS:
        return {}
    if request.method is Rail.CRYPTO:
        return _coin(request.currency, request.amount, seed)
    return _transfer(seed)


def _key(seed: str) -> str:
    # Bre-B has no key with a dash in it, so nothing can be sent to it.
    return f"@SIM-{_digits(seed)[-10:]}"


def _digits(seed: str) -> str:
    """Twenty digits, the same for the same seed."""
    return str(int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8])).zfill(20)


def _transfer(seed: str) -> dict[str, str]:
    digits = _digits(seed)
    return {
        # There is no such bank, so nothing can be sent to it.
        "bank": "Banco Simulado",
        "accountType": "SAVINGS",
        "accountNumber": f"000000{digits[:6]}",
        "holder": "Pasarela (simulador)",
        "document": "NIT 999999999",
        "reference": digits[-10:],
    }


def _coin(currency: str, amount: Decimal, seed: str) -> dict[str, str]:
    network = COINS[currency]
    address = network.address(seed)
    return {
        "network": network.name,
        "address": address,
        "uri": f"{network.scheme}:{address}?amount={money.text(amount)}",
    }
