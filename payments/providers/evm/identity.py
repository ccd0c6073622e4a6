"""Whether the node is of the chain, and the contracts are the tokens, that an account names.

Asked at the first look of each process and then once an hour: an operator may connect the account
to another node while we run.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Lock

from payments.providers.evm.account import EvmSettings
from payments.providers.evm.node import answers
from payments.providers.evm.values import quantity
from payments.providers.jsonrpc import Ask, JsonRpc, RpcError
from payments.providers.ports.chain import Coin
from payments.providers.ports.errors import ProviderTimeout, ProviderUnreachable

SECONDS = 3600
DECIMALS, SYMBOL = "0x313ce567", "0x95d89b41"  # decimals() and symbol()
_lock = Lock()
_checked: dict[tuple[str, EvmSettings], float] = {}


@dataclass(frozen=True, slots=True)
class TokenFacts:
    """None and an empty symbol where the contract does not say."""

    decimals: int | None
    symbol: str


def ensure_identity(node: JsonRpc, settings: EvmSettings) -> None:
    """Raises ProviderUnreachable for another chain, or a token with other decimals."""
    key, now = (node.url, settings), time.monotonic()
    with _lock:
        if now < _checked.get(key, now):
            return
    if (chain_id := read_chain_id(node)) != settings.chain_id:
        raise ProviderUnreachable(
            f"the node is of chain {chain_id}, and the account of chain {settings.chain_id}"
        )
    for coin, facts in read_tokens(node, settings.tokens):
        if facts.decimals is None:
            raise ProviderUnreachable(f"there is no token at the contract of {coin.code}")
        if facts.decimals != coin.decimals:
            raise ProviderUnreachable(
                f"the contract of {coin.code} says {facts.decimals} decimals, not {coin.decimals}"
            )
    with _lock:
        _checked[key] = now + SECONDS


def forget() -> None:
    """As a new process."""
    with _lock:
        _checked.clear()


def read_chain_id(node: JsonRpc) -> int:
    return quantity(node.ask("eth_chainId"), "chain id")


def read_tokens(node: JsonRpc, coins: tuple[Coin, ...]) -> Iterator[tuple[Coin, TokenFacts]]:
    asked = [
        Ask("eth_call", [{"to": coin.token, "data": data}, "latest"])
        for coin in coins
        for data in (DECIMALS, SYMBOL)
    ]
    found = answers(node, asked)
    for coin, decimals, symbol in zip(coins, found[::2], found[1::2], strict=True):
        yield coin, TokenFacts(_decimals(decimals), _symbol(symbol))


def _decimals(answer: object) -> int | None:
    data = _data(answer)
    return int.from_bytes(data) if len(data) == 32 else None


def _symbol(answer: object) -> str:
    """Text of the ABI, or the 32 bytes of older contracts."""
    data = _data(answer)
    if len(data) >= 64 and int.from_bytes(data[:32]) == 32:
        length = int.from_bytes(data[32:64])
        data = data[64 : 64 + length] if length <= 64 else b""
    text = data.rstrip(b"\0").decode("utf-8", "replace")
    return "".join(one for one in text if one.isprintable())[:20]


def _data(answer: object) -> bytes:
    """Empty where there is no contract, or it has no such function."""
    if isinstance(answer, RpcError):
        return b""
    if not isinstance(answer, str) or not answer.startswith("0x"):
        raise ProviderTimeout("the node's data of a contract have another shape")
    try:
        return bytes.fromhex(answer[2:])
    except ValueError as error:
        raise ProviderTimeout("the node's data of a contract have another shape") from error
