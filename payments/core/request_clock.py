"""The time of a request or task that began with a given `now`."""

import time
from datetime import datetime, timedelta


class RequestClock:
    """A clock that starts at `now`, because calls and locks take time."""

    def __init__(self, now: datetime) -> None:
        self._began, self._started = now, time.monotonic()

    def passed_seconds(self) -> float:
        return time.monotonic() - self._started

    def now(self) -> datetime:
        return self._began + timedelta(seconds=self.passed_seconds())
