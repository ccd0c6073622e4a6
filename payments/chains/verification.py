"""Whether a transaction on the chain pays an address: of refunds that a person sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from payments.providers.ports import (
    ChainPort,
    ChainTransaction,
    ChainTransfer,
    Coin,
    ReadsBlocks,
)


class Standing(StrEnum):
    """
    MISSING        the node knows no such transaction, or it failed.
    OTHER_ADDRESS  it moves nothing to the address.
    OTHER_COIN     it moves another coin to the address.
    TOO_LITTLE     it moves too little of the coin.
    NOT_YET        it is in no block, and so far shows no such payment: nodes of some networks see
                   what a token did only in a block.
    TOO_OLD        it is in a block from before the payment was wanted.
    WAITS          it pays, but may still vanish.
    FINAL          it pays, and stays.
    """

    MISSING = "MISSING"
    OTHER_ADDRESS = "OTHER_ADDRESS"
    OTHER_COIN = "OTHER_COIN"
    TOO_LITTLE = "TOO_LITTLE"
    NOT_YET = "NOT_YET"
    TOO_OLD = "TOO_OLD"
    WAITS = "WAITS"
    FINAL = "FINAL"


PAYING = frozenset({Standing.WAITS, Standing.FINAL})


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedPayment:
    """
    units   at least so many.
    target  as DerivedAddress.target.
    after   the newest block when the payment became wanted. Heights and not times, because the
            clocks of miners are hours apart.
    """

    coin: Coin
    target: str
    units: int
    after: int

    def as_state(self) -> dict[str, Any]:
        """JSON, with all that a coin needs that the account has switched off since."""
        coin = self.coin
        return {
            "coin": coin.code,
            "decimals": coin.decimals,
            "token": coin.token,
            "target": self.target,
            "units": str(self.units),
            "after": self.after,
        }

    @classmethod
    def of_state(cls, state: Mapping[str, Any], network: str) -> Self:
        coin = Coin(
            code=state["coin"],
            network=network,
            label=network,
            decimals=state["decimals"],
            token=state["token"],
        )
        target, units = state["target"], int(state["units"])
        return cls(coin=coin, target=target, units=units, after=state["after"])


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPayment:
    """
    transaction    in lower case: no two spellings of one count as two.
    position       of the first transfer that pays: of all transactions, no two payments have both.
    units          of the coin, to the address.
    confirmations  0 while it waits for a block.
    needed         None where the chain has a rule of its own.
    """

    standing: Standing
    transaction: str = ""
    position: int = 0
    units: int = 0
    confirmations: int = 0
    needed: int | None = None


def find_payment(chain: ChainPort, wanted: WantedPayment, transaction: str) -> FoundPayment:
    """Calls the node. Raises ProviderUnreachable and ProviderTimeout."""
    found = chain.find_transaction(transaction)
    if found is None or not _is_on_best_chain(chain, found):
        return FoundPayment(standing=Standing.MISSING)
    to_address = [one for one in found.transfers if one.target == wanted.target]
    paid = [one for one in to_address if one.token == wanted.coin.token]
    units = sum(one.units for one in paid)
    if units < wanted.units:
        is_early = found.height is None
        standing = Standing.NOT_YET if is_early else _of_too_little(to_address, paid)
        return FoundPayment(standing=standing, units=units)
    if found.height is not None and found.height <= wanted.after:
        return FoundPayment(standing=Standing.TOO_OLD, units=units)
    return _standing(chain, wanted, found, paid)


def _is_on_best_chain(chain: ChainPort, found: ChainTransaction) -> bool:
    if found.height is None or not isinstance(chain, ReadsBlocks):
        return True
    return chain.block_hash(found.height) == found.block_hash


def _of_too_little(to_address: list[ChainTransfer], paid: list[ChainTransfer]) -> Standing:
    if paid:
        return Standing.TOO_LITTLE
    return Standing.OTHER_COIN if to_address else Standing.OTHER_ADDRESS


def _standing(
    chain: ChainPort, wanted: WantedPayment, found: ChainTransaction, paid: list[ChainTransfer]
) -> FoundPayment:
    units = sum(one.units for one in paid)
    tip, confirmations, needed = chain.tip(), 0, None
    if found.height is not None:
        confirmations = max(tip.height - found.height + 1, 0)
    if tip.final_height is None:
        needed = chain.confirmations_needed(wanted.coin, units)
        is_final = confirmations >= max(needed, 1)
    else:
        is_final = found.height is not None and found.height <= tip.final_height
    return FoundPayment(
        standing=Standing.FINAL if is_final else Standing.WAITS,
        transaction=found.transaction.lower(),
        position=min(one.position for one in paid),
        units=units,
        confirmations=confirmations,
        needed=needed,
    )
