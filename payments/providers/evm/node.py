"""The node of an account."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from payments.providers.account import RailAccount
from payments.providers.jsonrpc import Ask, JsonRpc, RpcError, basic_auth

# Blocks with their receipts are large. A batch is read as a whole.
MAX_BYTES = 64 * 1024 * 1024


def connect(account: RailAccount) -> JsonRpc:
    """A key in the path is a secret of its own, because the address of an account is shown.

    Without an address no call is sent.
    """
    return _connect(account, "node", account.base_url, "evm")


def connect_witness(account: RailAccount) -> JsonRpc | None:
    """The second node; None for an account without one."""
    url = account.credentials.get("witness_url", "")
    return _connect(account, "witness", url, "evm-witness") if url else None


def _connect(account: RailAccount, prefix: str, url: str, name: str) -> JsonRpc:
    user, password, key = (
        account.credentials.get(f"{prefix}_{part}", "") for part in ("user", "password", "key")
    )
    if key:
        url = f"{url.rstrip('/')}/{quote(key, safe='')}"
    headers = basic_auth(user, password) if user or password else {}
    return JsonRpc(url=url, name=name, headers=headers)


def answers(node: JsonRpc, asked: Sequence[Ask]) -> list[Any]:
    """Of a question that the node refused its RpcError."""
    return node.ask_all(asked, max_bytes=MAX_BYTES)


def results(node: JsonRpc, asked: Sequence[Ask]) -> list[Any]:
    """Raises RpcError if the node refused a question."""
    found = answers(node, asked)
    for one in found:
        if isinstance(one, RpcError):
            raise one
    return found
