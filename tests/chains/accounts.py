"""Coin accounts whose nodes are in memory (fake_chain.py), entered as an operator enters them."""

from collections.abc import Iterator

import pytest

from payments.chains.declaration import declare
from payments.providers.account import CheckLine, RailAccount
from payments.providers.declaration import RailDeclaration
from payments.providers.rail_type import RailType
from tests.chains.fake_chain import UnreadChain
from tests.rails.accounts import enter, route

CHAINS: dict[str, UnreadChain] = {}


def _declare(account: RailAccount) -> RailDeclaration:
    return declare(account, CHAINS[account.slug])


def _check(account: RailAccount) -> Iterator[CheckLine]:
    yield from ()


def _accept(account: RailAccount) -> None:
    pass


TYPE = RailType(
    code="fakechain",
    label="Fake chain",
    credentials=(),
    check_credentials=_accept,
    declare=_declare,
    check=_check,
)


def connect(chain: UnreadChain, *, routed: bool = True) -> UnreadChain:
    CHAINS[chain.code] = chain
    enter(chain.code, "fakechain", "", {})
    if routed:
        route("payin", chain.code, method="CRYPTO")
    return chain


@pytest.fixture
def chain_accounts(settings: object) -> Iterator[None]:
    settings.RAIL_TYPES = [*settings.RAIL_TYPES, "tests.chains.accounts.TYPE"]  # type: ignore
    CHAINS.clear()
    yield
    CHAINS.clear()
