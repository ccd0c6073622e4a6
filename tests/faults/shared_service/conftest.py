"""One live service for these experiments: a start costs ten CPU seconds, and each ends with a
service that works. Each has a merchant of its own.
"""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.support.live_service import LiveService, running

# What a fault cut is sent again soon after it, and a window lets few reads of one order through.
SETTINGS = {
    "WEBHOOK_TIMEOUT_SECONDS": "3",
    "WEBHOOK_LEASE_SECONDS": "6",
    # The receiver of a soak is away for seconds, often; no delivery is given up before it is back.
    "WEBHOOK_RETRY_DELAYS": "0,1,2,5,10,20,20,20,20,20",
    "PROVIDER_BREAKER_SECONDS": "2",
    "CHARGE_RECONCILE_DELAYS": "1,2,5",
    "RATE_LIMIT_COLLECT_READ": "5/m",
}


class Shared:
    """The service that is running now, if one is."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._service: LiveService | None = None

    def service(self) -> LiveService:
        if self._service is None:
            self._service = self._stack.enter_context(running(**SETTINGS))
        return self._service

    def close(self) -> None:
        self._service = None
        self._stack.close()

    def give_up(self) -> None:
        """After a failure: prints the logs. The next experiment begins with a fresh service."""
        if self._service is not None:
            self._service.show_logs()
        self.close()


@pytest.fixture(scope="package")
def _shared() -> Iterator[Shared]:
    shared = Shared()
    yield shared
    shared.close()


@pytest.fixture
def live_service(_shared: Shared, request: pytest.FixtureRequest) -> Iterator[LiveService]:
    failed = request.session.testsfailed
    yield _shared.service()
    if request.session.testsfailed != failed:
        _shared.give_up()
