"""What statements cost: a limit of their own, and one at a time for each merchant."""

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.core.signals import request_finished
from django.db import close_old_connections

from merchants.models import Merchant
from payments.api import limits
from payments.core import clock
from payments.settlement import statement_lock
from tests.support.fixtures import ApiClient
from tests.support.funds import fund

pytestmark = pytest.mark.django_db
CSV = "/settlements/statement.csv?from=2026-01-01&to=2026-01-02"
HTML = "/settlements/statement.html?from=2026-01-01&to=2026-01-02"


@pytest.fixture(autouse=True)
def _closed_breaker() -> Any:
    limits.breaker.paused_until = 0
    yield
    limits.breaker.paused_until = 0


@pytest.fixture
def within_a_minute() -> Iterator[None]:
    """Limits count in whole minutes of the clock: a slow machine crosses the end of one."""
    with time_machine.travel(clock.now().replace(second=10), tick=False):
        yield


def finish(answer: Any) -> bytes:
    """All of it; at its end the test client closes the answer, as a web server does."""
    return b"".join(answer.streaming_content)


def hang_up(answer: Any) -> None:
    """What a web server does when the client has gone. The test keeps its connection."""
    request_finished.disconnect(close_old_connections)
    try:
        answer.close()
    finally:
        request_finished.connect(close_old_connections)


def assert_waits(answer: Any) -> None:
    assert answer.status_code == 429
    assert answer.body["error"]["code"] == "RATE_LIMIT_EXCEEDED"
    assert int(answer.headers["Retry-After"]) > 0
    for name in ("Limit", "Remaining", "Reset"):
        assert answer.headers[f"X-RateLimit-{name}"].isdigit()


@pytest.mark.usefixtures("within_a_minute")
def test_statements_have_a_limit_of_their_own(api: ApiClient, stranger_api: ApiClient) -> None:
    statuses = []
    for path in (CSV, HTML) * 5:
        answer = api.get(path)
        statuses.append(answer.status_code)
        assert answer.headers["X-RateLimit-Limit"] == "10"
        if answer.streaming:
            finish(answer)
    assert statuses == [200] * 10
    assert_waits(api.get(HTML))
    assert_waits(api.get("/settlements/set_none/statement.csv"))
    assert api.get("/settlements").status_code == 200
    finish(stranger_api.get(CSV))


def test_a_second_statement_waits_for_the_first(api: ApiClient, stranger_api: ApiClient) -> None:
    first = api.get(CSV)
    assert first.status_code == 200
    for path in (CSV, HTML):
        assert_waits(api.get(path))
    assert stranger_api.get(HTML).status_code == 200
    assert finish(first).startswith(b"\xef\xbb\xbfmovementId")
    assert api.get(HTML).status_code == 200
    assert finish(api.get(CSV))


def test_a_client_that_hangs_up_leaves_no_turn_behind(api: ApiClient) -> None:
    before_any_line = api.get(CSV)
    hang_up(before_any_line)
    in_the_middle = api.get(CSV)
    lines = iter(in_the_middle.streaming_content)
    next(lines)
    assert_waits(api.get(CSV))
    in_the_middle._iterator.close()  # the test client's, which closes the answer, too
    assert api.get(HTML).status_code == 200


def test_a_refused_statement_leaves_no_turn_behind(api: ApiClient) -> None:
    for path in (CSV, HTML):
        refused = api.get(path.replace("to=2026-01-02", "to=2025-01-02"))
        assert refused.status_code == 400
    assert api.get("/settlements/set_none/statement.csv").status_code == 404
    assert api.get(HTML).status_code == 200


def test_a_worker_that_was_killed_gives_its_turn_back(
    api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statement_lock, "EXPIRES_SECONDS", 1)
    abandoned = api.get(CSV)  # is never closed
    assert_waits(api.get(CSV))
    key = f"statement:{merchant.pk}"
    assert 0 < cache._cache.get_client(key).pttl(cache.make_key(key)) <= 1000
    cache._cache.get_client(key).pexpire(cache.make_key(key), 0)  # now, whatever the clock says
    later = api.get(CSV)
    assert later.status_code == 200
    # The old one does not end the turn of the new one.
    hang_up(abandoned)
    assert_waits(api.get(HTML))
    finish(later)


def test_a_long_statement_keeps_its_turn(
    api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statement_lock, "RENEW_SECONDS", 0)
    fund(merchant, 50_000)
    long = api.get(CSV)
    key = cache.make_key(f"statement:{merchant.pk}")
    client = cache._cache.get_client(key)
    client.pexpire(key, 500)
    lines = iter(long.streaming_content)
    next(lines)
    assert client.pttl(key) > 20_000
    assert list(lines)


def test_without_redis_everybody_has_a_turn(api: ApiClient, settings: Any) -> None:
    limits.breaker.paused_until = float("inf")  # as after a failure
    first, second = api.get(CSV), api.get(CSV)
    assert (first.status_code, second.status_code) == (200, 200)
    assert finish(first) == finish(second)
