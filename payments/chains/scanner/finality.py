"""Which deposits are final: by the chain's own rule, or by confirmations for the amount."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from django.db.models import QuerySet, Sum

from payments.chains.models import Deposit, DepositStatus
from payments.chains.scanner.matching import request_report
from payments.providers.ports.chain import ChainPort, ChainTip, Coin

Status = DepositStatus


def settle(
    chain: ChainPort, rows: QuerySet[Deposit], height: int, tip: ChainTip, now: datetime
) -> None:
    """Makes those of `rows` final that are. The chain was read to `height`.

    The caller holds the lock of the cursor.
    """
    waiting = list(rows.filter(account=chain.code, status=Status.IN_BLOCK, height__lte=height))
    if not waiting:
        return
    if tip.final_height is not None:
        last = min(tip.final_height, height)
        final = [one for one in waiting if (one.height or 0) <= last]
    else:
        final = _deep_enough(chain, waiting, height)
    if not final:
        return
    Deposit.objects.filter(pk__in=[one.pk for one in final]).update(
        status=Status.FINAL, final_at=now
    )
    request_report([one.address_id for one in final], now)


def needed(chain: ChainPort, contract: str, units: int) -> int:
    """The confirmations of so many units at one address. Of unknown tokens as of the first coin."""
    if not chain.coins:
        return 1
    return chain.confirmations_needed(_coin(chain.coins, contract), units)


def seen_units(account: str, addresses: Sequence[int]) -> dict[tuple[int, str], Decimal]:
    """All units of a token that were seen at an address and are not gone."""
    rows = Deposit.objects.filter(account=account, address__in=addresses)
    totals = rows.exclude(status=Status.GONE).values_list("address_id", "token")
    return {(address, token): units for address, token, units in totals.annotate(Sum("units"))}


def _deep_enough(chain: ChainPort, waiting: Sequence[Deposit], height: int) -> list[Deposit]:
    totals = seen_units(chain.code, sorted({one.address_id for one in waiting}))
    return [
        one
        for one in waiting
        if height - (one.height or 0) + 1
        >= needed(chain, one.token, int(totals[one.address_id, one.token]))
    ]


def _coin(coins: Sequence[Coin], contract: str) -> Coin:
    return next((one for one in coins if one.token == contract), coins[0])
