"""A dependency that may be lost is skipped for a while after a failure."""

import pytest
from redis.exceptions import ConnectionError

from payments.core import failopen
from payments.core.failopen import FailOpen


def away() -> str:
    raise ConnectionError


def test_failed_call_is_none_and_pauses_the_next_ones() -> None:
    breaker = FailOpen("test.away")
    assert breaker.call(lambda: "there") == "there"
    assert breaker.call(away) is None
    assert breaker.is_paused
    assert breaker.call(lambda: pytest.fail("was called")) is None


def test_calls_are_made_again_after_the_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failopen, "PAUSE_SECONDS", 0.0)
    breaker = FailOpen("test.away")
    breaker.call(away)
    assert breaker.call(lambda: "there") == "there"


def test_defect_goes_through_and_pauses_nothing() -> None:
    breaker = FailOpen("test.away")
    with pytest.raises(ZeroDivisionError):
        breaker.call(lambda: 1 // 0)
    assert not breaker.is_paused
