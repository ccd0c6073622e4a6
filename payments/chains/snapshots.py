"""What collections get to know of an address: its deposits as updates of its charge."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from payments.chains.models import CoinAddress, Deposit, DepositStatus
from payments.providers import ports

FINAL = DepositStatus.FINAL
UNDER_WAY = (DepositStatus.SEEN, DepositStatus.IN_BLOCK)


@dataclass(frozen=True, slots=True)
class Snapshots:
    """
    own       in the order to apply them, in one transaction: between them less is on its way than
              there is.
    strange   money in another coin, or that another account saw: `provider` and update. Each on
              its own.
    """

    provider: str
    own: tuple[ports.ChargeUpdate, ...]
    strange: tuple[tuple[str, ports.ChargeUpdate], ...]


def updates_of(address: CoinAddress) -> Snapshots:
    """The deposits that were seen before the end of the price come first, then all."""
    deposits = list(address.deposits.exclude(coin="").order_by("first_seen_at", "id"))
    own = [one for one in deposits if one.account == address.account and one.coin == address.coin]
    in_time = [one for one in own if one.first_seen_at <= address.expires_at]
    totals = [in_time, own] if 0 < len(in_time) < len(own) else [own]
    others = [one for one in deposits if one not in own]
    return Snapshots(
        address.account,
        tuple(_update(address, some) for some in totals),
        tuple(_strange(address, others)),
    )


def newest_update(address: CoinAddress) -> ports.ChargeUpdate:
    return updates_of(address).own[-1]


def _strange(
    address: CoinAddress, deposits: list[Deposit]
) -> Iterable[tuple[str, ports.ChargeUpdate]]:
    """Final money only, because an operator decides about it. A total for each account and coin."""
    groups = sorted({(one.account, one.coin) for one in deposits})
    for account, coin in groups:
        some = [
            one for one in deposits if (one.account, one.coin, one.status) == (account, coin, FINAL)
        ]
        if any(one.counts for one in some):
            yield account, _update(address, some, coin)


def _update(
    address: CoinAddress, deposits: list[Deposit], currency: str = ""
) -> ports.ChargeUpdate:
    """`occurred_at` also counts deposits that are gone: the total without them is newer."""
    received = total(deposits, [FINAL])
    unconfirmed = total(deposits, UNDER_WAY)
    paying = _paying(deposits)
    return ports.ChargeUpdate(
        reference=address.reference,
        provider_id=address.address,
        status=_status(address, received, unconfirmed),
        received=received,
        unconfirmed=unconfirmed,
        currency=currency or address.coin,
        trace_code=paying[0] if paying else "",
        replaces_trace_code=True,
        last_trace_code=paying[-1] if paying else "",
        occurred_at=_newest(address, deposits),
    )


def _paying(deposits: Iterable[Deposit]) -> list[str]:
    """The transactions whose money is final, in the order in which it became so.

    While there is none, those under way. Balances that no transfer explains have none.
    """
    counted = [one for one in deposits if one.counts and one.transaction]
    final = [one for one in counted if one.status == FINAL]
    final.sort(key=lambda one: (one.final_at or one.first_seen_at, one.first_seen_at))
    return [one.transaction for one in final or counted if one.status in (FINAL, *UNDER_WAY)]


def _newest(address: CoinAddress, deposits: list[Deposit]) -> datetime:
    return deposits[-1].first_seen_at if deposits else address.created_at


def _status(address: CoinAddress, received: Decimal, unconfirmed: Decimal) -> ports.ChargeStatus:
    if received >= address.amount:
        return ports.ChargeStatus.SUCCEEDED
    if received or unconfirmed:
        return ports.ChargeStatus.RECEIVED
    return ports.ChargeStatus.PENDING


def total(deposits: Iterable[Deposit], statuses: Iterable[str]) -> Decimal:
    wanted = set(statuses)
    counted = (one for one in deposits if one.counts and one.status in wanted)
    return sum((amount_of(one) for one in counted), Decimal(0))


def amount_of(deposit: Deposit) -> Decimal:
    return deposit.units.scaleb(-deposit.decimals)
