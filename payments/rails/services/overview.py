"""The health of every account that new payments may go to, for operators and for /metrics."""

from collections.abc import Iterator
from dataclasses import dataclass

from payments.core.metrics import Figures
from payments.core.products import products
from payments.providers import breaker, ports, registry
from payments.providers.declaration import RailDeclaration
from payments.rails.models import ProviderAccount, Route
from payments.rails.services import health
from payments.rails.services.routing import circuit

OUTCOMES = (health.REFUSED, health.UNUSED, health.ELSEWHERE)


@dataclass(frozen=True, slots=True)
class AccountHealth:
    product: str
    account: str
    method: str
    health: health.Health
    is_open: bool


def read_all() -> list[AccountHealth]:
    """By product, account and method. Without Redis nothing is known of them."""
    return [
        AccountHealth(product, account, method, found.get(method, health.UNKNOWN), is_open)
        for product, account in _served()
        for methods in [_methods(product, account)]
        for found in [health.read(product, account, methods)]
        for is_open in [breaker.is_open(circuit(product, account))]
        for method in methods
    ]


def figures() -> Iterator[Figures]:
    """For payments.core.metrics."""
    rows = [
        (
            one.product,
            one.account,
            one.method,
            one.health.calls,
            1.0 if one.health.share is None else one.health.share,
            one.health.p95 or 0.0,
        )
        for one in read_all()
    ]
    yield Figures(
        ("product", "account", "method"),
        {
            "pasarela_rail_calls": "Calls of the last hour that started payments.",
            "pasarela_rail_answered_share": "The share of them that was answered; 1 without any.",
            "pasarela_rail_p95_seconds": "The time within which 95 % of them ended.",
        },
        rows,
    )
    counted = health.callbacks(_accounts(), OUTCOMES)
    yield Figures(
        ("account", "outcome"),
        {
            "pasarela_rail_callbacks": "Messages with a wrong signature, about nothing of ours, or"
            " about money of a payment that is at another account."
        },
        [(account, outcome, count) for (account, outcome), count in counted.items()],
    )


def carried() -> list[tuple[str, str]]:
    """Every account that operators entered, with each product that it can carry, routed or not."""
    slugs = ProviderAccount.objects.order_by("pk").values_list("pk", flat=True)
    names = [registry.PAYIN.name, *(product.name for product in products())]
    rails = {slug: registry.find_rail(slug) for slug in slugs}
    return [
        (name, slug) for slug, rail in rails.items() if rail for name in names if rail.adapter(name)
    ]


def _served() -> list[tuple[str, str]]:
    """Products with their accounts: of the routes, or of the settings without one."""
    routed = Route.objects.order_by("product", "priority", "id").values_list("product", "account")
    found = dict.fromkeys(routed)
    for name in (registry.PAYIN.name, *(product.name for product in products())):
        if not any(product == name for product, _ in found):
            found[name, _adapters(name).configured_code] = None
    return sorted(pair for pair in found if pair[1])


def _adapters(product: str) -> registry.Adapters[object]:
    return registry.PAYIN if product == registry.PAYIN.name else registry.outgoing(product)


def _accounts() -> list[str]:
    entered = ProviderAccount.objects.values_list("pk", flat=True)
    return sorted({*entered, *(account for _, account in _served())})


def _methods(product: str, account: str) -> list[str]:
    rail = registry.find_rail(account)
    return methods_of(rail, product) if rail else []


def methods_of(rail: RailDeclaration, product: str) -> list[str]:
    """As `health.measure` is called with them."""
    if product not in rail.adapters:
        return []
    if product == registry.PAYIN.name:
        return [*rail.payer_needs, *_direct(rail)]
    if networks := getattr(rail.adapters[product], "networks", None):
        return sorted(networks())
    return [product]


def _direct(rail: RailDeclaration) -> list[str]:
    try:
        return [one.key for one in rail.payin.direct_methods()] if rail.payin else []
    except ports.ProviderError:
        return []
