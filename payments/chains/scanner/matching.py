"""Finds our addresses among the transfers of a chain, and records their deposits.

The database does it: however many addresses are watched, a batch of blocks costs the same number of
queries. The callers hold the lock of the cursor.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog
from django.db.models import Q
from django.db.models.expressions import RawSQL

from payments.chains.models import CoinAddress, Deposit, DepositStatus
from payments.chains.scanner import replacements
from payments.providers.ports.chain import (
    ChainBlock,
    ChainPort,
    ChainTransfer,
    Coin,
    HasBalances,
)

log = structlog.get_logger(__name__)
CHUNK = 5000
Status = DepositStatus
# What a sighting may change of a deposit.
PLACE = ["status", "height", "block_hash", "contradicted_at"]
# What one transaction may do otherwise in another block: its contract decides when it runs.
CONTENT = ["coin", "token", "decimals", "units", "counts", "first_seen_at"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A transfer as a scan saw it. `height` is None in the mempool.

    `time` is the block's by the miner's clock; None: no time but ours is known.
    """

    transfer: ChainTransfer
    height: int | None = None
    block_hash: str = ""
    time: datetime | None = None


def sightings_of(blocks: Iterable[ChainBlock]) -> list[Sighting]:
    return [
        Sighting(transfer=one, height=block.height, block_hash=block.hash, time=block.time)
        for block in blocks
        for one in block.transfers
    ]


def record(chain: ChainPort, sightings: Sequence[Sighting], now: datetime) -> None:
    """A deposit that is known moves to where it was seen; it keeps the time of its first sight.

    One that is not final and shows other money there is that money, seen now.
    """
    addresses = _find_addresses(chain, {one.transfer.target for one in sightings})
    if not addresses:
        return
    found = ((addresses.get(one.transfer.target), one) for one in sightings)
    ours = [(address, one) for address, one in found if address is not None]
    known = _known_deposits(chain, ours)
    new: dict[tuple[str, int, int], Deposit] = {}
    moved: dict[int, Deposit] = {}
    for address, sighting in ours:
        transfer = sighting.transfer
        key = (transfer.transaction, transfer.position, address.pk)
        deposit = known.get(key) or new.get(key)
        if deposit is None:
            new[key] = _new_deposit(chain, address, sighting, now)
        elif deposit.account == chain.code:
            if _is_other_money(deposit, sighting):
                _rewrite(deposit, _new_deposit(chain, address, sighting, now))
            if _move(deposit, sighting) and deposit.pk:
                moved[deposit.pk] = deposit
    _save(chain, new.values(), moved.values(), now)


def request_report(addresses: Iterable[int], now: datetime) -> None:
    """In the order of their ids, as every other writer of many addresses locks them."""
    ids = sorted(set(addresses))
    if ids:
        locked = CoinAddress.objects.select_for_update().filter(pk__in=ids).order_by("pk")
        CoinAddress.objects.filter(pk__in=[one.pk for one in locked]).update(report_at=now)


def coin_at(chain: ChainPort, address: CoinAddress, token: str) -> Coin | None:
    """None for a token that counts for nothing. The coin that a payer was told to send counts, also
    after it was taken off the account.
    """
    on = next((one for one in chain.coins if one.token == token), None)
    is_own = (address.account, address.token) == (chain.code, token)
    if on is not None or not is_own or address.decimals is None:
        return on
    return Coin(
        code=address.coin,
        network=address.network,
        label=address.network,
        decimals=address.decimals,
        token=token,
    )


def _find_addresses(chain: ChainPort, targets: set[str]) -> dict[str, CoinAddress]:
    """Ours, and those of accounts of other networks with the same key: money on the wrong network.

    Another account of this network with this key sees its own addresses itself.
    """
    watched = CoinAddress.objects.filter(key_id=chain.key_id).filter(
        Q(account=chain.code) | ~Q(network=chain.network)
    )
    found: dict[str, CoinAddress] = {}
    ordered = sorted(targets)
    for start in range(0, len(ordered), CHUNK):
        # One parameter: thousands of them take longer to plan than to find.
        some = RawSQL("SELECT unnest(%s::text[])", [ordered[start : start + CHUNK]])
        rows = watched.filter(target__in=some)
        found.update({one.target: one for one in rows})
    return found


def _known_deposits(
    chain: ChainPort, ours: Sequence[tuple[CoinAddress, Sighting]]
) -> dict[tuple[str, int, int], Deposit]:
    rows = Deposit.objects.filter(
        network=chain.network,
        address__in={address.pk for address, _ in ours},
        transaction__in={one.transfer.transaction for _, one in ours},
    )
    return {(one.transaction, one.position, one.address_id): one for one in rows}


def _new_deposit(
    chain: ChainPort, address: CoinAddress, sighting: Sighting, now: datetime
) -> Deposit:
    transfer = sighting.transfer
    coin = coin_at(chain, address, transfer.token)
    is_in_block = sighting.height is not None
    time = now if sighting.time is None else max(sighting.time, address.created_at)
    return Deposit(
        address=address,
        account=chain.code,
        network=chain.network,
        coin=coin.code if coin else "",
        token=transfer.token,
        decimals=coin.decimals if coin else 0,
        units=transfer.units,
        transaction=transfer.transaction,
        position=transfer.position,
        height=sighting.height,
        block_hash=sighting.block_hash,
        status=Status.IN_BLOCK if is_in_block else Status.SEEN,
        counts=coin is not None and chain.counts(coin, transfer.units),
        first_seen_at=min(now, time),
    )


def _is_other_money(deposit: Deposit, sighting: Sighting) -> bool:
    seen = sighting.transfer
    return deposit.token != seen.token or deposit.units != seen.units


def _rewrite(deposit: Deposit, seen: Deposit) -> None:
    """A node that is behind does not change what a block has. Nothing changes what is final."""
    log.error("chains.deposit_differs", deposit=deposit.pk, transaction=deposit.transaction)
    if deposit.status == Status.FINAL or (deposit.height is not None and seen.height is None):
        return
    for name in CONTENT:
        setattr(deposit, name, getattr(seen, name))


def _move(deposit: Deposit, sighting: Sighting) -> bool:
    """Whether anything changed. A final deposit stays final, and is no longer contradicted."""
    if _is_other_money(deposit, sighting):
        return False
    before = [getattr(deposit, name) for name in PLACE]
    if sighting.height is not None:
        if deposit.status != Status.FINAL:
            deposit.status = Status.IN_BLOCK
        deposit.height, deposit.block_hash = sighting.height, sighting.block_hash
        deposit.contradicted_at = None
    elif deposit.status == Status.GONE:
        deposit.status = Status.SEEN
    return before != [getattr(deposit, name) for name in PLACE]


def _save(
    chain: ChainPort, new: Iterable[Deposit], moved: Iterable[Deposit], now: datetime
) -> None:
    created, changed = list(new), list(moved)
    if changed:
        Deposit.objects.bulk_update(changed, [*PLACE, *CONTENT])
    if created:
        if isinstance(chain, HasBalances):
            _leave_out_known_balances(created)
        # Another account of another key's network may have seen it first.
        Deposit.objects.bulk_create(created, ignore_conflicts=True)
        replacements.inherit_first_sight(chain.code, _ids(created))
    request_report([one.address_id for one in (*created, *changed)], now)


def _ids(deposits: Iterable[Deposit]) -> set[int]:
    return {one.address_id for one in deposits}


def _leave_out_known_balances(created: Sequence[Deposit]) -> None:
    """A transfer below a block whose balance was counted is in that balance."""
    native = [one for one in created if not one.token and one.height is not None]
    if not native:
        return
    counted = dict(_counted_heights(native))
    for one in native:
        if one.height is not None and one.height <= counted.get(one.address_id, -1):
            one.counts = False


def _counted_heights(deposits: Sequence[Deposit]) -> Iterator[tuple[int, int]]:
    rows = Deposit.objects.filter(
        address__in=_ids(deposits), network=deposits[0].network, transaction=""
    )
    yield from rows.order_by("position").values_list("address_id", "position")
