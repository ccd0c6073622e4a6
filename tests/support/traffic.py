"""Merchants' programs over real HTTP, each in a thread, with a log of everything they were told.

A write that is answered 503, or not at all, is asked again with the same idempotency key until it
is answered 2xx. What else may come is for the experiment to say.
"""

import http.client
import itertools
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from payments.core import jsontext
from tests.faults import SCALE
from tests.support import openapi_conformance
from tests.support.factories import order_body, payout_body
from tests.support.live_service import LiveService, wait_until

# A beneficiary's document of docs/simulator.md, and how a payout to it must end.
ENDS = {"9999001001": "COMPLETED", "9999001002": "FAILED", "9999001009": "COMPLETED"}
ANSWER_SECONDS = 30
WRITE_SECONDS = 120
# Between two acts of a client. A tenth of an experiment is there for its faults, not for the load:
# without a rest it took the processor away from the tests beside it.
REST_SECONDS = 0 if SCALE >= 1 else 0.1
# Between an answer that was no answer and the same question again.
PAUSE_SECONDS = 0.05
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """`kind`: "2xx", "503" for the envelope's SERVICE_UNAVAILABLE, else what was wrong."""

    kind: str
    began_at: float
    ended_at: float

    @property
    def is_good(self) -> bool:
        return self.kind == "2xx"

    @property
    def seconds(self) -> float:
        return self.ended_at - self.began_at


class Traffic:
    """Some clients that ask without a rest, but at a tenth, from `running` until its block ends."""

    def __init__(self, live_service: LiveService, merchant: dict[str, str]) -> None:
        self.address = live_service.address
        self.credentials = {
            "X-Api-Key": merchant["apiKey"],
            "X-Api-Secret": merchant["apiSecret"],
            "Content-Type": "application/json",
        }
        self.answers: list[Answer] = []
        # By idempotency key: what the first 2xx said.
        self.orders: dict[str, Json] = {}
        self.payouts: dict[str, Json] = {}
        self.expected_ends: dict[str, str] = {}
        # Committed although the client had heard 503, or nothing.
        self.replayed = 0
        self.moved: list[str] = []  # orders whose deadline the experiment moved
        self.problems: list[str] = []
        self.is_hopeless = False  # the experiment has failed: no client need go on
        self._keys = itertools.count(1)
        self._stopping = threading.Event()

    @property
    def writes(self) -> int:
        """How many writes were acknowledged."""
        return len(self.orders) + len(self.payouts)

    @contextmanager
    def running(self, clients: int) -> Iterator[None]:
        """At the end each client finishes the write that it has begun."""
        threads = [threading.Thread(target=self._work, name=f"client-{n}") for n in range(clients)]
        for thread in threads:
            thread.start()
        try:
            yield
        except BaseException:
            self.is_hopeless = True
            raise
        finally:
            self._stopping.set()
            for thread in threads:
                thread.join()

    def wait_for_writes(self, count: int, *, seconds: float = 120) -> None:
        """Until so many more were acknowledged."""
        goal = self.writes + count
        wait_until(
            lambda: self.writes >= goal or bool(self.problems),
            seconds=seconds,
            what=f"{count} more writes",
        )

    def kinds(self) -> Counter[str]:
        """How many answers of each kind."""
        return Counter(answer.kind for answer in self.answers)

    def log(self) -> Json:
        """What `LiveService.compare` holds against the tables."""
        return {
            "orders": self.orders,
            "payouts": self.payouts,
            "ends": self.expected_ends,
            "moved": self.moved,
        }

    def open_client(self) -> "Client":
        """For a question of the experiment's own."""
        return Client(self)

    def acts(self, _client: str) -> Iterator[Callable[["Client"], None]]:
        """What one client does, in turn and without end."""
        return itertools.cycle((self._order, self._payout, self._read, self._order, self._read))

    def after_order(self, client: "Client", order: Json, number: int) -> None:
        """What the merchant does next with its `number`th order; here nothing."""

    def _work(self) -> None:
        client = self.open_client()
        acts = self.acts(threading.current_thread().name)
        try:
            while not self._stopping.is_set():
                next(acts)(client)
                self._stopping.wait(REST_SECONDS)
        except Exception as error:
            self.problems.append(repr(error))
        finally:
            client.close()

    def _order(self, client: "Client") -> None:
        number = next(self._keys)
        key = f"order-{number}"
        data = client.write("/collect", order_body(reference=key), key)
        self.orders[key] = data
        self.after_order(client, data, number)

    def _payout(self, client: "Client") -> None:
        number = next(self._keys)
        key = f"payout-{number}"
        document = list(ENDS)[number % len(ENDS)]
        data = client.write("/payout", payout_body(recipientDocNumber=document), key)
        self.payouts[key] = data
        self.expected_ends[data["payoutId"]] = ENDS[document]
        client.own = data["payoutId"]

    def _read(self, client: "Client") -> None:
        path = f"/payout/{client.own}" if client.own else "/balance"
        for target in (path, "/collect?limit=3"):
            client.ask("GET", target)


class Client:
    """One program with one connection, which it opens again when it was closed."""

    def __init__(self, traffic: Traffic) -> None:
        self.own = ""  # the payout that it created last
        self._traffic = traffic
        self._connection = http.client.HTTPConnection(*traffic.address, timeout=ANSWER_SECONDS)

    def write(self, path: str, body: Json, key: str) -> Json:
        """Asks with one key until the answer is 2xx; its data."""
        _, answer = self.insist(path, body, {"Idempotency-Key": key})
        data: Json = answer["data"]
        return data

    def insist(
        self, path: str, body: Json, headers: Json | None = None, *, enough: Sequence[str] = ()
    ) -> tuple[str, Any]:
        """Asks until the answer is 2xx, or of a kind that is `enough`: (kind, answer)."""
        deadline = time.monotonic() + WRITE_SECONDS
        kind, tries = "", 0
        while time.monotonic() < deadline and not self._traffic.is_hopeless:
            kind, given, answer = self.ask("POST", path, body, headers)
            if kind == "2xx" or kind in enough:
                if tries and given.get("Idempotent-Replayed") == "true":
                    self._traffic.replayed += 1
                return kind, answer
            tries += 1
            time.sleep(PAUSE_SECONDS)
        raise AssertionError(f"POST {path} {headers} was never answered 2xx, at last {kind}")

    def ask(
        self, method: str, path: str, body: Json | None = None, headers: Json | None = None
    ) -> tuple[str, Any, Any]:
        """One question, noted in the log: (kind, headers, body)."""
        began = time.monotonic()
        kind, given, answer = self._exchange(method, path, body, headers or {})
        self._traffic.answers.append(Answer(kind, began, time.monotonic()))
        return kind, given, answer

    def status(self, path: str) -> tuple[int, Any]:
        """A GET that is no part of the log: (status, headers)."""
        try:
            response = self._send("GET", path, None, {})
        except http.client.RemoteDisconnected:
            # The server closes connections without a request for half a minute.
            self._connection.close()
            response = self._send("GET", path, None, {})
        response.read()
        return response.status, response.headers

    def close(self) -> None:
        """Hang up."""
        self._connection.close()

    def _exchange(
        self, method: str, path: str, body: Json | None, headers: Json
    ) -> tuple[str, Any, Any]:
        try:
            response = self._send(method, path, body, headers)
            text = response.read()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            return type(error).__name__, {}, None
        asked = f"/api/v1{path.partition('?')[0]}"
        openapi_conformance.check(method, asked, response.status, dict(response.headers), text)
        kind, answer = _classified(response, text)
        return kind, response.headers, answer

    def _send(
        self, method: str, path: str, body: Json | None, headers: Json
    ) -> http.client.HTTPResponse:
        text = None if body is None else jsontext.dumps(body).encode()
        given = {**self._traffic.credentials, **headers}
        self._connection.request(method, f"/api/v1{path}", text, given)
        return self._connection.getresponse()


def _classified(response: http.client.HTTPResponse, text: bytes) -> tuple[str, Any]:
    content_type = response.headers.get("Content-Type", "")
    if content_type != "application/json":
        return f"{response.status} {content_type}", None
    answer = jsontext.loads(text)
    if 200 <= response.status <= 299 and answer["success"] is True:
        return "2xx", answer
    code = answer["error"]["code"]
    if (response.status, code) == (503, "SERVICE_UNAVAILABLE"):
        return "503", answer
    return f"{response.status} {code}", answer


def others(kinds: Counter[str], allowed: Callable[[str], bool]) -> dict[str, int]:
    """The kinds of answers that are not allowed, with how many there were."""
    return {kind: count for kind, count in kinds.items() if not allowed(kind)}
