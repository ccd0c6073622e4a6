"""Signed events to the URL of the merchant's dashboard, as Wompi's two APIs send them.

checksum = hex sha256(values of signature.properties in that order, paths relative to `data`, joined
without separator + timestamp + events secret) [T]. Only 200 is a success; else the retries [S].

Settings, beside those of the rail:
events_url            null: nothing is sent
event_retry_seconds   [1800, 10800, 86400]: three more tries [S]
event_timeout_seconds 10 [?]
event_delay_seconds   0; how long after the change
event_copies          1; each copy has the same body; 0: the event is lost
event_reorder         0; n: n events wait for each other and leave last first
event_before_answer   false; true: the event of a creation is delivered before the POST's answer
event_checksum        "right", "wrong", "upper" (compare without case [S]), "missing"
event_header          true: X-Event-Checksum is sent
event_environment     "own" or "other": the field `environment` and the secret's owner stay as they
                      are, the field names the other environment
event_properties      null: as documented; a list instead, [] too. It is signed accordingly
event_amount_in_cents null; a number: this amount instead, well signed
event_null_as         "" or "null" [?]: how a null goes into the checksum
event_boolean_as      "true" or "True" [?]
"""

import asyncio
import hashlib
import json
from collections.abc import Callable
from typing import Any

import aiohttp

from tests.rails.fake_server.agenda import Agenda
from tests.rails.fake_server.settings import Settings
from tests.rails.fake_server.store import Document, Store

DEFAULTS: dict[str, Any] = {
    "events_url": None,
    "event_retry_seconds": [1800, 10800, 86400],
    "event_timeout_seconds": 10,
    "event_delay_seconds": 0,
    "event_copies": 1,
    "event_reorder": 0,
    "event_before_answer": False,
    "event_checksum": "right",
    "event_header": True,
    "event_environment": "own",
    "event_properties": None,
    "event_amount_in_cents": None,
    "event_null_as": "",
    "event_boolean_as": "true",
}
VARIANTS: dict[str, tuple[Any, ...]] = {
    "event_checksum": ("right", "wrong", "upper", "missing"),
    "event_environment": ("own", "other"),
    "event_null_as": ("", "null"),
    "event_boolean_as": ("true", "True"),
}


def checksum_of(
    data: Document,
    properties: list[str],
    timestamp: int,
    secret: str,
    *,
    null_as: str = "",
    boolean_as: str = "true",
) -> str:
    values = "".join(_written(_at(data, path), null_as, boolean_as) for path in properties)
    return hashlib.sha256(f"{values}{timestamp}{secret}".encode()).hexdigest()


def _at(data: Any, path: str) -> Any:
    for part in path.split("."):
        data = data.get(part) if isinstance(data, dict) else None
    return data


def _written(value: Any, null_as: str, boolean_as: str) -> str:
    if value is None:
        return null_as
    if isinstance(value, bool):
        return str(value).lower() if boolean_as == "true" else str(value)
    return str(value)


class Signer:
    """Writes `signature` into a message, with the faults that the settings ask for."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def sign(self, message: Document, properties: list[str], secret: str) -> Document:
        chosen = self._settings["event_properties"]
        properties = properties if chosen is None else chosen
        checksum = checksum_of(
            message["data"],
            properties,
            message["timestamp"],
            secret,
            null_as=self._settings["event_null_as"],
            boolean_as=self._settings["event_boolean_as"],
        )
        signature = {"properties": properties, "checksum": self._spoilt(checksum)}
        if self._settings["event_checksum"] == "missing":
            del signature["checksum"]
        return message | {"signature": signature}

    def _spoilt(self, checksum: str) -> str:
        if self._settings["event_checksum"] == "wrong":
            return hashlib.sha256(checksum.encode()).hexdigest()
        return checksum.upper() if self._settings["event_checksum"] == "upper" else checksum


class Outbox:
    """Delivers messages; a delivery keeps its attempts, and waits through a restart."""

    def __init__(self, store: Store, settings: Settings, agenda: Callable[[], Agenda]) -> None:
        self._deliveries = store.table("delivery")
        self._held = store.table("held_event")
        self._settings = settings
        self._agenda = agenda
        self._leaving: dict[str, asyncio.Future[None]] = {}

    def publish(self, message: Document) -> list[str]:
        """Returns the deliveries' numbers; [] while events wait for each other."""
        if not self._settings["events_url"]:
            return []
        self._held.append(message)
        if len(self._held) < max(1, self._settings["event_reorder"]):
            return []
        return self._release()

    def _release(self) -> list[str]:
        messages = list(reversed(self._held.values()))
        self._held.clear()
        copies = [message for message in messages for _ in range(self._settings["event_copies"])]
        if len(messages) == 1:
            return [self._plan([message]) for message in copies]
        return [self._plan(copies)]

    def _plan(self, messages: list[Document]) -> str:
        """Messages of one delivery leave one after the other, in this order."""
        bodies = [json.dumps(message, ensure_ascii=False) for message in messages]
        number = self._deliveries.append({"bodies": bodies, "attempts": [], "state": "waiting"})
        self._agenda().add(self._settings["event_delay_seconds"], "deliver", number)
        return number

    async def deliver(self, number: str) -> None:
        """Of two calls at once the second waits for the attempt of the first."""
        if number not in self._leaving:
            self._leaving[number] = asyncio.ensure_future(self._attempt(number))
        try:
            await self._leaving[number]
        finally:
            self._leaving.pop(number, None)

    async def _attempt(self, number: str) -> None:
        delivery = self._deliveries[number]
        if delivery["state"] != "waiting":
            return
        results = [await self._post(body) for body in delivery["bodies"]]
        attempts = [*delivery["attempts"], results]
        if all(result == 200 for result in results):
            self._deliveries.save(number, delivery | {"attempts": attempts, "state": "done"})
        else:
            self._retry(number, delivery | {"attempts": attempts})

    def _retry(self, number: str, delivery: Document) -> None:
        schedule = self._settings["event_retry_seconds"]
        tries_done = len(delivery["attempts"])
        if tries_done > len(schedule):
            self._deliveries.save(number, delivery | {"state": "given_up"})
            return
        self._deliveries.save(number, delivery | {"state": "waiting"})
        self._agenda().add(schedule[tries_done - 1], "deliver", number)

    async def _post(self, body: str) -> int | str:
        """The status, or why there is none."""
        headers = {"Content-Type": "application/json"}
        checksum = json.loads(body).get("signature", {}).get("checksum")
        if checksum and self._settings["event_header"]:
            headers["X-Event-Checksum"] = checksum
        timeout = aiohttp.ClientTimeout(total=self._settings["event_timeout_seconds"])
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout) as session,
                session.post(
                    self._settings["events_url"],
                    data=body.encode(),
                    headers=headers,
                    allow_redirects=False,
                ) as answer,
            ):
                return answer.status
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            return type(error).__name__
