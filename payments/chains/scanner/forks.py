"""The node is on another fork than what was read: back to the last block in common."""

from datetime import datetime

import structlog
from django.db import transaction

from payments.chains.models import ChainCursor, Deposit, DepositStatus, Problem, ScannedBlock
from payments.chains.scanner import cursors
from payments.providers.ports.chain import BlockRef, ChainPort, ChainTip, ReadsBlocks

log = structlog.get_logger(__name__)
Status = DepositStatus


def find_place(chain: ReadsBlocks, cursor: ChainCursor, tip: ChainTip) -> BlockRef:
    """The newest block that was read and that the node has. Raises NotFollowed."""
    if tip.height < cursor.height:
        raise cursors.NotFollowed(Problem.BEHIND)
    found = chain.block_hash(cursor.height)
    if found is None:
        raise cursors.NotFollowed(Problem.CONTRADICTS)
    if found == cursor.hash:
        return BlockRef(cursor.height, cursor.hash)
    return _last_common(chain, cursor)


def _last_common(chain: ReadsBlocks, cursor: ChainCursor) -> BlockRef:
    """Halves what is left: below a block in common all blocks are."""
    rows = ScannedBlock.objects.filter(account=cursor.account, height__lt=cursor.height)
    blocks = list(rows.order_by("height").values_list("height", "hash"))
    low, high = -1, len(blocks)
    while high - low > 1:
        middle = (low + high) // 2
        height, known = blocks[middle]
        if chain.block_hash(height) == known:
            low = middle
        else:
            high = middle
    if low < 0:
        log.error("chains.other_chain", account=cursor.account, height=cursor.height)
        raise cursors.NotFollowed(Problem.OTHER_CHAIN)
    return BlockRef(*blocks[low])


@transaction.atomic
def step_back(chain: ChainPort, start: BlockRef, place: BlockRef, now: datetime) -> bool:
    """False if another scan has moved the cursor.

    What was not final waits again, and is gone only when the new fork was read and does not have
    it. So no order ends while its money is on its way to another block.
    """
    cursor = cursors.lock(chain.code)
    if not cursors.is_at(cursor, start):
        return False
    forget_above(chain.code, place.height, now)
    cursor.height, cursor.hash = place.height, place.hash
    cursor.save(update_fields=["height", "hash"])
    log.warning("chains.reorganised", account=chain.code, was=start.height, fork=place.height)
    return True


def forget_above(account: str, height: int, now: datetime) -> None:
    """The caller holds the lock of the cursor."""
    above = Deposit.objects.filter(account=account, height__gt=height)
    contradicted = above.filter(status=Status.FINAL, contradicted_at=None)
    for deposit in contradicted:
        log.error(
            "chains.final_deposit_contradicted",
            deposit=deposit.pk,
            account=account,
            transaction=deposit.transaction,
        )
    contradicted.update(contradicted_at=now, acknowledged_at=None, acknowledged_by="")
    above.filter(status=Status.IN_BLOCK).update(status=Status.SEEN, height=None, block_hash="")
    ScannedBlock.objects.filter(account=account, height__gt=height).delete()
