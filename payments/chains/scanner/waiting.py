"""Transactions that wait in the mempool: seen, not final, and perhaps never in a block."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db import transaction

from payments.chains.models import Deposit, DepositStatus
from payments.chains.scanner import cursors, matching, replacements
from payments.chains.scanner.matching import Sighting
from payments.core.failopen import FailOpen
from payments.providers.ports.chain import BlockRef, ChainPort, HasMempool, Mempool

Status = DepositStatus
# A transaction that left the mempool and comes back later is found in a block.
RETURNS_WITHIN = timedelta(days=30)
KNOWN_SECONDS = 24 * 3600
fail_open = FailOpen("chains.cache_unavailable")


def read_mempool(chain: ChainPort, limit: int, now: datetime) -> None:
    """Call it when the chain was read to the tip. Raises ProviderError."""
    if not isinstance(chain, HasMempool):
        _drop(chain, now)
        return
    known = _known(chain.code)
    pool = chain.mempool(known, limit)
    # The tip after the mempool: what left it for a block is in a block that was read.
    tip = chain.tip()
    _commit(chain, pool, BlockRef(tip.height, tip.hash), now)
    _remember(chain.code, known.union(pool.read).intersection(pool.transactions))


@transaction.atomic
def _commit(chain: ChainPort, pool: Mempool, tip: BlockRef, now: datetime) -> None:
    cursor = cursors.lock(chain.code)
    present = set(pool.transactions)
    if cursors.is_at(cursor, tip):
        _end_absent(chain, present, now)
    matching.record(chain, [Sighting(transfer=one) for one in pool.transfers], now)
    _return_present(chain, present, now)


@transaction.atomic
def _drop(chain: ChainPort, now: datetime) -> None:
    """Without a mempool, what is in no block after the tip was read is gone."""
    if Deposit.objects.filter(account=chain.code, status=Status.SEEN).exists():
        cursor = cursors.lock(chain.code)
        if cursor.height == cursor.tip_height:
            _end_absent(chain, set(), now)


def _end_absent(chain: ChainPort, present: Collection[str], now: datetime) -> None:
    seen = Deposit.objects.filter(account=chain.code, status=Status.SEEN)
    absent = [one for one in seen if one.transaction not in present]
    if not absent:
        return
    rows = Deposit.objects.filter(pk__in=[one.pk for one in absent])
    rows.update(status=Status.GONE, gone_at=now)
    addresses = {one.address_id for one in absent}
    replacements.inherit_first_sight(chain.code, addresses)
    matching.request_report(addresses, now)


def _return_present(chain: ChainPort, present: Collection[str], now: datetime) -> None:
    """A reorganisation puts transactions back that were read long ago."""
    gone = Deposit.objects.filter(
        account=chain.code, status=Status.GONE, first_seen_at__gt=now - RETURNS_WITHIN
    )
    back = [one for one in gone if one.transaction in present]
    if back:
        Deposit.objects.filter(pk__in=[one.pk for one in back]).update(status=Status.SEEN)
        matching.request_report([one.address_id for one in back], now)


def _key(account: str) -> str:
    return f"chains:mempool:{account}"


def _known(account: str) -> set[str]:
    """Only a saving: what is forgotten is read again."""
    return set(fail_open.call(lambda: cache.get(_key(account))) or ())


def _remember(account: str, transactions: set[str]) -> None:
    fail_open.call(lambda: cache.set(_key(account), transactions, KNOWN_SECONDS))
