"""Runs of unpaid addresses. Wallets stop to look for money after some unused addresses."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Exists, OuterRef

from payments.chains.models import AddressSequence, CoinAddress, Deposit, DepositStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyUse:
    """
    accounts     that give out addresses of the key.
    highest      the highest index that was given; None while there is none.
    longest_gap  how many unpaid addresses follow each other at most.
    """

    key_id: str
    accounts: tuple[str, ...]
    highest: int | None
    longest_gap: int

    @property
    def is_past_limit(self) -> bool:
        return self.longest_gap > int(settings.CHAIN_GAP_LIMIT)


def uses_of_keys() -> list[KeyUse]:
    return [_use(one) for one in AddressSequence.objects.order_by("key_id")]


def _use(sequence: AddressSequence) -> KeyUse:
    rows = CoinAddress.objects.filter(key_id=sequence.key_id)
    paid = rows.filter(
        Exists(Deposit.objects.filter(address=OuterRef("pk"), status=DepositStatus.FINAL))
    )
    indices = paid.order_by("index").values_list("index", flat=True)
    return KeyUse(
        key_id=sequence.key_id,
        accounts=tuple(rows.order_by("account").values_list("account", flat=True).distinct()),
        highest=sequence.next_index - 1 if sequence.next_index else None,
        longest_gap=_longest_gap(indices.iterator(), sequence.next_index),
    )


def _longest_gap(paid: Iterable[int], end: int) -> int:
    longest, before = 0, -1
    for index in paid:
        longest, before = max(longest, index - before - 1), index
    return max(longest, end - before - 1)
