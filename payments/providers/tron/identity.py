"""Whether the API is of the network, and the contract is the token, that an account names.

Asked at the first look of each process and then once an hour: an operator may connect the account
to another API while we run.
"""

import time
from dataclasses import dataclass
from threading import Lock
from typing import Any

from payments.providers.ports.errors import ProviderTimeout, ProviderUnreachable
from payments.providers.tron.account import MAINNET_CHAIN_ID, TronSettings
from payments.providers.tron.blocks import id_of
from payments.providers.tron.client import TronClient

SECONDS = 3600
_lock = Lock()
_checked: dict[tuple[str, ...], float] = {}


@dataclass(frozen=True, slots=True)
class TokenFacts:
    """None and an empty symbol where the contract or the API does not say."""

    decimals: int | None
    symbol: str


def ensure_identity(client: TronClient) -> None:
    """Raises ProviderUnreachable for another network, or a token with other decimals."""
    settings, now = client.settings, time.monotonic()
    asked = (settings.base_url, settings.network, settings.coin.token)
    with _lock:
        if now < _checked.get(asked, now):
            return
    if problem := network_problem(settings, read_chain_id(client)):
        raise ProviderUnreachable(problem)
    decimals = read_token(client).decimals
    if decimals not in (None, settings.coin.decimals):
        raise ProviderUnreachable(f"the contract of {settings.coin.code} has {decimals} decimals")
    with _lock:
        _checked[asked] = now + SECONDS


def forget() -> None:
    """As a new process."""
    with _lock:
        _checked.clear()


def read_chain_id(client: TronClient) -> str:
    """Eight hex digits: the last of the first block's id."""
    block_id = id_of(client.first_block())
    if int(block_id[:16], 16) != 0:
        raise ProviderTimeout("the first block has another height")
    return block_id[-8:]


def network_problem(settings: TronSettings, chain_id: str) -> str:
    """Empty if the network is right. Real coins are never a sandbox's."""
    if settings.chain_id is None:
        return "the API is of the main network" if chain_id == MAINNET_CHAIN_ID else ""
    if chain_id != settings.chain_id:
        return f"the API is of chain {chain_id}, and the account of {settings.chain_id}"
    return ""


def read_token(client: TronClient) -> TokenFacts:
    contract = client.settings.coin.token
    decimals = _result(client.call_contract(contract, "decimals()", contract))
    symbol = _result(client.call_contract(contract, "symbol()", contract))
    return TokenFacts(int.from_bytes(decimals) if len(decimals) == 32 else None, _text_of(symbol))


def _result(answer: dict[str, Any]) -> bytes:
    """Empty for a call that failed: its result would be the reason."""
    state, results = answer.get("result"), answer.get("constant_result")
    if not isinstance(state, dict) or state.get("result") is not True or state.get("message"):
        return b""
    if not isinstance(results, list) or len(results) != 1 or not isinstance(results[0], str):
        return b""
    try:
        return bytes.fromhex(results[0].removeprefix("0x"))
    except ValueError as error:
        raise ProviderTimeout("the data of a contract have another shape") from error


def _text_of(data: bytes) -> str:
    """Text of the ABI, or the 32 bytes of older contracts."""
    if len(data) >= 64 and int.from_bytes(data[:32]) == 32:
        length = int.from_bytes(data[32:64])
        data = data[64 : 64 + length] if length <= 64 else b""
    text = data.rstrip(b"\0").decode("utf-8", "replace")
    return "".join(one for one in text if one.isprintable())[:20]
