"""Transactions that take the place of others: a payer raised the fee (RBF), or sent again.

The replacement has the time of the first sight of what it replaces, so that the price stays.
"""

from collections.abc import Iterable
from datetime import timedelta

from payments.chains.models import Deposit, DepositStatus

GONE = DepositStatus.GONE
# A replacement drives out what it replaces. Without a limit a payer could withdraw a payment, wait
# until the coin has lost its value, and pay at the old price.
REPLACES_WITHIN = timedelta(minutes=10)


def inherit_first_sight(account: str, addresses: Iterable[int]) -> set[int]:
    """Of each address: a deposit that is gone gives its time to one later with the same units.

    Returns the addresses of which one changed. The caller holds the lock of the cursor.
    """
    rows = Deposit.objects.filter(account=account, address__in=set(addresses))
    deposits = list(rows.exclude(transaction="").order_by("first_seen_at", "id"))
    taken = {one.replaced_by_id for one in deposits if one.replaced_by_id}
    changed: set[int] = set()
    for gone in deposits:
        if gone.status != GONE or gone.replaced_by_id is not None:
            continue
        heirs = (one for one in deposits if _may_inherit(one, gone) and one.pk not in taken)
        heir = next(heirs, None)
        if heir is None:
            continue
        taken.add(heir.pk)
        Deposit.objects.filter(pk=heir.pk).update(first_seen_at=gone.first_seen_at)
        Deposit.objects.filter(pk=gone.pk).update(replaced_by=heir)
        changed.add(gone.address_id)
    return changed


def _may_inherit(one: Deposit, gone: Deposit) -> bool:
    return (
        one.status != GONE
        and one.transaction != gone.transaction
        and (one.address_id, one.coin, one.units) == (gone.address_id, gone.coin, gone.units)
        and one.first_seen_at >= gone.first_seen_at
        and gone.gone_at is not None
        and one.first_seen_at <= gone.gone_at + REPLACES_WITHIN
    )
