"""A merchant's webhook receiver that is well, slow, broken or gone. It keeps what it accepted."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.webhooks.receivers import Receiver, response
from tests.webhooks.verification import verify_contract

BEHAVIOURS = ("slow", "broken", "gone")
SLOW_SECONDS = 2.0


class FlakyReceiver:
    """`with FlakyReceiver() as receiver`: listens on loopback and behaves as `behaviour` says.

    events    by event id, how often it was accepted.
    told      (subject, kind) of all that was accepted.
    forged    what came without a good signature, or differed from an earlier POST of its event.
    arrivals  when, by time.monotonic.
    """

    def __init__(self) -> None:
        self.behaviour = "well"
        self.secret = ""
        self.events: Counter[str] = Counter()
        self.told: Counter[tuple[str, str]] = Counter()
        self.forged: list[str] = []
        self.arrivals: list[float] = []
        self.turned_away = 0
        self._bodies: dict[str, bytes] = {}
        self._receiver = Receiver(self._behave)

    def __enter__(self) -> "FlakyReceiver":
        self._receiver.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._receiver.__exit__()

    @property
    def url(self) -> str:
        """What the merchant registers."""
        return self._receiver.url

    @contextmanager
    def behaving(self, behaviour: str) -> Iterator[None]:
        """Well again at the end of the block."""
        self.behaviour = behaviour
        try:
            yield
        finally:
            self.behaviour = "well"

    async def _behave(self, receiver: Receiver, reader: Any, writer: Any) -> None:
        while True:
            request = await receiver.read(reader)
            behaviour = self.behaviour
            if behaviour == "gone":
                self.turned_away += 1
                return writer.transport.abort()
            if behaviour == "broken":
                self.turned_away += 1
                await receiver.send(writer, response(500, b"broken"))
                continue
            if behaviour == "slow":
                await asyncio.sleep(SLOW_SECONDS)
            self._accept(request.headers, request.body)
            await receiver.send(writer, response(200, b"ok"))

    def _accept(self, headers: dict[str, str], body: bytes) -> None:
        event = headers["x-service-event-id"]
        is_genuine = verify_contract(headers, body, self.secret, round(time.time() * 1000))
        if not is_genuine or self._bodies.setdefault(event, body) != body:
            self.forged.append(event)
            return
        self.arrivals.append(time.monotonic())
        self.events[event] += 1
        if self.events[event] == 1:
            payload = json.loads(body)
            self.told[payload["data"].get("id", ""), payload["event"]] += 1
