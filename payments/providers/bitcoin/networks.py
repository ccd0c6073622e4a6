"""The networks of Bitcoin, by what an operator enters."""

from dataclasses import dataclass

from payments.providers.account import Mode


@dataclass(frozen=True, slots=True, kw_only=True)
class BitcoinNetwork:
    """
    key        as Coin.network.
    chain      as the node names it.
    hrp        what addresses of segwit begin with.
    legacy     the first bytes of older addresses: to a key, to a script.
    spellings  of the extended public key.
    """

    key: str
    chain: str
    label: str
    mode: Mode
    hrp: str
    legacy: tuple[bytes, bytes]
    spellings: tuple[str, ...]


def _test(name: str, hrp: str, label: str) -> BitcoinNetwork:
    return BitcoinNetwork(
        key=f"bitcoin-{name}",
        chain=name,
        label=label,
        mode=Mode.SANDBOX,
        hrp=hrp,
        legacy=(b"\x6f", b"\xc4"),
        spellings=("vpub", "tpub"),
    )


NETWORKS = {
    "main": BitcoinNetwork(
        key="bitcoin",
        chain="main",
        label="Bitcoin",
        mode=Mode.LIVE,
        hrp="bc",
        legacy=(b"\x00", b"\x05"),
        spellings=("zpub", "xpub"),
    ),
    "test": _test("test", "tb", "Bitcoin Testnet"),
    "testnet4": _test("testnet4", "tb", "Bitcoin Testnet 4"),
    "signet": _test("signet", "tb", "Bitcoin Signet"),
    "regtest": _test("regtest", "bcrt", "Bitcoin Regtest"),
}
