"""The ferry (ferry.py) as a provider: each account has a fake of its own."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

import pytest

from payments.providers.account import CheckLine, RailAccount
from payments.providers.declaration import RailDeclaration
from payments.providers.ports import ProviderUnreachable
from payments.providers.rail_type import RailType
from tests.rails import ferry
from tests.rails.accounts import enter

SERVERS: dict[str, "Server"] = {}


class Server(ferry.FakeServer):
    """It may also answer that it took nothing although it did, and hold up a call."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(monkeypatch)
        self.is_lying = False
        self.asked: list[str] = []
        self._held: dict[str, tuple[threading.Event, threading.Event]] = {}

    def new_ticket(self, amount: Decimal, until: datetime) -> str:
        ticket = super().new_ticket(amount, until)
        self._pass_by("ticket")
        return ticket

    def board(self, ticket: str, reference: str) -> dict[str, str]:
        self._pass_by("board")
        self.asked.append(ticket)
        found = super().board(ticket, reference)
        if self.is_lying:
            raise ProviderUnreachable("we took nothing")
        return found

    @contextmanager
    def holding(self, call: str) -> Iterator[threading.Event]:
        """The next such call waits for the end of the block. The event tells that it is there."""
        arrived, released = threading.Event(), threading.Event()
        self._held[call] = (arrived, released)
        try:
            yield arrived
        finally:
            released.set()

    def _pass_by(self, call: str) -> None:
        if held := self._held.pop(call, None):
            held[0].set()
            assert held[1].wait(30)


def _declare(account: RailAccount) -> RailDeclaration:
    payin, payout = ferry.FerryPayin(), ferry.FerryPayout()
    for adapter in (payin, payout):
        adapter.code, adapter.server = account.slug, SERVERS[account.slug]
    return replace(ferry.RAIL, code=account.slug, payin=payin, outgoing={"payout": payout})


def _check(account: RailAccount) -> Iterator[CheckLine]:
    return iter(())


RAIL_TYPE = RailType(
    code=ferry.CODE,
    label="Ferry",
    credentials=(),
    check_credentials=lambda account: None,
    declare=_declare,
    check=_check,
)


def connect(monkeypatch: pytest.MonkeyPatch, settings, *slugs: str) -> list[Server]:
    """Accounts, switched on."""
    settings.RAIL_TYPES = [*settings.RAIL_TYPES, f"{__name__}.RAIL_TYPE"]
    for slug in slugs:
        monkeypatch.setitem(SERVERS, slug, Server(monkeypatch))
        enter(slug, ferry.CODE, "", {})
    return [SERVERS[slug] for slug in slugs]
