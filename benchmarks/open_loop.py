"""Requests at times that were fixed before, whatever the service does.

A client that waits for a response before it asks again asks less while the service stands still,
and so counts one slow response where a hundred payers waited. Here the time of a request counts
from the moment for which it was planned, also when it was sent later.
"""

import gc
import heapq
import itertools
import select
import time
from collections import defaultdict, deque
from collections.abc import Callable, Generator
from dataclasses import dataclass, field

from benchmarks.client import ANSWER_SECONDS, Address, BadAnswer, Connection, body_of, check

# More requests than this wait for a connection. The waiting counts.
CONNECTIONS = 64


@dataclass(frozen=True, slots=True)
class Step:
    """One request. `after`: seconds from the begin of its visit."""

    kind: str
    after: float
    request: bytes


# What one user does: yields its steps, and is sent the body of each response.
Visit = Generator[Step, bytes, None]


@dataclass(slots=True)
class Outcome:
    """Seconds of each response by kind of request, and how long the run took."""

    latencies: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    seconds: float = 0.0
    visits: int = 0

    @property
    def count(self) -> int:
        """Responses, each of which was 2xx."""
        return sum(len(each) for each in self.latencies.values())

    @property
    def rate(self) -> float:
        """Responses a second."""
        return self.count / self.seconds

    @property
    def requests_a_visit(self) -> float:
        """The mean over the visits that began."""
        return self.count / self.visits


@dataclass(slots=True)
class _Visitor:
    """A visit under way. `planned_at` is the time of its present step."""

    visit: Visit
    began_at: float
    step: Step
    planned_at: float


class LoadGenerator:
    """Sends the steps of many visits over at most CONNECTIONS connections.

    `visit` makes the visit of a number. With `rate` a visit begins every 1/rate seconds. Without
    it `crowd` visits are under way at all times and no step waits for its moment: the most that
    the service can do.
    """

    def __init__(
        self,
        address: Address,
        visit: Callable[[int], Visit],
        *,
        rate: float | None = None,
        crowd: int = 0,
    ) -> None:
        self._address = address
        self._make = visit
        self._rate = rate
        self._crowd = crowd
        self._numbers = itertools.count()
        self._tie = itertools.count()
        self._due: list[tuple[float, int, _Visitor]] = []
        self._unsent: deque[_Visitor] = deque()
        self._idle: list[Connection] = []
        self._busy: dict[int, tuple[Connection, _Visitor]] = {}
        self._opened = 0
        self._poll = select.epoll()
        self._ends_at = 0.0
        self._outcome = Outcome()

    def run(self, seconds: float) -> Outcome:
        """Begins visits for so long, then waits for what is under way. Raises BadAnswer."""
        gc.disable()  # a pause of ours would be taken for one of theirs
        began = time.perf_counter()
        self._ends_at = began + seconds
        try:
            self._roll(began, round(seconds * self._rate) if self._rate else 0)
        finally:
            gc.enable()
            self._poll.close()
            for connection in [*self._idle, *(one for one, _ in self._busy.values())]:
                connection.socket.close()
        self._outcome.seconds = seconds
        return self._outcome

    def _roll(self, began: float, visits: int) -> None:
        for _ in range(self._crowd):
            self._begin(began)
        begun = 0
        while True:
            now = time.perf_counter()
            while begun < visits and self._begins_at(began, begun) <= now:
                self._begin(self._begins_at(began, begun))
                begun += 1
            self._send_due(now)
            if begun >= visits and not (self._due or self._busy or self._unsent):
                return
            self._receive(self._pause(self._begins_at(began, begun) if begun < visits else None))

    def _begins_at(self, began: float, number: int) -> float:
        return began + number / self._rate if self._rate else began

    def _pause(self, next_begin: float | None) -> float:
        """Seconds until something must be sent."""
        moments = [self._due[0][0]] if self._due else []
        if next_begin is not None:
            moments.append(next_begin)
        if not moments:
            return ANSWER_SECONDS
        return min(ANSWER_SECONDS, max(0.0, min(moments) - time.perf_counter()))

    def _begin(self, at: float) -> None:
        visit = self._make(next(self._numbers))
        self._outcome.visits += 1
        step = next(visit)
        self._plan(_Visitor(visit, at, step, self._moment(at, step)))

    def _moment(self, began_at: float, step: Step) -> float:
        return began_at + step.after if self._rate else time.perf_counter()

    def _plan(self, visitor: _Visitor) -> None:
        heapq.heappush(self._due, (visitor.planned_at, next(self._tie), visitor))

    def _send_due(self, now: float) -> None:
        while self._due and self._due[0][0] <= now:
            self._unsent.append(heapq.heappop(self._due)[2])
        while self._unsent and (connection := self._connection()) is not None:
            visitor = self._unsent.popleft()
            connection.ask(visitor.step.request)
            self._busy[connection.socket.fileno()] = (connection, visitor)

    def _connection(self) -> Connection | None:
        if self._idle:
            return self._idle.pop()
        if self._opened >= CONNECTIONS:
            return None
        self._opened += 1
        connection = Connection(self._address)
        self._poll.register(connection.socket.fileno(), select.EPOLLIN)
        return connection

    def _receive(self, seconds: float) -> None:
        for file, _ in self._poll.poll(seconds):
            if file not in self._busy:
                self._forget(file)
                continue
            connection, visitor = self._busy[file]
            answer = connection.read()
            if answer is None:
                continue
            now = time.perf_counter()
            check(answer)
            # Without a rate, what comes after the end would make the rate too high.
            if self._rate or now < self._ends_at:
                self._outcome.latencies[visitor.step.kind].append(now - visitor.planned_at)
            del self._busy[file]
            self._idle.append(connection)
            self._go_on(visitor, body_of(answer))
        oldest = min((each.planned_at for _, each in self._busy.values()), default=None)
        if oldest is not None and time.perf_counter() - oldest > ANSWER_SECONDS:
            raise BadAnswer(f"no answer within {ANSWER_SECONDS} s")

    def _forget(self, file: int) -> None:
        """The service closed a connection that was idle."""
        self._poll.unregister(file)
        for connection in self._idle:
            if connection.socket.fileno() == file:
                self._idle.remove(connection)
                connection.socket.close()
                self._opened -= 1
                return

    def _go_on(self, visitor: _Visitor, body: bytes) -> None:
        try:
            visitor.step = visitor.visit.send(body)
        except StopIteration:
            if not self._rate and time.perf_counter() < self._ends_at:
                self._begin(time.perf_counter())
            return
        visitor.planned_at = self._moment(visitor.began_at, visitor.step)
        self._plan(visitor)
