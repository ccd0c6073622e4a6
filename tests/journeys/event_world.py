"""What the stories of events share: the world outside, the clock, and what must be told.

The clock stands still in each step, so that every moment in a payload is known beforehand.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import time_machine
from django.contrib.auth.models import User
from django.test import Client

from merchants.models import Merchant
from payments.core import clock
from tests.admin.conftest import Console
from tests.support.fixtures import ApiClient

METADATA = {"pedido": 7, "mesa": {"número": [1, None, "☕"]}}


class Later(str):
    """This moment or a later one: the answer of a rail takes its time."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and other >= str(self)

    def __hash__(self) -> int:
        return super().__hash__()


class World:
    """Everybody outside: the merchant's backend, a payer, an operator, and the clock.

    What each step must tell the receiver is noted in `told`.
    """

    def __init__(
        self, api: ApiClient, payer: Client, ana: Console, traveller: time_machine.Traveller
    ) -> None:
        self.api, self.payer, self.ana, self.traveller = api, payer, ana, traveller
        self.told: list[dict[str, Any]] = []
        assert api.merchant is not None
        self.merchant: Merchant = api.merchant

    @property
    def now(self) -> datetime:
        return clock.now()

    @property
    def moment(self) -> str:
        """Now, as the API writes it."""
        return str(clock.iso(self.now))

    def post(self, path: str, body: dict[str, Any], key: str | None = None) -> Any:
        """What the merchant's backend is answered."""
        response = self.api.post(path, body, headers={"Idempotency-Key": key} if key else {})
        assert response.status_code in (200, 201), response.content
        return response.body["data"]

    def get(self, path: str) -> Any:
        response = self.api.get(path)
        assert response.status_code == 200, response.content
        return response.body["data"]

    def at(self, text: str) -> str:
        """It is then; returns the moment as the API writes it.

        Hours pass between two steps of a story, and the operator's session with them.
        """
        self.traveller.move_to(datetime.fromisoformat(text))
        self.ana.force_login(User.objects.get(username="ana"))
        return text

    def expect(self, kind: str, at: str, *parts: dict[str, Any]) -> None:
        """This step must bring the event, with these fields and no other."""
        data = {name: value for part in parts for name, value in part.items()}
        self.told.append({"event": kind, "data": data, "timestamp": at})


def order_part(order: dict[str, Any], status: str, paid_at: str | None) -> dict[str, Any]:
    return {
        "id": order["id"],
        "reference": order["reference"],
        "amount": 50025,
        "baseAmount": 50000,
        "feeAmount": 25,
        "currency": "COP",
        "status": status,
        "paidAt": paid_at,
        "metadata": METADATA,
    }


Story = Callable[[World], None]
STORIES: dict[str, tuple[Story, set[str]]] = {}


def tells(*kinds: str) -> Callable[[Story], Story]:
    """Which kinds the story brings."""

    def note(story: Story) -> Story:
        STORIES[story.__name__] = (story, set(kinds))
        return story

    return note
