"""Faults drawn at random from a seed: one hand breaks the service, another what is around it.

Both work at the same time, so that a worker may die while the rail is away. Each remembers what it
did and how long nobody got an answer afterwards.
"""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.faults.moody import MOODS, Moody
from tests.faults.rig import Rig, wait_until
from tests.faults.traffic import Traffic

Fault = Callable[[], None]
# The API must answer a write or a read with a 2xx so soon after a fault has ended.
BACK_SECONDS = 30
OUTAGE_SECONDS = (1.0, 5.0)
PAUSE_SECONDS = (0.5, 3.0)
# How often something else breaks while Redis is away.
AT_THE_SAME_TIME = 0.5


class Storm:
    """Call `rage` from the main thread: whoever starts processes must outlive them."""

    def __init__(self, rig: Rig, traffic: Traffic, receiver: Moody, seed: int) -> None:
        self.rig, self.traffic, self.receiver = rig, traffic, receiver
        self.chance = random.Random(f"{seed} faults")
        self.weather = random.Random(f"{seed} weather")
        self.injected: Counter[str] = Counter()
        # The longest wait for a 2xx after the end of each kind of fault.
        self.worst: dict[str, float] = {}
        self.deaths: dict[str, Fault] = {
            "database crash": self._crash_database,
            "web worker killed": lambda: self.rig.kill_web_worker(self.chance.choice),
            "web server killed": lambda: self._kill("web"),
            "Celery worker killed": lambda: self._kill("money"),
            "pump killed": lambda: self._kill("pump"),
            "beat killed": lambda: self._kill("beat"),
        }
        self.redis: dict[str, Fault] = {
            "Redis emptied": self.rig.flush_redis,
            "Redis stopped, started empty": self._stop_redis,
            "Redis hangs": self._hang_redis,
        }

    def rage(self, seconds: float) -> None:
        """Fault after fault, each followed by an answer and a pause."""
        ends_at = time.monotonic() + seconds
        with self._bad_weather():
            while time.monotonic() < ends_at and not self.traffic.problems:
                self._strike({**self.deaths, **self.redis})
                self.revive()
                time.sleep(self.chance.uniform(*PAUSE_SECONDS))

    def revive(self) -> None:
        """The supervisor's part. Counted: a process that ends by itself is a fault, too."""
        self.injected.update(f"{name} ended by itself" for name in self.rig.revive())

    def _strike(self, faults: dict[str, Fault]) -> None:
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
        self.rig.crash_database()

    def _kill(self, name: str) -> None:
        self.rig.kill(name)
        time.sleep(self.chance.uniform(0, 1))
        self.rig.start(name)

    def _stop_redis(self) -> None:
        self.rig.stop_redis()
        try:
            self._endure()
        finally:
            self.rig.start_redis()

    def _hang_redis(self) -> None:
        with self.rig.hanging_redis():
            self._endure()

    def _endure(self) -> None:
        time.sleep(self.chance.uniform(*OUTAGE_SECONDS))
        if self.chance.random() < AT_THE_SAME_TIME:
            self._strike(self.deaths)

    @contextmanager
    def _bad_weather(self) -> Iterator[None]:
        """The rail goes away and the receiver has its moods until the block ends."""
        stopping = threading.Event()
        thread = threading.Thread(target=self._change, args=(stopping,), name="weather")
        thread.start()
        try:
            yield
        finally:
            stopping.set()
            thread.join()

    def _change(self, stopping: threading.Event) -> None:
        while not stopping.wait(self.weather.uniform(*PAUSE_SECONDS)):
            mood = self.weather.choice(("rails away", *MOODS))
            self.injected[mood if mood == "rails away" else f"receiver {mood}"] += 1
            seconds = self.weather.uniform(*OUTAGE_SECONDS)
            if mood == "rails away":
                with self.rig.provider_away():
                    stopping.wait(seconds)
                continue
            self.receiver.mood = mood
            stopping.wait(seconds)
            self.receiver.mood = "well"
