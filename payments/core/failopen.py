"""Works without a dependency that is unavailable (Redis, the replica), and tries it again later."""

import time
from collections.abc import Callable
from typing import TypeVar

import structlog
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)
# A call to a dependency that hangs takes seconds. The pause keeps requests from waiting for it.
PAUSE_SECONDS = 5.0
T = TypeVar("T")


class FailOpen:
    """Runs calls until one fails, then skips them for PAUSE_SECONDS. One for each process.

    Each failure is logged as `event`. An exception that is not in `errors` is raised.
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
        """Returns None when the call was skipped or failed."""
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
