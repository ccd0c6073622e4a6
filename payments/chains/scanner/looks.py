"""Chains that are asked about one address: Tron, and balances of ETH that contracts sent.

Each address has a due time. The older the address, the longer the time to the next look.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet, Sum

from payments.chains.models import CoinAddress, Deposit, DepositStatus
from payments.chains.scanner import cursors, finality, matching, witness
from payments.chains.scanner.matching import Sighting
from payments.providers.ports import ProviderError, ProviderTimeout, ProviderUnreachable
from payments.providers.ports.chain import (
    ChainPort,
    ChainTip,
    ChainTransaction,
    Coin,
    HasBalances,
    ReadsByAddress,
)

log = structlog.get_logger(__name__)
Status = DepositStatus
UNDER_WAY = (Status.SEEN, Status.IN_BLOCK)
# ReadsByAddress.received returns at least so many.
WHOLE_ANSWER = 100
# An API has many nodes, some of which are behind: what one of them does not show yet is not gone.
ABSENT_AFTER = timedelta(minutes=5)
# After the end of a price, payers of it still come.
PAID_WITHIN = timedelta(hours=1)


def look_at_transfers(chain: ChainPort, tip: ChainTip, now: datetime) -> None:
    """`tip` was read before: a transfer that is still there is final if its block was then.

    A doubtful answer about one address hides no other address. Raises ProviderUnreachable, and
    ProviderTimeout if every answer was doubtful.
    """
    if not isinstance(chain, ReadsByAddress):
        return None
    ends = time.monotonic() + settings.SCANNER_BUDGET_SECONDS
    addresses, doubts = _claim(chain, now), []
    for number, address in enumerate(addresses):
        if time.monotonic() > ends:
            return _give_back(addresses[number:], now)
        try:
            found = chain.received(address.target)
        except ProviderTimeout as doubt:
            log.warning("chains.doubtful_answer", address=address.pk, error=repr(doubt))
            doubts.append(doubt)
        except ProviderUnreachable:
            _give_back(addresses[number:], now)
            raise
        else:
            _commit_transfers(chain, address, found, tip, now)
    if doubts and len(doubts) == len(addresses):
        raise doubts[-1]
    return None


def _give_back(addresses: Sequence[CoinAddress], now: datetime) -> None:
    """They come first in the next run. Otherwise the same ones could be left out for ever."""
    CoinAddress.objects.filter(pk__in=[one.pk for one in addresses]).update(look_at=now)


def look_at_balances(chain: ChainPort, tip: ChainTip, now: datetime) -> None:
    """Growth of a final balance that no transfer explains is a deposit of its own."""
    if not isinstance(chain, HasBalances) or (coin := _native_coin(chain)) is None:
        return
    height = _final_height(chain, coin, tip)
    addresses = _claim(chain, now)
    if not addresses or height < 0:
        return
    witness.check_block(chain, height)
    try:
        balances = chain.untouched_balances([one.target for one in addresses], height)
    except ProviderError:
        _give_back(addresses, now)
        raise
    grown = [one for one in addresses if _missing(one, height, balances.get(one.target, 0)) > 0]
    if not grown:
        return
    blocks = chain.read(height, height)
    seen_at = min(now, blocks[0].time) if blocks else now
    for address in grown:
        balance = _Balance(coin, height, balances[address.target], seen_at)
        _commit_balance(chain, address, balance, now)


def _native_coin(chain: ChainPort) -> Coin | None:
    """Also one that was taken off the account while payers had its addresses."""
    on = next((one for one in chain.coins if not one.token), None)
    if on is not None:
        return on
    looked_at = CoinAddress.objects.filter(account=chain.code, token="", look_at__isnull=False)
    address = looked_at.first()
    return None if address is None else matching.coin_at(chain, address, "")


@dataclass(frozen=True, slots=True)
class _Balance:
    """`seen_at` is the time of the block."""

    coin: Coin
    height: int
    units: int
    seen_at: datetime


@transaction.atomic
def _claim(chain: ChainPort, now: datetime) -> list[CoinAddress]:
    """Sets the time of the next look first: a process that dies delays the look to it.

    However many old addresses are due, those that payers use now come first.
    """
    due = CoinAddress.objects.filter(account=chain.code, look_at__lte=now)
    is_paid_now = Q(expires_at__gt=now - PAID_WITHIN)
    ordered = due.order_by(ExpressionWrapper(is_paid_now, BooleanField()).desc(), "look_at")
    addresses = list(ordered.select_for_update(skip_locked=True)[: settings.CHAIN_LOOKS_PER_RUN])
    for address in addresses:
        address.look_at = now + _pause(address, now)
    CoinAddress.objects.bulk_update(addresses, ["look_at"])
    return addresses


def _pause(address: CoinAddress, now: datetime) -> timedelta:
    seconds = (now - address.created_at).total_seconds() / 20
    shortest, longest = settings.CHAIN_LOOK_SECONDS, settings.CHAIN_LOOK_MAX_SECONDS
    return timedelta(seconds=max(shortest, min(seconds, longest)))


@transaction.atomic
def _commit_transfers(
    chain: ChainPort,
    address: CoinAddress,
    found: Sequence[ChainTransaction],
    tip: ChainTip,
    now: datetime,
) -> None:
    cursors.lock(chain.code)
    sightings = [
        Sighting(transfer=each, height=one.height, block_hash=one.block_hash, time=one.time)
        for one in found
        for each in one.transfers
        if each.target == address.target
    ]
    matching.record(chain, sightings, now)
    mine = Deposit.objects.filter(account=chain.code, address=address)
    if len(found) < WHOLE_ANSWER:
        _end_absent(mine, sightings, now)
    present = mine.filter(transaction__in=[one.transaction for one in found])
    finality.settle(chain, present, tip.height, tip, now)
    if mine.filter(status__in=UNDER_WAY).exists():
        soon = now + timedelta(seconds=settings.CHAIN_LOOK_SECONDS)
        CoinAddress.objects.filter(pk=address.pk).update(look_at=soon)


def _end_absent(mine: QuerySet[Deposit], seen: Sequence[Sighting], now: datetime) -> None:
    present = {(one.transfer.transaction, one.transfer.position) for one in seen}
    young = now - ABSENT_AFTER
    waiting = mine.filter(status__in=UNDER_WAY, first_seen_at__lt=young)
    absent = [one for one in waiting if (one.transaction, one.position) not in present]
    rows = Deposit.objects.filter(pk__in=[one.pk for one in absent])
    rows.update(status=Status.GONE, gone_at=now, height=None, block_hash="")
    matching.request_report([one.address_id for one in absent], now)


def _final_height(chain: ChainPort, coin: Coin, tip: ChainTip) -> int:
    if tip.final_height is not None:
        return min(tip.final_height, tip.height)
    largest = coin.units(Decimal(10) ** 9)
    return tip.height - chain.confirmations_needed(coin, largest) + 1


def _missing(address: CoinAddress, height: int, balance: int) -> int:
    """Growth that was counted at any height is in the balance: it never falls."""
    known = Deposit.objects.filter(address=address, network=address.network, token="").filter(
        Q(height__lte=height, status__in=(Status.IN_BLOCK, Status.FINAL)) | Q(transaction="")
    )
    return balance - int(known.aggregate(total=Sum("units"))["total"] or 0)


def _is_older(balance: _Balance, address: CoinAddress) -> bool:
    """Money that was there before the address was given is no payment of its order.

    The wallet had used the address, or a backup of this database was put back. The clocks of chains
    have whole seconds.
    """
    return balance.seen_at < address.created_at - timedelta(seconds=2)


@transaction.atomic
def _commit_balance(
    chain: ChainPort, address: CoinAddress, balance: _Balance, now: datetime
) -> None:
    """The lock of the cursor keeps another scan from counting the same growth at another height."""
    cursor = cursors.lock(chain.code)
    missing = _missing(address, balance.height, balance.units)
    if missing <= 0 or cursor.height < balance.height:
        return
    Deposit.objects.create(
        address=address,
        account=chain.code,
        network=chain.network,
        coin=balance.coin.code,
        decimals=balance.coin.decimals,
        units=missing,
        position=balance.height,
        height=balance.height,
        status=Status.FINAL,
        counts=chain.counts(balance.coin, missing) and not _is_older(balance, address),
        first_seen_at=max(balance.seen_at, address.created_at),
        final_at=now,
    )
    matching.request_report([address.pk], now)
