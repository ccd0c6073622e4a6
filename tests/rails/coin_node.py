"""A provider of coins without a chain: an account is one network, and its adapter a stub."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from payments.core import clock
from payments.providers.account import CheckLine, Credential, RailAccount
from payments.providers.declaration import RailDeclaration
from payments.providers.ports import (
    ChargeRequest,
    ChargeStarted,
    Coin,
    Flow,
    PayerNeeds,
    ProviderUnreachable,
    Rail,
    Term,
)
from payments.providers.rail_type import RailType
from tests.rails.accounts import enter

CODE = "coin-node"
# Slugs of accounts.
unreachable: set[str] = set()
paused: set[str] = set()
# Slugs and coins of the starts that arrived.
started: list[tuple[str, str]] = []


class StubPayin:
    def __init__(self, slug: str) -> None:
        self.code = slug

    def direct_methods(self) -> tuple[()]:
        return ()

    def terms(self) -> tuple[Term, ...]:
        return ()

    def is_paused(self) -> bool:
        return self.code in paused

    def start(self, request: ChargeRequest, timeout: float) -> ChargeStarted:
        if self.code in unreachable:
            raise ProviderUnreachable("The node does not answer.")
        started.append((self.code, request.fields["coin"]))
        return ChargeStarted(
            provider_id=f"{self.code}-1",
            flow=Flow.INSTRUCTIONS,
            instructions={"network": self.code, "address": "0x0", "uri": "x:0x0"},
            expires_at=clock.now() + timedelta(hours=1),
        )


def _declare(account: RailAccount) -> RailDeclaration:
    network, codes = account.credentials["network"], account.credentials["coins"].split()
    adapter: Any = StubPayin(account.slug)
    return RailDeclaration(
        code=account.slug,
        payin=adapter,
        payer_needs={Rail.CRYPTO: PayerNeeds()},
        coins=tuple(
            Coin(code=code, network=network, label=network.title(), decimals=6) for code in codes
        ),
    )


def _check(_account: RailAccount) -> Iterator[CheckLine]:
    yield from ()


RAIL_TYPE = RailType(
    code=CODE,
    label="Node of a test",
    credentials=(
        Credential(name="network", label="Network", is_public=True),
        Credential(name="coins", label="Coins", is_public=True),
    ),
    check_credentials=lambda _account: None,
    declare=_declare,
    check=_check,
)


def enter_node(slug: str, network: str, coins: str) -> None:
    enter(slug, CODE, "", {"network": network, "coins": coins})
