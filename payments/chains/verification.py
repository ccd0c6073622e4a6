"""Whether a transaction on the chain pays an address: of refunds that a person sent."""

from dataclasses import dataclass

from payments.chains.services import chain_accounts
from payments.providers.ports import ProviderUnreachable
from payments.providers.ports.chain import ChainPort, ChainTransaction, Coin, ReadsByAddress


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """
    is_found       the node knows the transaction, and it succeeded.
    units          what it moves of the coin to the address.
    is_enough      at least the units that were asked for.
    confirmations  0 in the mempool.
    is_final       `needed` confirmations, or the chain's own rule.
    """

    is_found: bool
    units: int = 0
    is_enough: bool = False
    confirmations: int = 0
    needed: int = 0
    is_final: bool = False

    @property
    def is_paid(self) -> bool:
        return self.is_enough and self.is_final


def find_payment(*, account: str, transaction: str, target: str, coin: Coin, units: int) -> Verdict:
    """Calls the node of the account: never inside a database transaction. Raises ProviderError.

    `target` is DerivedAddress.target, from ChainPort.target_of.
    """
    chain = chain_accounts.find_chain(account)
    if chain is None:
        raise ProviderUnreachable(f"{account} has no chain")
    tip = chain.tip()
    found = chain.find_transaction(transaction)
    if found is None or not _is_on_best_chain(chain, found):
        return Verdict(is_found=False)
    moved = sum(
        one.units for one in found.transfers if (one.target, one.token) == (target, coin.token)
    )
    height = found.height
    confirmations = 0 if height is None else max(tip.height - height + 1, 0)
    needed = chain.confirmations_needed(coin, max(units, 1))
    if tip.final_height is None:
        is_final = confirmations >= needed
    else:
        is_final = height is not None and height <= tip.final_height
    return Verdict(
        is_found=True,
        units=moved,
        is_enough=0 < units <= moved,
        confirmations=confirmations,
        needed=needed,
        is_final=is_final,
    )


def _is_on_best_chain(chain: ChainPort, found: ChainTransaction) -> bool:
    if found.height is None or isinstance(chain, ReadsByAddress):
        return True
    return chain.block_hash(found.height) == found.block_hash
