"""Addresses with what they own, for an operator's wallet: index, address, balance, order."""

from collections import defaultdict
from decimal import Decimal

from django.apps import apps
from django.db.models import OuterRef, QuerySet, Subquery

from payments.chains.models import CoinAddress, DepositStatus
from payments.core import money


def with_orders(rows: QuerySet[CoinAddress]) -> QuerySet[CoinAddress]:
    """Adds `order_id`. Collections are above this package, so their table is found by its name."""
    charges = apps.get_model("collect", "Charge")._default_manager.filter(pk=OuterRef("reference"))
    return rows.annotate(order_id=Subquery(charges.values("order_id")[:1])).prefetch_related(
        "deposits"
    )


def balances(address: CoinAddress) -> dict[str, Decimal]:
    """What arrived and is final, by coin. On another network than the address's: `BTC litecoin`.

    The service does not see what the operator's wallet has moved away.
    """
    found: dict[str, Decimal] = defaultdict(Decimal)
    for one in address.deposits.all():
        if one.status == DepositStatus.FINAL:
            coin = one.coin or one.token
            name = coin if one.network == address.network else f"{coin} {one.network}"
            found[name] += one.units.scaleb(-one.decimals)
    return dict(found)


def balance_text(address: CoinAddress) -> str:
    return ", ".join(f"{money.text(units)} {name}" for name, units in balances(address).items())
