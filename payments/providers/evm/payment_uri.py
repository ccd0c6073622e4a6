"""What wallets read from a QR code to fill in a payment: EIP-681."""

from payments.providers.evm.addresses import checksummed
from payments.providers.ports.chain import Coin


def payment_uri(coin: Coin, *, chain_id: int, address: str, units: int) -> str:
    """The amount is in the smallest unit, without an exponent: not every wallet reads one."""
    if not coin.token:
        return f"ethereum:{address}@{chain_id}?value={units}"
    contract = checksummed(coin.token)
    return f"ethereum:{contract}@{chain_id}/transfer?address={address}&uint256={units}"
