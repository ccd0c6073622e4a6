"""Which accounts of rails can take a payout, and what a payout is to another one of them."""

from collections.abc import Iterator, Mapping, Sequence

from payments.core import money
from payments.payout.declaration import PAYOUTS
from payments.payout.models import Payout
from payments.providers import ports, registry
from payments.rails.services.routing import Demand, RouteTable

PROVIDERS: registry.Adapters[ports.PayoutPort] = registry.outgoing(PAYOUTS.name)


def carrying(payout: Payout, merchant_id: str, routes: RouteTable) -> list[str]:
    """Slugs of those that carry its network, in the order in which they are tried."""
    demand = Demand(
        method=payout.network,
        currency=money.FIAT,
        merchant_id=merchant_id,
        amount=payout.amount,
    )
    accounts = routes.accounts_for(demand)
    return [one for one in accounts if payout.network in PROVIDERS.get(one).networks()]


def reaching(accounts: Sequence[str], payout: Payout) -> list[str]:
    """Those that know its bank."""
    bank = payout.bank
    return [one for one in accounts if bank is None or one in bank.codes]


def bank_code(payout: Payout, account: str) -> str:
    """Empty for a payout to a key."""
    return str(payout.bank.codes[account]) if payout.bank else ""


def other_accounts(payout: Payout) -> Iterator[Mapping[str, str]]:
    """For Product.other_accounts. A generator, so that nothing is read before it is needed."""
    routes = RouteTable.load(PAYOUTS.name)
    for account in reaching(carrying(payout, payout.merchant_id, routes), payout):
        if account != payout.provider:
            yield {"provider": account, "bank_code": bank_code(payout, account)}
