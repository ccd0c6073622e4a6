"""Which account serves a new payment, and why the others do not."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext

from payments.providers import breaker, registry
from payments.providers.declaration import RailDeclaration
from payments.rails.models import ProviderAccount, Route
from payments.rails.services import health


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """A payment that needs an account.

    `method` is empty for any. `amount` is in `currency`; None: not known yet.
    """

    method: str = ""
    currency: str = ""
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

    @classmethod
    def load(cls, product: str) -> "RouteTable":
        routes = list(Route.objects.filter(product=product).order_by("priority", "id"))
        slugs = list(dict.fromkeys(route.account for route in routes))
        if not slugs and (configured := _adapters(product).configured_code):
            slugs = [configured]
        accounts = _entered(slugs)
        rails = {slug: registry.find_rail(slug) for slug in slugs}
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

    def _ailment(self, account: str, method: str) -> int:
        if breaker.is_open(circuit(self.product, account)):
            return 2
        return int(health.is_poor(self.product, account, method))

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
        return _incapable(self.rails[account], self.product, demand) or _off(
            self.accounts.get(account)
        )


def circuit(product: str, account: str) -> str:
    """The name of a circuit breaker (payments.providers.breaker)."""
    return f"{product}:{account}"


def is_off(account: str) -> bool:
    """Whether an operator switched it off. A rail without an account, like the simulator, is on."""
    return bool(_off(_entered([account]).get(account)))


def _entered(slugs: Sequence[str]) -> dict[str, ProviderAccount]:
    """The accounts among them. Rails of the settings have none, and cost no query."""
    possible = [slug for slug in slugs if slug not in registry.rails()]
    return ProviderAccount.objects.in_bulk(possible) if possible else {}


def _mismatch(route: Route, demand: Demand) -> str:
    if not route.is_enabled:
        return gettext("switched off")
    if demand.method and route.method not in ("", demand.method):
        return gettext("only %s") % route.method
    if route.currency and route.currency != demand.currency:
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
    return ""


def _takes(rail: RailDeclaration, method: str) -> bool:
    if method in rail.payer_needs:
        return True
    adapter = rail.payin
    return adapter is not None and any(one.key == method for one in adapter.direct_methods())


def _off(account: ProviderAccount | None) -> str:
    is_on = account is None or account.status == ProviderAccount.Status.ON
    return "" if is_on else gettext("the account is off")
