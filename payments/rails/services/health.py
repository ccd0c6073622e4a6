"""How the accounts of rails do: what their calls brought in the last hour.

Counts are in the shared cache, by account and method, in slots of five minutes. Redis may be lost
at any time: then nothing is known, and every account serves.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.core.cache import cache

from payments.core.failopen import FailOpen
from payments.providers.ports import ProviderTimeout, ProviderUnreachable

SLOT_SECONDS = 300
HOUR_SLOTS = 3600 // SLOT_SECONDS + 1  # the first one is over in part
# What the order of accounts looks at: an account that is well again is tried soon.
RECENT_SLOTS = 2
# Below this share of answers an account comes after the others, if it had so many calls.
GOOD_SHARE, ENOUGH_CALLS = 0.5, 10
# Upper ends in seconds. A call that took longer counts for the last.
BOUNDS = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
FAILED = "failed"
# Outcomes of callbacks: a wrong signature; about nothing of ours; about money of a payment that is
# at another account.
REFUSED, UNUSED, ELSEWHERE = "refused", "unused", "elsewhere"
KEPT_SECONDS = 2 * 3600
fail_open = FailOpen("health.no_cache", (Exception,))


@dataclass(frozen=True, slots=True)
class Health:
    """`share` of the calls that were answered, a refusal too, and `p95` in seconds; None without a
    call. `last_success` is in seconds since 1970; None: not within two hours.
    """

    calls: int
    share: float | None
    p95: float | None
    last_success: float | None

    @property
    def is_poor(self) -> bool:
        return self.share is not None and self.calls >= ENOUGH_CALLS and self.share < GOOD_SHARE


UNKNOWN = Health(0, None, None, None)


@contextmanager
def measure(product: str, account: str, method: str) -> Iterator[None]:
    """Around a call to a rail."""
    started, ok = time.monotonic(), True
    try:
        yield
    except (ProviderUnreachable, ProviderTimeout):
        ok = False
        raise
    finally:
        seconds = time.monotonic() - started
        fail_open.call(lambda: _record(_series(product, account, method), ok, seconds))


def read(
    product: str, account: str, methods: Sequence[str], slots: int = HOUR_SLOTS
) -> dict[str, Health]:
    """By method, in one look-up. Empty without Redis."""
    return fail_open.call(lambda: _read(product, account, methods, slots)) or {}


def is_poor(product: str, account: str, method: str) -> bool:
    found = read(product, account, [method], RECENT_SLOTS)
    return found.get(method, UNKNOWN).is_poor


def count_callback(account: str, outcome: str) -> None:
    """`account` is one that exists, so that a stranger cannot add keys."""
    fail_open.call(lambda: _increment(f"callbacks:{account}:{outcome}", None))


def callbacks(accounts: Sequence[str], outcomes: Sequence[str]) -> dict[tuple[str, str], int]:
    """Since Redis was last empty. Raises the cache's error without Redis."""
    keys = {
        f"callbacks:{one}:{outcome}": (one, outcome) for one in accounts for outcome in outcomes
    }
    found = cache.get_many(list(keys))
    return {pair: int(found.get(key, 0)) for key, pair in keys.items()}


def _series(product: str, account: str, method: str) -> str:
    return f"health:{product}:{account}:{method}"


def _record(series: str, ok: bool, seconds: float) -> None:
    slot = int(time.time()) // SLOT_SECONDS
    bound = next((end for end in BOUNDS if seconds <= end), BOUNDS[-1])
    _increment(f"{series}:{slot}:{bound}", KEPT_SECONDS)
    if ok:
        cache.set(f"{series}:last", time.time(), KEPT_SECONDS)
    else:
        _increment(f"{series}:{slot}:{FAILED}", KEPT_SECONDS)


def _increment(key: str, seconds: int | None) -> None:
    try:
        cache.incr(key)
    except ValueError:  # there is none yet
        if not cache.add(key, 1, seconds):
            cache.incr(key)


def _read(product: str, account: str, methods: Sequence[str], slots: int) -> dict[str, Health]:
    newest = int(time.time()) // SLOT_SECONDS
    wanted = [newest - age for age in range(slots)]
    keys = [
        f"{_series(product, account, method)}:{name}"
        for method in methods
        for name in ("last", *(f"{slot}:{kind}" for slot in wanted for kind in (*BOUNDS, FAILED)))
    ]
    found = cache.get_many(keys)
    return {method: _health(found, _series(product, account, method), wanted) for method in methods}


def _health(found: dict[str, float], series: str, slots: Sequence[int]) -> Health:
    def total(kind: object) -> int:
        return int(sum(found.get(f"{series}:{slot}:{kind}", 0) for slot in slots))

    counts = [total(bound) for bound in BOUNDS]
    calls, last = sum(counts), found.get(f"{series}:last")
    if not calls:
        return Health(0, None, None, last)
    return Health(calls, 1 - min(total(FAILED), calls) / calls, _p95(counts), last)


def _p95(counts: Sequence[int]) -> float:
    """The end of the band in which it lies."""
    below, enough = 0, 0.95 * sum(counts)
    for bound, count in zip(BOUNDS, counts, strict=True):
        below += count
        if below >= enough:
            return bound
    return BOUNDS[-1]
