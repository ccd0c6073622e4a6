"""A circuit breaker for each provider, shared by all processes through the cache (Redis).

After PROVIDER_BREAKER_FAILURES calls in a row without a response, a provider is not called for
PROVIDER_BREAKER_SECONDS. Then one call goes through in each such period, until one gets a response:
that closes the circuit. A refusal is a response. Without Redis every call goes through.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import structlog
from django.conf import settings
from django.core.cache import cache

from payments.core.failopen import FailOpen
from payments.providers.ports import ProviderRefused, ProviderTimeout, ProviderUnreachable

log = structlog.get_logger(__name__)
# Failures further apart than this do not add up.
MEMORY_SECONDS = 3600
# Any exception of the client library.
fail_open = FailOpen("breaker.no_cache", (Exception,))


def is_open(code: str) -> bool:
    """Changes nothing, unlike `allow`. For callers that accept new work."""
    return bool(fail_open.call(lambda: cache.get(_key(code, "open")) is not None))


def allow(code: str) -> bool:
    """False while open, and then True for one call at a time.

    Every True must be followed by `record`: `require_closed` does both.
    """
    return fail_open.call(lambda: _allow(code)) is not False


def record(code: str, ok: bool) -> None:
    """One response closes the circuit and deletes all failures."""
    fail_open.call(lambda: _close(code) if ok else _fail(code))


@dataclass(frozen=True, slots=True)
class CircuitHealth:
    """`failures`: calls in a row without a response."""

    is_open: bool
    failures: int


def health(codes: list[str]) -> dict[str, CircuitHealth]:
    """Reads all circuits in one query. Raises the cache's error without Redis."""
    found = cache.get_many([_key(code, name) for code in codes for name in ("open", "failures")])
    return {
        code: CircuitHealth(_key(code, "open") in found, found.get(_key(code, "failures"), 0))
        for code in codes
    }


@contextmanager
def require_closed(code: str) -> Iterator[None]:
    """Around a call that may wait. Raises ProviderUnreachable while the circuit is open."""
    if not allow(code):
        raise ProviderUnreachable(f"The circuit of {code} is open.")
    with watch(code):
        yield


@contextmanager
def watch(code: str) -> Iterator[None]:
    """Records the result of a call that is always made, such as a query. Never blocks it."""
    try:
        yield
    except (ProviderUnreachable, ProviderTimeout):
        record(code, False)
        raise
    except ProviderRefused:
        record(code, True)
        raise
    record(code, True)


def _allow(code: str) -> bool:
    found = cache.get_many([_key(code, "open"), _key(code, "failures")])
    if _key(code, "open") in found:
        return False
    if found.get(_key(code, "failures"), 0) < settings.PROVIDER_BREAKER_FAILURES:
        return True
    # Half open: one process makes a call. Its turn expires, in case it dies.
    return bool(cache.add(_key(code, "probe"), 1, settings.PROVIDER_BREAKER_SECONDS))


def _close(code: str) -> None:
    cache.delete_many([_key(code, name) for name in ("open", "failures", "probe")])


def _fail(code: str) -> None:
    key = _key(code, "failures")
    cache.add(key, 0, MEMORY_SECONDS)
    failures = cache.incr(key)
    cache.touch(key, MEMORY_SECONDS)
    if failures >= settings.PROVIDER_BREAKER_FAILURES:
        # Calls that began before the circuit opened do not extend the wait.
        if cache.add(_key(code, "open"), 1, settings.PROVIDER_BREAKER_SECONDS):
            log.warning("breaker.opened", provider=code, failures=failures)
        cache.delete(_key(code, "probe"))


def _key(code: str, name: str) -> str:
    return f"breaker:{code}:{name}"
