"""USDT on Tron for the scanner.

The chain is not read block by block: the API's index is asked about each address, and the receipts
say what the transactions did.
"""

from collections.abc import Iterable
from decimal import Decimal
from functools import cached_property

from payments.providers import keys
from payments.providers.account import RailAccount
from payments.providers.node_fields import TRANSACTION
from payments.providers.ports import ProviderTimeout
from payments.providers.ports.chain import (
    ChainTip,
    ChainTransaction,
    ChainTransfer,
    Coin,
    DerivedAddress,
)
from payments.providers.tron import addresses, index, known_receipts
from payments.providers.tron.account import SPELLINGS, read_settings
from payments.providers.tron.blocks import header_of
from payments.providers.tron.client import TronClient
from payments.providers.tron.identity import ensure_identity
from payments.providers.tron.receipts import Receipt, receipt_of

# A block is solid when 19 of the 27 block producers have built on it: after about a minute.
SOLID_AFTER = 19
# The solid block of an API lies farther behind only if the network or the API has stopped.
SOLID_BEHIND_MAX = 600
# A hundredth of a dollar: transfers below only carry advertising, or an address that looks known.
DUST_UNITS = 10_000


class TronChain:
    """A chain that ReadsByAddress. Threads share it."""

    def __init__(self, account: RailAccount) -> None:
        self._account = account
        self._settings = read_settings(account)
        self._client = TronClient(self._settings)

    @property
    def code(self) -> str:
        return self._account.slug

    @property
    def network(self) -> str:
        return self._settings.network

    @property
    def coins(self) -> tuple[Coin, ...]:
        return (self._settings.coin,)

    @cached_property
    def _key(self) -> keys.AccountKey:
        text = self._account.credentials["public_key"]
        return keys.parse_public_key(text, spellings=SPELLINGS)

    @property
    def key_id(self) -> str:
        return self._key.key_id

    def derive(self, index: int) -> DerivedAddress:
        address = addresses.address_of_key(self._key.child(index))
        return DerivedAddress(text=address, target=address)

    def confirmations_needed(self, coin: Coin, units: int) -> int:
        return SOLID_AFTER

    def counts(self, coin: Coin, units: int) -> bool:
        return units >= DUST_UNITS

    def payment_uri(self, coin: Coin, address: str, amount: Decimal) -> str:
        """Wallets of Tron agree on none that has an amount and a token."""
        return ""

    def transaction_url(self, transaction: str) -> str:
        return self._settings.explorer.replace(TRANSACTION, transaction)

    def is_address(self, text: str) -> bool:
        return addresses.is_address(text)

    def target_of(self, address: str) -> str:
        if not addresses.is_address(address):
            raise ValueError("no address of this network")
        return address

    def tip(self) -> ChainTip:
        """The solid block is read first: the other one, read later, must not lie below it."""
        ensure_identity(self._client)
        solid = header_of(self._client.newest_block(is_solid=True))
        newest = header_of(self._client.newest_block(is_solid=False))
        behind = newest.height - solid.height
        if behind < 0:
            raise ProviderTimeout("the newest block lies below the solid one")
        if behind > SOLID_BEHIND_MAX:
            raise ProviderTimeout(f"the solid block lies {behind} blocks behind the newest one")
        return ChainTip(
            height=newest.height, hash=newest.id, time=newest.time, final_height=solid.height
        )

    def received(self, target: str) -> list[ChainTransaction]:
        """What is not solid has no height: it may still change its block, or leave the chain."""
        rows = index.find_rows(self._client, target)
        found: list[ChainTransaction] = []
        for transaction in dict.fromkeys(row.transaction for row in rows):
            receipt, is_solid = self._read_receipt(transaction, target)
            if receipt is None:
                continue  # the index was faster than the node
            listed = {row.units for row in rows if row.transaction == transaction}
            self._compare(receipt, target, listed - {None})
            moved = [one for one in receipt.transfers if one.target == target]
            if moved:
                found.append(_transaction(receipt, moved, is_solid=is_solid))
        return found

    def _compare(self, receipt: Receipt, target: str, listed: Iterable[int | None]) -> None:
        token = self._settings.coin.token
        moved = {
            one.units for one in receipt.transfers if (one.target, one.token) == (target, token)
        }
        if not moved.issuperset(listed):
            raise ProviderTimeout("the index and the receipt contradict each other")

    def _read_receipt(self, transaction: str, target: str) -> tuple[Receipt | None, bool]:
        """The receipt, and whether its block is solid. A solid one never changes."""
        place = (self._settings.base_url, transaction, target)
        if (known := known_receipts.find(place)) is not None:
            return known, True
        if (receipt := self._ask_receipt(transaction, is_solid=True)) is not None:
            known_receipts.keep(place, receipt, target)
            return receipt, True
        return self._ask_receipt(transaction, is_solid=False), False

    def _ask_receipt(self, transaction: str, *, is_solid: bool) -> Receipt | None:
        answer = self._client.transaction(transaction, is_solid=is_solid)
        return receipt_of(answer, transaction, self._settings.coin.token)

    def find_transaction(self, transaction: str) -> ChainTransaction | None:
        transaction = transaction.strip().removeprefix("0x").lower()
        if not index.TRANSACTION.fullmatch(transaction):
            return None
        for is_solid in (True, False):
            receipt = self._ask_receipt(transaction, is_solid=is_solid)
            if receipt is not None:
                if not receipt.succeeded:
                    return None
                return _transaction(receipt, receipt.transfers, is_solid=is_solid)
        return None


def _transaction(
    receipt: Receipt, transfers: Iterable[ChainTransfer], *, is_solid: bool
) -> ChainTransaction:
    """Receipts do not name the block's id."""
    return ChainTransaction(
        transaction=receipt.transaction,
        height=receipt.height if is_solid else None,
        block_hash="",
        transfers=tuple(transfers),
        time=receipt.time,
    )
