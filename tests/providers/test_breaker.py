"""A provider that does not answer is left alone for a while, by every process."""

import pytest
import redis.exceptions
from django.core.cache import cache

from payments.providers import breaker
from payments.providers.ports import (
    OutgoingReason,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnreachable,
)
from tests.simulator.test_outgoing_store import together

CODE = "rail"
FAILURES = 5


@pytest.fixture(autouse=True)
def _closed(settings, monkeypatch):
    settings.PROVIDER_BREAKER_FAILURES = FAILURES
    settings.PROVIDER_BREAKER_SECONDS = 30
    monkeypatch.setattr(breaker.fail_open, "paused_until", 0.0)
    breaker.record(CODE, True)
    yield
    breaker.record(CODE, True)


def fail(times=FAILURES, code=CODE):
    for _ in range(times):
        breaker.record(code, False)


def wait():
    """The time of being left alone is over."""
    cache.delete(f"breaker:{CODE}:open")


def test_provider_that_fails_in_a_row_is_left_alone_until_it_answers():
    assert (breaker.is_open(CODE), breaker.allow(CODE)) == (False, True)
    fail()
    assert (breaker.is_open(CODE), breaker.allow(CODE)) == (True, False)
    breaker.record(CODE, True)
    assert (breaker.is_open(CODE), breaker.allow(CODE)) == (False, True)


def test_only_failures_in_a_row_count():
    fail(FAILURES - 1)
    breaker.record(CODE, True)
    fail(FAILURES - 1)
    assert not breaker.is_open(CODE)
    fail(1)
    assert breaker.is_open(CODE)


def test_providers_have_circuits_of_their_own():
    fail()
    assert (breaker.is_open("another"), breaker.allow("another")) == (False, True)


def test_open_breaker_lets_one_call_through_later_and_closes_on_its_success():
    fail()
    wait()
    assert not breaker.is_open(CODE)  # new work is taken on again: it is what heals
    assert [breaker.allow(CODE) for _ in range(3)] == [True, False, False]
    breaker.record(CODE, True)
    assert all(breaker.allow(CODE) for _ in range(3))


def test_one_more_failure_opens_it_again():
    fail()
    wait()
    assert breaker.allow(CODE)
    fail(1)
    assert (breaker.is_open(CODE), breaker.allow(CODE)) == (True, False)
    wait()
    assert breaker.allow(CODE)


def test_worker_that_dies_with_the_turn_gives_it_back_in_time(settings):
    settings.PROVIDER_BREAKER_SECONDS = 1
    fail()
    wait()
    assert breaker.allow(CODE)
    assert 0 < cache._cache.get_client().ttl(cache.make_key(f"breaker:{CODE}:probe")) <= 1


def test_breaker_closes_with_time_and_forgets_its_failures():
    fail()
    client = cache._cache.get_client()
    assert 28 <= client.ttl(cache.make_key(f"breaker:{CODE}:open")) <= 30
    assert 0 < client.ttl(cache.make_key(f"breaker:{CODE}:failures")) <= breaker.MEMORY_SECONDS


def test_late_failures_do_not_make_the_wait_longer():
    fail()
    key = cache.make_key(f"breaker:{CODE}:open")
    cache._cache.get_client().expire(key, 3)
    fail()
    assert cache._cache.get_client().ttl(key) <= 3


def test_eight_threads_count_exactly_and_one_of_them_passes():
    fail(FAILURES - 1)
    assert all(together(lambda _: breaker.allow(CODE)))
    together(lambda _: breaker.record(CODE, False))
    wait()
    assert sum(together(lambda _: breaker.allow(CODE))) == 1


@pytest.mark.parametrize("error", [ProviderUnreachable("away"), ProviderTimeout("late")])
def test_the_guard_counts_what_was_not_answered(error):
    calls = []

    def call():
        with breaker.require_closed(CODE):
            calls.append(error)
            raise error

    for _ in range(FAILURES + 3):
        with pytest.raises((ProviderUnreachable, ProviderTimeout)):
            call()
    assert len(calls) == FAILURES
    assert breaker.is_open(CODE)


def test_a_refusal_is_an_answer():
    fail(FAILURES - 1)
    with pytest.raises(ProviderRefused), breaker.require_closed(CODE):
        raise ProviderRefused(OutgoingReason.ACCOUNT_CLOSED)
    fail(FAILURES - 1)
    assert not breaker.is_open(CODE)


def test_our_own_mistakes_say_nothing_about_the_provider():
    fail(FAILURES - 1)
    with pytest.raises(ZeroDivisionError), breaker.require_closed(CODE):
        raise ZeroDivisionError
    fail(1)
    assert breaker.is_open(CODE)


def test_a_question_passes_an_open_circuit_and_closes_it():
    fail()
    with breaker.watch(CODE):
        pass
    assert not breaker.is_open(CODE)


def test_what_redis_forgets_closes_it():
    fail()
    cache.clear()
    assert (breaker.is_open(CODE), breaker.allow(CODE)) == (False, True)


def test_with_redis_away_everything_passes(settings):
    fail()
    settings.CACHES = {
        name: {**cache, "LOCATION": "redis://127.0.0.1:1/0"}
        for name, cache in settings.CACHES.items()
    }
    assert (breaker.is_open(CODE), breaker.allow(CODE)) == (False, True)
    for _ in range(FAILURES):
        with pytest.raises(ProviderTimeout), breaker.require_closed(CODE):
            raise ProviderTimeout("late")
    with breaker.require_closed(CODE):
        pass


def test_a_hanging_redis_is_asked_once_in_a_while(monkeypatch):
    asked = []

    def hang(*arguments):
        asked.append(arguments)
        raise redis.exceptions.TimeoutError

    monkeypatch.setattr(cache, "get", hang)
    assert not any(breaker.is_open(CODE) for _ in range(10))
    assert len(asked) == 1
    monkeypatch.setattr(breaker.fail_open, "paused_until", 0.0)
    breaker.is_open(CODE)
    assert len(asked) == 2
