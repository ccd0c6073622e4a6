"""The cursor of an account. Everything that a scan writes is written under its row's lock."""

from collections.abc import Collection
from datetime import datetime

import structlog
from django.conf import settings
from django.db import transaction

from payments.chains.models import ChainCursor, Problem, ScannedBlock
from payments.chains.services.watching import tip_max_age
from payments.providers.ports.chain import BlockRef, ChainPort, ChainTip, ReadsBlocks

log = structlog.get_logger(__name__)
WITNESS_PROBLEMS = (Problem.NO_WITNESS, Problem.NODES_DIFFER)
FIRST_HASHES = 20


class NotFollowed(Exception):
    """The scan cannot follow the chain. Nothing more was written."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


def lock(account: str) -> ChainCursor:
    return ChainCursor.objects.select_for_update().get(pk=account)


def begin(chain: ChainPort, tip: ChainTip, now: datetime) -> ChainCursor:
    """The cursor; a new one is at the tip, because no address is older.

    It gets the hashes below, so that a reorganisation soon afterwards finds its place.
    """
    cursor = ChainCursor.objects.filter(pk=chain.code).first()
    if cursor is not None:
        return cursor
    below = _hashes_below(chain, tip) if isinstance(chain, ReadsBlocks) else ()
    with transaction.atomic():
        cursor, is_new = ChainCursor.objects.get_or_create(
            account=chain.code,
            defaults={
                "network": chain.network,
                "height": tip.height,
                "hash": tip.hash,
                "tip_height": tip.height,
                "tip_time": tip.time,
                "scanned_at": now,
            },
        )
        if is_new:
            keep_hashes(cursor.account, [*below, BlockRef(tip.height, tip.hash)])
            log.info("chains.scan_began", account=chain.code, height=tip.height)
    return cursor


def _hashes_below(chain: ReadsBlocks, tip: ChainTip) -> list[BlockRef]:
    found = []
    for height in range(max(tip.height - FIRST_HASHES, 0), tip.height + 1):
        known = chain.block_hash(height)
        if known is None:
            raise NotFollowed(Problem.CONTRADICTS)
        found.append(BlockRef(height, known))
    if found.pop().hash != tip.hash:
        raise NotFollowed(Problem.CONTRADICTS)  # the chain changed; the next scan begins
    return found


def is_at(cursor: ChainCursor, place: BlockRef) -> bool:
    return (cursor.height, cursor.hash) == (place.height, place.hash)


def advance(cursor: ChainCursor, place: BlockRef, tip: ChainTip, now: datetime) -> None:
    cursor.height, cursor.hash = place.height, place.hash
    cursor.tip_height, cursor.tip_time, cursor.scanned_at = tip.height, tip.time, now
    _set_problem(cursor, _problem_of(cursor, now), now)
    cursor.save()


def keep_hashes(account: str, blocks: list[BlockRef]) -> None:
    if not blocks:
        return
    rows = [ScannedBlock(account=account, height=one.height, hash=one.hash) for one in blocks]
    ScannedBlock.objects.bulk_create(rows, ignore_conflicts=True)
    oldest = blocks[-1].height - settings.CHAIN_KEPT_BLOCKS
    ScannedBlock.objects.filter(account=account, height__lte=oldest).delete()


def record_problem(account: str, problem: Problem, now: datetime) -> None:
    """The time of the first of several problems in a row is kept."""
    log.warning("chains.not_followed", account=account, problem=problem.value)
    rows = ChainCursor.objects.filter(pk=account)
    rows.filter(problem="").update(problem_since=now)
    rows.update(problem=problem)


def end_problem(account: str, problems: Collection[Problem]) -> None:
    rows = ChainCursor.objects.filter(pk=account, problem__in=problems)
    rows.update(problem="", problem_since=None)


def _problem_of(cursor: ChainCursor, now: datetime) -> str:
    """Blocks may be read while the second node is in doubt: witness.py ends that problem."""
    if now - cursor.tip_time > tip_max_age(cursor.network):
        return Problem.OLD_TIP
    return cursor.problem if cursor.problem in WITNESS_PROBLEMS else ""


def _set_problem(cursor: ChainCursor, problem: str, now: datetime) -> None:
    if not problem:
        cursor.problem_since = None
    elif not cursor.problem:
        cursor.problem_since = now
    cursor.problem = problem
