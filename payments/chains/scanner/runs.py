"""One scan of an account's chain: from the cursor to the tip, in batches.

Read, then commit: no call inside a transaction. A batch counts only if the cursor is still where
the reading began, so of two scans at once, or of one that dies and its successor, each block counts
once.
"""

import time
from collections.abc import Sequence
from datetime import datetime

import structlog
from django.conf import settings
from django.db import transaction

from payments.chains.models import ChainCursor, Deposit, Problem
from payments.chains.scanner import (
    cursors,
    finality,
    forks,
    looks,
    matching,
    waiting,
    witness,
)
from payments.chains.services import chain_accounts
from payments.providers.ports import ProviderError
from payments.providers.ports.chain import (
    BlockRef,
    ChainBlock,
    ChainPort,
    ChainTip,
    ReadsBlocks,
)

log = structlog.get_logger(__name__)


def scan_account(*, account: str, now: datetime) -> None:
    """Call it outside of transactions. A node that cannot be followed is a problem of its cursor.

    All that a scan finds has the time of its begin.

    An account that no longer has a chain is not read.
    """
    chain = chain_accounts.find_chain(account)
    if chain is None:
        return
    try:
        _scan(chain, now)
    except cursors.NotFollowed as error:
        cursors.record_problem(account, error.problem, now)
    except ProviderError as error:
        log.info("chains.no_answer", account=account, error=repr(error))
        cursors.record_problem(account, Problem.SILENT, now)
    except Exception:
        cursors.record_problem(account, Problem.CONTRADICTS, now)
        raise


def _scan(chain: ChainPort, now: datetime) -> None:
    tip = chain.tip()
    cursor = cursors.begin(chain, tip, now)
    if not isinstance(chain, ReadsBlocks):
        # An API has many nodes, of which some are a little behind.
        if tip.height < cursor.height - settings.CHAIN_LAG_MAX_BLOCKS:
            raise cursors.NotFollowed(Problem.BEHIND)
        _commit_tip(chain, tip, now)
        looks.look_at_transfers(chain, tip, now)
        return
    if not _read_to_tip(chain, cursor, tip, now):
        return
    waiting.read_mempool(chain, settings.CHAIN_MEMPOOL_PER_RUN, now)
    witness.settle_shown(chain, tip, now)
    looks.look_at_balances(chain, tip, now)


def _read_to_tip(chain: ReadsBlocks, cursor: ChainCursor, tip: ChainTip, now: datetime) -> bool:
    """False if blocks are left for the next run, or another scan is faster."""
    place, start = forks.find_place(chain, cursor, tip), BlockRef(cursor.height, cursor.hash)
    if place != start and not forks.step_back(chain, start, place, now):
        return False
    ends = time.monotonic() + settings.SCANNER_BUDGET_SECONDS
    last = min(tip.height, place.height + settings.CHAIN_BLOCKS_PER_RUN)
    while True:
        until = min(last, place.height + settings.CHAIN_BLOCKS_PER_BATCH)
        blocks = _read(chain, place, until)
        if not _commit_blocks(chain, place, blocks, tip, now):
            return False
        place = blocks[-1].ref if blocks else place
        if place.height >= last or not blocks or time.monotonic() > ends:
            return place.height >= tip.height


def _read(chain: ReadsBlocks, place: BlockRef, until: int) -> Sequence[ChainBlock]:
    """The blocks after `place`. Raises NotFollowed if they do not follow it or each other."""
    if until <= place.height:
        return ()
    blocks = chain.read(place.height + 1, until)
    for before, block in zip([place, *(one.ref for one in blocks)], blocks, strict=False):
        if block.height != before.height + 1 or block.parent != before.hash:
            raise cursors.NotFollowed(Problem.CONTRADICTS)
    return blocks


@transaction.atomic
def _commit_blocks(
    chain: ChainPort,
    start: BlockRef,
    blocks: Sequence[ChainBlock],
    tip: ChainTip,
    now: datetime,
) -> bool:
    """Also without blocks: the scan is recorded, and what has become final."""
    cursor = cursors.lock(chain.code)
    if not cursors.is_at(cursor, start):
        log.info("chains.batch_dropped", account=chain.code, height=start.height)
        return False
    place = blocks[-1].ref if blocks else start
    matching.record(chain, matching.sightings_of(blocks), now)
    cursors.keep_hashes(chain.code, [one.ref for one in blocks])
    if not witness.has_witness(chain):
        finality.settle(chain, Deposit.objects.all(), place.height, tip, now)
    cursors.advance(cursor, place, tip, now)
    return True


@transaction.atomic
def _commit_tip(chain: ChainPort, tip: ChainTip, now: datetime) -> None:
    cursor = cursors.lock(chain.code)
    if tip.height >= cursor.height:
        cursors.advance(cursor, BlockRef(tip.height, tip.hash), tip, now)
