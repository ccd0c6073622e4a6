"""Gives each charge an address of its own."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction

from payments.chains.models import AddressSequence, CoinAddress
from payments.core import audit
from payments.providers.ports.chain import ChainPort, Coin, HasBalances, ReadsByAddress

# Wallets look for no more unused addresses in a row than a person lets them.
SKIP_MAX = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAddress:
    """`reference` is the charge's; `amount` is in the coin; its price ends at `expires_at`."""

    reference: str
    coin: Coin
    amount: Decimal
    expires_at: datetime


def is_ours(*, chain: ChainPort, address: str) -> bool:
    """Whether the address was given to a charge: by the key of the account, or by any other."""
    own = CoinAddress.objects.filter(key_id=chain.key_id, target=chain.target_of(address))
    return own.exists() or CoinAddress.objects.filter(address=address).exists()


def find_address(*, account: str, reference: str) -> CoinAddress | None:
    return CoinAddress.objects.filter(account=account, reference=reference).first()


@transaction.atomic
def allocate_address(*, chain: ChainPort, new: NewAddress, now: datetime) -> CoinAddress:
    """The address of the charge, the same however often it is called.

    The sequence has no gap: the index and the address are committed together. A wallet that stops
    to look after 20 unused addresses still finds what follows.
    """
    sequence = _lock_sequence(chain.key_id)
    known = find_address(account=chain.code, reference=new.reference)
    if known is not None:
        return known
    derived = chain.derive(sequence.next_index)
    address = CoinAddress(
        key_id=chain.key_id,
        index=sequence.next_index,
        address=derived.text,
        target=derived.target,
        account=chain.code,
        coin=new.coin.code,
        network=new.coin.network,
        token=new.coin.token,
        decimals=new.coin.decimals,
        reference=new.reference,
        amount=new.amount,
        expires_at=new.expires_at,
        created_at=now,
        look_at=now if _is_looked_at(chain, new.coin) else None,
    )
    address.save(force_insert=True)
    sequence.next_index += 1
    sequence.save(update_fields=["next_index"])
    return address


@transaction.atomic
def skip_addresses(*, count: int, actor: str = "operator") -> list[AddressSequence]:
    """Of each key. A database that was restored does not know which addresses it gave since."""
    sequences = list(AddressSequence.objects.select_for_update().order_by("key_id"))
    for sequence in sequences:
        sequence.next_index += count
        sequence.save(update_fields=["next_index"])
        audit.record(actor=actor, action="coin_addresses.skipped", subject=sequence, count=count)
    return sequences


def _is_looked_at(chain: ChainPort, coin: Coin) -> bool:
    """Whether the chain has to be asked about this address alone."""
    return isinstance(chain, ReadsByAddress) or (isinstance(chain, HasBalances) and not coin.token)


def _lock_sequence(key_id: str) -> AddressSequence:
    AddressSequence.objects.get_or_create(key_id=key_id)
    return AddressSequence.objects.select_for_update().get(key_id=key_id)
