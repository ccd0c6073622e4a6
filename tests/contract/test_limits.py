"""Rate limits: contract, Limits; faults.md, F14 and F7."""

import contextlib
import socket
import threading
import time

import pytest
import redis
import time_machine
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import override_settings

from payments.api import limits
from payments.core import clock, failopen
from tests.faults import scaled
from tests.support.factories import MerchantFactory, order_body
from tests.support.fixtures import ApiClient
from tests.support.measurements import record


@pytest.fixture(autouse=True)
def _closed_breaker():
    limits.breaker.paused_until = 0
    yield
    limits.breaker.paused_until = 0


def test_every_answer_carries_the_three_headers(api: ApiClient) -> None:
    created = api.post("/collect", order_body())
    assert created.headers["X-RateLimit-Limit"] == "100"
    assert created.headers["X-RateLimit-Remaining"] == "99"
    reset = int(created.headers["X-RateLimit-Reset"])
    assert time.time() - 1 <= reset <= time.time() + 61

    read = api.get(f"/collect/{created.body['data']['id']}")
    assert read.headers["X-RateLimit-Limit"] == "1000"
    assert read.headers["X-RateLimit-Remaining"] == "999"
    refused = api.post("/collect", {})
    assert refused.status_code == 400
    assert refused.headers["X-RateLimit-Remaining"] == "98"


def test_request_beyond_the_limit_is_429_for_that_merchant_alone(
    api: ApiClient, stranger_api: ApiClient
) -> None:
    with override_settings(RATE_LIMITS={**limits.settings.RATE_LIMITS, "collect_create": "3/m"}):
        statuses = [api.post("/collect", order_body()).status_code for _ in range(4)]
        refused = api.post("/collect", order_body())
        assert stranger_api.post("/collect", order_body()).status_code == 201

    assert statuses == [201, 201, 201, 429]
    assert refused.body["error"]["code"] == "RATE_LIMIT_EXCEEDED"
    assert refused.headers["X-RateLimit-Remaining"] == "0"
    assert 0 <= int(refused.headers["Retry-After"]) <= 60
    assert api.get("/collect").status_code == 200  # counted per route


def test_every_other_route_has_a_count_of_its_own(api: ApiClient) -> None:
    def left(response) -> str:
        return response.headers["X-RateLimit-Remaining"]

    assert [left(api.get("/collect")), left(api.get("/collect?limit=1"))] == ["999", "998"]
    assert left(api.get("/payout")) == left(api.get("/topup/operators")) == "999"
    assert [left(api.get(f"/payout/po_{n}")) for n in range(2)] == ["999", "998"]
    assert [left(api.post("/payout", {})), left(api.post("/topup", {}))] == ["299", "299"]
    with override_settings(RATE_LIMITS={**limits.settings.RATE_LIMITS, "write": "2/m"}):
        many = [api.post("/bills/check", {}).status_code for _ in range(3)]
        assert (many, api.post("/bills/pay", {}).status_code) == ([400, 400, 429], 400)


def test_the_count_is_in_redis_where_every_process_sees_it(api: ApiClient) -> None:
    def remaining() -> str:
        return api.post("/collect", {}).headers["X-RateLimit-Remaining"]

    assert [remaining(), remaining()] == ["99", "98"]
    # Another process, which knows nothing of this one, takes the count away.
    redis.Redis.from_url(settings.REDIS_URL).flushdb()
    assert remaining() == "99"


@pytest.mark.slow
@pytest.mark.faults("F14")
@pytest.mark.django_db(transaction=True)
def test_the_limit_is_exact_under_concurrency() -> None:
    """F14: 8 threads in one window, exactly 100 are not 429, other merchants untouched."""
    each = max(40, scaled(300))
    api, other = ApiClient(MerchantFactory()), ApiClient(MerchantFactory(name="Otra Tienda"))
    cache.clear()
    barrier, answers = threading.Barrier(8), []

    def call() -> None:
        barrier.wait()
        for _ in range(each):
            response = api.post("/collect", {})
            answers.append((response.status_code, response.headers["X-RateLimit-Remaining"]))
        connection.close()

    threads = [threading.Thread(target=call) for _ in range(8)]
    # The windows are fixed, and however long the requests take, all are in one of them.
    with time_machine.travel(clock.now(), tick=False):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    passed = [remaining for status, remaining in answers if status != 429]
    record(
        f"{len(passed)} of {len(answers)} passed",
        requests=len(answers),
        requests_passed=len(passed),
    )
    assert len(answers) == 8 * each
    assert sorted(map(int, passed)) == list(range(100))
    assert {remaining for status, remaining in answers if status == 429} == {"0"}
    assert other.post("/collect", order_body()).status_code == 201


def test_with_redis_away_the_api_answers_and_fails_open(api: ApiClient, settings) -> None:
    settings.CACHES = {
        name: {**cache, "LOCATION": "redis://127.0.0.1:1/0"}
        for name, cache in settings.CACHES.items()
    }
    started = time.monotonic()
    responses = [api.post("/collect", order_body()) for _ in range(5)]

    assert [response.status_code for response in responses] == [201] * 5
    assert "X-RateLimit-Limit" not in responses[0].headers
    assert time.monotonic() - started < 10


def test_a_redis_that_hangs_delays_one_request_and_not_each(
    api: ApiClient, settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failopen, "PAUSE_SECONDS", 60.0)  # however slow the machine is
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(0)
        address = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        settings.CACHES = {
            name: {**cache, "LOCATION": address} for name, cache in settings.CACHES.items()
        }
        assert [api.get("/collect").status_code for _ in range(5)] == [200] * 5
        asked = 0
        with contextlib.suppress(BlockingIOError):
            while True:
                silent.accept()[0].close()
                asked += 1
    assert asked == 1
