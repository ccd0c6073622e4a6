"""Goes on without a dependency that is away (Redis, the replica), and tries again later."""

import time
from collections.abc import Callable
from typing import TypeVar

import structlog
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)
# A call to something that hangs costs seconds; without a pause every request would pay for it.
PAUSE_SECONDS = 5.0
T = TypeVar("T")


class FailOpen:
    """Runs calls until one fails, then skips them for PAUSE_SECONDS. One for each process.

    `event` is logged at each failure. An exception outside `errors` is a defect and is raised.
    """

    def __init__(
        self, event: str, errors: tuple[type[Exception], ...] = (RedisError, OSError)
    ) -> None:
        self._event = event
        self._errors = errors
        self.paused_until = 0.0

    @property
    def is_paused(self) -> bool:
        return time.monotonic() < self.paused_until

    def call(self, function: Callable[[], T]) -> T | None:
        """None when it was skipped or failed."""
        if self.is_paused:
            return None
        try:
            return function()
        except self._errors as error:
            self.pause(error)
            return None

    def pause(self, error: Exception) -> None:
        self.paused_until = time.monotonic() + PAUSE_SECONDS
        log.warning(self._event, error=type(error).__name__)
