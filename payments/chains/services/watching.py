"""Whether an account's chain is watched well enough to give out an address.

Money to an address that is not watched would be found late, and its quote would be over.
"""

from datetime import datetime, timedelta

from django.conf import settings

from payments.chains.models import ChainCursor


def is_watched(account: str, now: datetime) -> bool:
    cursor = ChainCursor.objects.filter(pk=account).first()
    return cursor is not None and obstacle(cursor, now) == ""


def watched_accounts(now: datetime) -> set[str]:
    """Of all accounts, with one query."""
    return {one.account for one in ChainCursor.objects.all() if not obstacle(one, now)}


def obstacle(cursor: ChainCursor, now: datetime) -> str:
    """Empty for a chain that is watched; else why it is not, for logs."""
    if cursor.problem:
        return cursor.problem
    if now - cursor.scanned_at > timedelta(seconds=settings.CHAIN_SCAN_MAX_AGE_SECONDS):
        return "not scanned"
    if now - cursor.tip_time > tip_max_age(cursor.network):
        return "old tip"
    if cursor.tip_height - cursor.height > settings.CHAIN_LAG_MAX_BLOCKS:
        return "not read to the tip"
    return ""


def tip_max_age(network: str) -> timedelta:
    named = settings.CHAIN_TIP_MAX_AGE_SECONDS
    return timedelta(seconds=int(named.get(network, named["*"])))
