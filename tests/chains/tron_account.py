"""A fake Tron API with an account for it, and a wallet that everybody knows."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from payments.providers.account import Mode, RailAccount
from payments.providers.tron import identity, known_receipts
from payments.providers.tron.chain import TronChain
from tests.chains.fake_tron.rail import TronRail
from tests.rails.fake_server.server import RunningServer

# m/44'/195'/0' of the mnemonic "abandon … about", and its first addresses as wallets show them.
PUBLIC_KEY = (
    "xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoa"
    "Qgmv8D45oNUKx6DZMNZBCd"
)
FIRST = "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH"
SECOND = "TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK"
USDT = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
# Contracts that call themselves what they like.
FORGERY = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"
API_KEY = "1f2e3d4c-0000-4000-8000-00000fake000"
NILE = "cd8690dc"


def credentials(**changes: str) -> dict[str, str]:
    return {"public_key": PUBLIC_KEY, "api_key": API_KEY, "usdt_contract": USDT, **changes}


def account(base_url: str, mode: Mode = Mode.SANDBOX, **changes: str) -> RailAccount:
    return RailAccount(
        slug="tron-main", mode=mode, credentials=credentials(**changes), base_url=base_url
    )


@contextmanager
def running_tron(**settings: Any) -> Iterator[RunningServer]:
    """Of a test network, with the account's key. Nothing is known of it."""
    identity.forget()
    known_receipts.forget()
    with RunningServer(TronRail(chain_id=NILE, api_key=API_KEY, **settings)) as server:
        yield server


def chain(server: RunningServer, **changes: str) -> TronChain:
    return TronChain(account(server.url, **changes))


def pay(server: RunningServer, *transfers: dict[str, Any], **fields: Any) -> str:
    """Returns the transaction, which is in a block of its own."""
    made = server.control.call("POST", "transactions", {"transfers": transfers, **fields})
    return str(made["id"])


def mine(server: RunningServer, blocks: int = 19, **fields: Any) -> None:
    """Nineteen make solid what was in the newest block."""
    server.control.call("POST", "mine", {"blocks": blocks, **fields})
