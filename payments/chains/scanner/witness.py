"""The second node of an account: money is final only in blocks that both nodes show."""

from datetime import datetime
from typing import TypeGuard

import structlog
from django.db import transaction

from payments.chains.models import Deposit, DepositStatus, Problem, ScannedBlock
from payments.chains.scanner import cursors, finality
from payments.providers.ports import ProviderError
from payments.providers.ports.chain import ChainPort, ChainTip, HasWitness, ReadsBlocks

log = structlog.get_logger(__name__)
# A second node that lies behind may lack the newest blocks. An older one says enough.
TRIES = 3
# So many blocks below the newest one, two nodes of one chain agree.
OLD = 10


def has_witness(chain: object) -> TypeGuard[HasWitness]:
    return isinstance(chain, HasWitness) and chain.has_witness


def settle_shown(chain: ChainPort, tip: ChainTip, now: datetime) -> None:
    """Makes final what is final by the chain's rule, in blocks that both nodes show.

    Call it outside of transactions. Raises NotFollowed if the nodes differ, or the second one does
    not answer.
    """
    if not has_witness(chain):
        return
    for height, ours in _blocks_in_question(chain.code):
        if _is_shown(chain, height, ours):
            _settle(chain, height, ours, tip, now)
            break
    cursors.end_problem(chain.code, cursors.WITNESS_PROBLEMS)


def _blocks_in_question(account: str) -> list[tuple[int, str]]:
    """The newest ones with deposits that wait. Without any, an old one: does the node answer?"""
    waiting = Deposit.objects.filter(account=account, status=DepositStatus.IN_BLOCK)
    blocks = waiting.order_by("-height").values_list("height", "block_hash").distinct()[:TRIES]
    found = [(height, ours) for height, ours in blocks if height is not None]
    if found:
        return found
    known = ScannedBlock.objects.filter(account=account).order_by("-height")
    return list(known.values_list("height", "hash")[OLD : OLD + 1])


def check_block(chain: ReadsBlocks, height: int) -> None:
    """Raises NotFollowed unless both nodes show the same block."""
    if has_witness(chain) and not _is_shown(chain, height, chain.block_hash(height) or ""):
        raise cursors.NotFollowed(Problem.NODES_DIFFER)


@transaction.atomic
def _settle(chain: ChainPort, height: int, block_hash: str, tip: ChainTip, now: datetime) -> None:
    """A block names its parent: both nodes show the blocks below, too.

    Unless another scan has left the block since: then nothing is final.
    """
    cursor = cursors.lock(chain.code)
    rows = Deposit.objects.filter(height__lte=height)
    if rows.filter(account=chain.code, height=height, block_hash=block_hash).exists():
        finality.settle(chain, rows, cursor.height, tip, now)


def _is_shown(chain: HasWitness, height: int, ours: str) -> bool:
    """False where the second node lacks the block."""
    try:
        theirs = chain.witness_hash(height)
    except ProviderError as error:
        raise cursors.NotFollowed(Problem.NO_WITNESS) from error
    if theirs not in (None, ours):
        log.warning("chains.nodes_differ", height=height, ours=ours, theirs=theirs)
        raise cursors.NotFollowed(Problem.NODES_DIFFER)
    return theirs is not None
