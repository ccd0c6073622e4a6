"""What the payer's page shows of the deposits of a charge."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Protocol

from django.db.models import Q

from payments.chains.models import ChainCursor, CoinAddress, Deposit, DepositStatus
from payments.chains.scanner import finality
from payments.chains.services import addresses, chain_accounts
from payments.chains.snapshots import amount_of
from payments.providers import networks
from payments.providers.ports.chain import ChainPort, NamesFinalBlocks

Status = DepositStatus


class OfCharge(Protocol):
    """A charge. Collections are above this package."""

    provider: str

    @property
    def reference_at_rail(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """One deposit.

    coin           empty for a token that the account does not take; then the amount is 0.
    is_expected    in the coin and on the network of the charge.
    counts         False for dust.
    is_gone        the network dropped it, and no other transaction took its place.
    confirmations  0 while it waits. At most `needed`.
    url            in the account's explorer; empty without one.
    seen_at        when we saw it first.
    seconds_left   usual time until it is final. None where it is not known, or final.
    """

    transaction: str
    coin: str
    amount: Decimal
    confirmations: int
    needed: int
    url: str
    is_final: bool
    is_expected: bool
    counts: bool
    seen_at: datetime
    is_gone: bool = False
    seconds_left: int | None = None


def of_charge(charge: OfCharge) -> list[Sight]:
    """Oldest first, without those that were replaced. Calls no node."""
    address = addresses.find_address(account=charge.provider, reference=charge.reference_at_rail)
    if address is None:
        return []
    replaced = Q(status=Status.GONE, replaced_by__isnull=False)
    rows = address.deposits.exclude(replaced).order_by("first_seen_at", "id")
    deposits = list(rows)
    found = {one.account: one for one in _chains(deposits)}
    return [_sight(address, one, found.get(one.account)) for one in deposits]


@dataclass(frozen=True, slots=True)
class _Chain:
    account: str
    chain: ChainPort
    height: int
    final_units: dict[str, int]


def _chains(deposits: Sequence[Deposit]) -> list[_Chain]:
    slugs = sorted({one.account for one in deposits})
    heights = dict(ChainCursor.objects.filter(pk__in=slugs).values_list("account", "height"))
    found = []
    for slug in slugs:
        chain = chain_accounts.find_chain(slug)
        if chain is not None:
            mine = [one for one in deposits if one.account == slug and one.status != Status.GONE]
            units = {one.token: 0 for one in mine}
            for one in mine:
                units[one.token] += int(one.units)
            found.append(_Chain(slug, chain, heights.get(slug, 0), units))
    return found


def _sight(address: CoinAddress, deposit: Deposit, seen: _Chain | None) -> Sight:
    is_final = deposit.status == Status.FINAL
    needed, depth, url, seconds = 1, 0, "", None
    if seen is not None:
        needed = finality.needed(seen.chain, deposit.token, seen.final_units.get(deposit.token, 0))
        depth = 0 if deposit.height is None else max(seen.height - deposit.height + 1, 0)
        url = seen.chain.transaction_url(deposit.transaction) if deposit.transaction else ""
        if not is_final:
            seconds = seconds_left(seen.chain, depth, needed)
    return Sight(
        transaction=deposit.transaction,
        coin=deposit.coin,
        amount=amount_of(deposit) if deposit.coin else Decimal(0),
        confirmations=needed if is_final else min(depth, needed),
        needed=needed,
        url=url,
        is_final=is_final,
        is_expected=(deposit.account, deposit.coin) == (address.account, address.coin),
        counts=deposit.counts,
        seen_at=deposit.first_seen_at,
        is_gone=deposit.status == Status.GONE,
        seconds_left=seconds,
    )


def seconds_left(chain: ChainPort, depth: int, needed: int) -> int | None:
    """Usual time until a deposit of this depth is final. None where it is not known."""
    is_named = isinstance(chain, NamesFinalBlocks) and chain.names_final_blocks
    return networks.seconds_to_final(chain.network, depth, needed, is_named_final=is_named)
