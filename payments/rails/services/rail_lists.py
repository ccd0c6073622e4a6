"""Lists that rails publish, such as banks and terms, in the shared cache with their age.

A list is fresh for an hour. Then one process asks the rail again, and the others use the last good
list, as all do for a day while the rail does not answer. Where there is no list, a failure is kept
for a few seconds, so that not every payer waits for a rail that does not answer.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, TypeVar

from django.core.cache import cache

from payments.core import clock
from payments.core.failopen import FailOpen
from payments.providers import registry
from payments.providers.ports import (
    Bank,
    PayoutBank,
    ProviderError,
    ProviderUnreachable,
    Term,
)

FRESH = timedelta(hours=1)
KEPT = timedelta(days=1)
# Between two calls to a rail that does not answer: payers wait for each.
RETRY_SECONDS = 30
# The same where payers have no list to go on with.
FAILURE_SECONDS = 5
# Any exception of the client library.
fail_open = FailOpen("rail_lists.no_cache", (Exception,))
T = TypeVar("T")


def banks(account: str) -> tuple[Bank, ...]:
    """The banks of PSE. Raises ProviderError."""
    return _read(registry.PAYIN, account, "banks", lambda adapter: adapter.banks())


def kept_banks(account: str) -> tuple[Bank, ...]:
    """The last good list of the cache. The rail is not asked, so it may be empty."""
    found = fail_open.call(lambda: cache.get(_key(account, "banks")))
    return found[1] if found else ()


def terms(account: str) -> tuple[Term, ...]:
    """What a payer accepts before a charge. Raises ProviderError."""
    return _read(registry.PAYIN, account, "terms", lambda adapter: adapter.terms())


def payout_banks(account: str) -> tuple[PayoutBank, ...]:
    """The banks that payouts reach. Raises ProviderError."""
    payouts: registry.Adapters[Any] = registry.outgoing("payout")
    return _read(payouts, account, "payout-banks", lambda adapter: adapter.payout_banks())


def forget(account: str) -> None:
    """The next reader asks the rail: it has other documents now."""
    fail_open.call(lambda: cache.delete_many([_key(account, "banks"), _key(account, "terms")]))


def _read(
    adapters: registry.Adapters[Any],
    account: str,
    name: str,
    ask: Callable[[Any], tuple[T, ...]],
) -> tuple[T, ...]:
    """The account is looked up only to ask it: a kept list costs no query."""

    def fetch() -> tuple[T, ...]:
        try:
            adapter = adapters.get(account)
        except registry.UnknownProvider as error:
            raise ProviderUnreachable(f"{account} does not serve") from error
        return ask(adapter)

    if registry.is_simulated(account):
        return fetch()
    key, now = _key(account, name), clock.now()
    found = fail_open.call(lambda: cache.get(key))
    if found is None:
        return _fetch_first(key, fetch)
    fetched_at, last_good = found
    if now - fetched_at < FRESH or not _claim(key):
        return last_good  # type: ignore[no-any-return]
    try:
        return _fetch(key, fetch)
    except ProviderError:
        return last_good  # type: ignore[no-any-return]


def _fetch_first(key: str, fetch: Callable[[], tuple[T, ...]]) -> tuple[T, ...]:
    """There is no last good list."""
    failed = f"{key}:failed"
    if fail_open.call(lambda: cache.get(failed)):
        raise ProviderUnreachable("the rail did not answer a moment ago")
    try:
        return _fetch(key, fetch)
    except ProviderError:
        fail_open.call(lambda: cache.set(failed, 1, timeout=FAILURE_SECONDS))
        raise


def _fetch(key: str, fetch: Callable[[], tuple[T, ...]]) -> tuple[T, ...]:
    fetched = fetch()
    kept = (clock.now(), fetched)
    fail_open.call(lambda: cache.set(key, kept, timeout=KEPT.total_seconds()))
    return fetched


def _claim(key: str) -> bool:
    return bool(fail_open.call(lambda: cache.add(f"{key}:asked", 1, timeout=RETRY_SECONDS)))


def _key(account: str, name: str) -> str:
    return f"rail:{account}:{name}"
