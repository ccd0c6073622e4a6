"""Faults drawn at random from a seed: one thread breaks the service, another its surroundings.

Both run at the same time, so that a worker may die while the rail is away. `injected` counts the
faults, `worst` has the longest wait for a 2xx after each kind.
"""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial

from tests.faults.flaky_receiver import BEHAVIOURS, FlakyReceiver
from tests.support.live_service import LiveService, wait_until
from tests.support.traffic import Traffic

Fault = Callable[[], None]
# Lasts as long as its block.
Spell = Callable[[], AbstractContextManager[None]]
# The API must answer a write or a read with a 2xx so soon after a fault has ended.
BACK_SECONDS = 30
OUTAGE_SECONDS = (1.0, 5.0)
PAUSE_SECONDS = (0.5, 3.0)
# How often something else breaks while Redis is away.
AT_THE_SAME_TIME = 0.5


class FaultInjector:
    """Call `inject_for` from the main thread: a process ends with the thread that started it.

    deaths   what the main thread does, beside what happens to Redis.
    spells   what the other thread does.
    """

    def __init__(
        self, live_service: LiveService, traffic: Traffic, receiver: FlakyReceiver, seed: int
    ) -> None:
        self.live_service, self.traffic, self.receiver = live_service, traffic, receiver
        self.chance = random.Random(f"{seed} faults")
        self.background_chance = random.Random(f"{seed} weather")
        self.injected: Counter[str] = Counter()
        # The longest wait for a 2xx after the end of each kind of fault.
        self.worst: dict[str, float] = {}
        self.deaths: dict[str, Fault] = {
            "database crash": self._crash_database,
            "web worker killed": lambda: self.live_service.kill_web_worker(self.chance.choice),
            "web server killed": lambda: self.kill("web"),
            "Celery worker killed": lambda: self.kill("money"),
            "pump killed": lambda: self.kill("pump"),
            "beat killed": lambda: self.kill("beat"),
        }
        self.spells: dict[str, Spell] = {
            "rails away": live_service.provider_away,
            **{f"receiver {name}": partial(receiver.behaving, name) for name in BEHAVIOURS},
        }
        self.redis: dict[str, Fault] = {
            "Redis emptied": self.live_service.flush_redis,
            "Redis stopped, started empty": self._stop_redis,
            "Redis hangs": self._hang_redis,
        }

    def inject_for(self, seconds: float) -> None:
        """Fault after fault, each followed by an answer and a pause."""
        ends_at = time.monotonic() + seconds
        with self._background_faults():
            while time.monotonic() < ends_at and not self.traffic.problems:
                self._inject({**self.deaths, **self.redis})
                self.revive()
                time.sleep(self.chance.uniform(*PAUSE_SECONDS))

    def revive(self) -> None:
        """The supervisor's part. Counted: a process that ends by itself is a fault, too."""
        self.injected.update(f"{name} ended by itself" for name in self.live_service.revive())

    def _inject(self, faults: dict[str, Fault]) -> None:
        name = self.chance.choice(sorted(faults))
        self.injected[name] += 1
        faults[name]()
        ended_at = time.monotonic()

        def answered() -> bool:
            # Two workers killed within seconds are a crash loop to the web server, which ends.
            self.revive()
            return self._answered_since(ended_at)

        wait_until(answered, seconds=BACK_SECONDS, what=f"2xx after {name}")
        self.worst[name] = max(self.worst.get(name, 0.0), time.monotonic() - ended_at)

    def _answered_since(self, moment: float) -> bool:
        answers = self.traffic.answers
        newest = (answers[-number] for number in range(1, min(len(answers), 50) + 1))
        return any(answer.is_good and answer.began_at > moment for answer in newest)

    def _crash_database(self) -> None:
        self.live_service.crash_database()

    def kill(self, name: str) -> None:
        """SIGKILL, and within a second a new start."""
        self.live_service.kill(name)
        time.sleep(self.chance.uniform(0, 1))
        self.live_service.start(name)

    def _stop_redis(self) -> None:
        self.live_service.stop_redis()
        try:
            self._endure()
        finally:
            self.live_service.start_redis()

    def _hang_redis(self) -> None:
        with self.live_service.hanging_redis():
            self._endure()

    def _endure(self) -> None:
        time.sleep(self.chance.uniform(*OUTAGE_SECONDS))
        if self.chance.random() < AT_THE_SAME_TIME:
            self._inject(self.deaths)

    @contextmanager
    def _background_faults(self) -> Iterator[None]:
        """The rail goes away and the receiver misbehaves until the block ends."""
        stopping = threading.Event()
        thread = threading.Thread(target=self._change, args=(stopping,), name="background-faults")
        thread.start()
        try:
            yield
        finally:
            stopping.set()
            thread.join()

    def _change(self, stopping: threading.Event) -> None:
        while not stopping.wait(self.background_chance.uniform(*PAUSE_SECONDS)):
            name = self.background_chance.choice(list(self.spells))
            self.injected[name] += 1
            seconds = self.background_chance.uniform(*OUTAGE_SECONDS)
            with self.spells[name]():
                stopping.wait(seconds)
