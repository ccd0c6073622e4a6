"""Which account serves a new payment, and why the others do not."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext

from payments.providers import breaker, registry
from payments.providers.declaration import RailDeclaration
from payments.providers.ports import Coin, HasPauses, ProviderUnreachable
from payments.rails.models import ProviderAccount, Route
from payments.rails.services import accounts as provider_accounts
from payments.rails.services import health


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """A payment that needs an account.

    `method` is empty for any. `amount` is in `currency`; None: not known yet. `coin` is the
    currency that a payer pays with over CRYPTO, on this `network`; empty: on any.
    """

    method: str = ""
    currency: str = ""
    coin: str = ""
    network: str = ""
    merchant_id: str = ""
    amount: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """`obstacle` is empty for an account that serves."""

    account: str
    priority: int | None
    obstacle: str = ""


@dataclass(frozen=True, slots=True)
class RouteTable:
    """The routes of one product, read once for several questions."""

    product: str
    routes: Sequence[Route]
    accounts: Mapping[str, ProviderAccount]
    # By slug, so that each rail is looked up once and not for each method.
    rails: Mapping[str, RailDeclaration | None]
    # What was asked of the cache and of the accounts, so that it is asked once for all methods.
    _open: dict[str, bool] = field(default_factory=dict, compare=False)
    _poor: dict[tuple[str, str], bool] = field(default_factory=dict, compare=False)
    _pauses: dict[str, bool] = field(default_factory=dict, compare=False)

    @classmethod
    def load(cls, product: str) -> "RouteTable":
        return cls.of(product, read_routes(product))

    @classmethod
    def of(cls, product: str, routes: Sequence[Route]) -> "RouteTable":
        """Of routes that were read before. Reads the accounts."""
        slugs = list(dict.fromkeys(route.account for route in routes))
        if not slugs and (configured := _adapters(product).configured_code):
            slugs = [configured]
        accounts = _entered(slugs)
        rails = {slug: _rail(slug, accounts) for slug in slugs}
        return cls(product, routes, accounts, rails)

    def accounts_for(self, demand: Demand) -> list[str]:
        """The slugs in the order in which they are tried.

        Accounts with an open circuit come last, and before them those that answered less
        than half of the recent calls.
        """
        serving = dict.fromkeys(one.account for one in self.explain(demand) if not one.obstacle)
        if len(serving) < 2:
            return list(serving)
        return sorted(serving, key=lambda slug: self._ailment(slug, demand.method))

    def is_down(self, account: str) -> bool:
        """Whether its circuit is open."""
        if account not in self._open:
            self._open[account] = breaker.is_open(circuit(self.product, account))
        return self._open[account]

    def _ailment(self, account: str, method: str) -> int:
        if self.is_down(account):
            return 2
        if (account, method) not in self._poor:
            self._poor[account, method] = health.is_poor(self.product, account, method)
        return int(self._poor[account, method])

    def explain(self, demand: Demand) -> Iterator[Candidate]:
        """Every route with the first condition that it fails.

        If there is no route, the settings name the rail.
        """
        if not self.routes:
            for provider in self.rails:
                yield Candidate(provider, None, self._obstacle(provider, demand))
            return
        for route in self.routes:
            obstacle = _mismatch(route, demand) or self._obstacle(route.account, demand)
            yield Candidate(route.account, route.priority, obstacle)

    def _obstacle(self, account: str, demand: Demand) -> str:
        return (
            _incapable(self.rails[account], self.product, demand)
            or _off(self.accounts.get(account))
            or self._paused(account, demand)
        )

    def _paused(self, account: str, demand: Demand) -> str:
        """Only for a method: to list what accounts carry, this does not matter."""
        rail = self.rails[account]
        adapter: object = rail.adapters[self.product] if rail else None
        if not demand.method or not isinstance(adapter, HasPauses):
            return ""
        if account not in self._pauses:
            self._pauses[account] = adapter.is_paused()
        return gettext("takes no new payments now") if self._pauses[account] else ""


def read_routes(product: str) -> list[Route]:
    return list(Route.objects.filter(product=product).order_by("priority", "id"))


def circuit(product: str, account: str) -> str:
    """The name of a circuit breaker (payments.providers.breaker)."""
    return f"{product}:{account}"


def is_off(account: str) -> bool:
    """Whether an operator switched it off. A rail without an account, like the simulator, is on."""
    return bool(_off(_entered([account]).get(account)))


def require_on(account: str) -> None:
    """Raises ProviderUnreachable for an account that an operator has switched off."""
    if is_off(account):
        raise ProviderUnreachable(f"{account} is switched off.")


def _rail(slug: str, accounts: Mapping[str, ProviderAccount]) -> RailDeclaration | None:
    """As registry.find_rail, of accounts that were read."""
    if found := registry.rails().get(slug):
        return found
    account = accounts.get(slug)
    return provider_accounts.rail_of(account) if account is not None else None


def _entered(slugs: Sequence[str]) -> dict[str, ProviderAccount]:
    """The accounts among them. Rails of the settings have none, and cost no query."""
    possible = [slug for slug in slugs if slug not in registry.rails()]
    return ProviderAccount.objects.in_bulk(possible) if possible else {}


def _mismatch(route: Route, demand: Demand) -> str:
    if not route.is_enabled:
        return gettext("switched off")
    if demand.method and route.method not in ("", demand.method):
        return gettext("only %s") % route.method
    if route.currency and route.currency not in (demand.currency, demand.coin):
        return gettext("only %s") % route.currency
    if route.merchant_id and route.merchant_id != demand.merchant_id:
        return gettext("another merchant")
    if demand.amount is not None:
        if route.min_amount is not None and demand.amount < route.min_amount:
            return gettext("amount too small")
        if route.max_amount is not None and demand.amount > route.max_amount:
            return gettext("amount too large")
    return ""


def _adapters(product: str) -> registry.Adapters[Any]:
    return registry.PAYIN if product == registry.PAYIN.name else registry.outgoing(product)


def _incapable(rail: RailDeclaration | None, product: str, demand: Demand) -> str:
    if rail is None or product not in rail.adapters:
        return gettext("no account of this environment that carries the product")
    if rail.is_simulated and rail.code != _adapters(product).configured_code:
        return gettext("the simulator serves only where the settings name it")
    if product == registry.PAYIN.name and demand.method and not _takes(rail, demand.method):
        return gettext("the account does not carry the method")
    if demand.coin and not any(_is_wanted(coin, demand) for coin in rail.coins):
        return gettext("the account does not carry the coin on this network")
    return ""


def _is_wanted(coin: Coin, demand: Demand) -> bool:
    return coin.code == demand.coin and demand.network in ("", coin.network)


def _takes(rail: RailDeclaration, method: str) -> bool:
    if method in rail.payer_needs:
        return True
    adapter = rail.payin
    return adapter is not None and any(one.key == method for one in adapter.direct_methods())


def _off(account: ProviderAccount | None) -> str:
    is_on = account is None or account.status == ProviderAccount.Status.ON
    return "" if is_on else gettext("the account is off")
