"""What persons decide about chains. Each step leaves an audit row."""

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import Min

from payments.chains.models import ChainCursor, Deposit, DepositStatus, ScannedBlock
from payments.chains.scanner import cursors, forks
from payments.chains.services import chain_accounts
from payments.core import audit
from payments.providers.ports import ProviderUnreachable
from payments.providers.ports.chain import BlockRef, ReadsBlocks


@transaction.atomic
def acknowledge_deposit(*, deposit_id: int, actor: str, reason: str, now: datetime) -> Deposit:
    """A person has dealt with an unknown token, or a deposit that its chain has lost."""
    deposit = Deposit.objects.select_for_update().get(pk=deposit_id)
    deposit.acknowledged_at, deposit.acknowledged_by = now, actor
    deposit.save(update_fields=["acknowledged_at", "acknowledged_by"])
    audit.record(actor=actor, action="deposit.acknowledged", subject=deposit, reason=reason)
    return deposit


def restart_chain(*, account: str, actor: str, reason: str, now: datetime) -> ChainCursor:
    """Reads the node's chain again from CHAIN_KEPT_BLOCKS before its tip, or from before the oldest
    deposit that is not final.

    For a node that has no block in common with those that were read. Deposits that the chain does
    not have end or are contradicted; final ones stay credited. Calls the node. Raises
    ProviderError.
    """
    chain = chain_accounts.find_chain(account)
    if chain is None:
        raise ProviderUnreachable(f"{account} has no chain")
    tip = chain.tip()
    place = BlockRef(tip.height, tip.hash)
    if isinstance(chain, ReadsBlocks):
        known = ChainCursor.objects.get(pk=account).height
        kept = min(tip.height, known) - settings.CHAIN_KEPT_BLOCKS
        height = max(min(kept, _below_waiting(account)), 0)
        found = chain.block_hash(height)
        if found is None:
            raise ProviderUnreachable("the node contradicts itself")
        place = BlockRef(height, found)
    return _set_cursor(account, place, actor, reason, now)


def _below_waiting(account: str) -> int:
    """The height below all blocks with deposits that are not final."""
    waiting = Deposit.objects.filter(account=account, status=DepositStatus.IN_BLOCK)
    lowest = waiting.aggregate(lowest=Min("height"))["lowest"]
    return 2**62 if lowest is None else lowest - 1


@transaction.atomic
def _set_cursor(
    account: str, place: BlockRef, actor: str, reason: str, now: datetime
) -> ChainCursor:
    cursor = cursors.lock(account)
    before = cursor.height
    forks.forget_above(account, place.height, now)
    ScannedBlock.objects.filter(account=account).delete()
    cursor.height, cursor.hash = place.height, place.hash
    cursor.save(update_fields=["height", "hash"])
    cursors.keep_hashes(account, [place])
    audit.record(
        actor=actor,
        action="chain.restarted",
        subject=cursor,
        reason=reason,
        was=before,
        height=place.height,
    )
    return cursor
