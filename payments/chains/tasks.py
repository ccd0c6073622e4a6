"""Celery tasks of chains. Each account has a task of its own: a slow node delays no other."""

from celery import shared_task
from django.conf import settings
from django.core.cache import cache

from payments.chains.scanner import runs
from payments.chains.services import chain_accounts
from payments.core import clock_skew
from payments.core.failopen import FailOpen

fail_open = FailOpen("chains.cache_unavailable")


@shared_task
def scan_chains() -> None:
    for account in chain_accounts.list_accounts():
        scan_chain.apply_async(args=[account], expires=settings.CHAIN_SCAN_SECONDS * 2)


@shared_task
def scan_chain(account: str) -> None:
    """A slow node is asked by one worker at a time, so that it does not take all of them.

    Only a saving: scans at once harm nothing. A worker that died holds the place for a minute.
    """
    key = f"chains:scan:{account}"
    longest = settings.SCANNER_BUDGET_SECONDS + 4 * settings.PROVIDER_TIMEOUT_SECONDS
    if fail_open.call(lambda: cache.add(key, 1, timeout=longest)) is False:
        return
    try:
        runs.scan_account(account=account, now=clock_skew.now())
    finally:
        fail_open.call(lambda: cache.delete(key))
