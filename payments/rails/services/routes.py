"""Routes: add and change. Every change leaves an audit row.

A route that names real money can redirect all of it. So its changes wait for a second person
(route_changes.py).
"""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction

from payments.core import audit, clock
from payments.providers import registry
from payments.providers.account import Mode
from payments.providers.declaration import RailDeclaration
from payments.rails.models import ProviderAccount, Route, RouteChange
from payments.rails.services import accounts, route_changes


@transaction.atomic
def save_route(*, route: Route, actor: str, reason: str, now: datetime) -> RouteChange | None:
    """Returns the change if it waits for a second person; then the route is as before.

    Raises ValidationError and ChangeWaits.
    """
    route.full_clean()
    old = Route.objects.select_for_update().filter(pk=route.pk).first() if route.pk else None
    if old is not None:
        route_changes.refuse_second(old)
    if any(moves_real_money(one.account) for one in (old, route) if one is not None):
        return route_changes.request(route=route, old=old, actor=actor, reason=reason, now=now)
    route.save()
    audit.record(
        actor=actor,
        action="rail_route.changed" if old else "rail_route.added",
        subject=route,
        reason=reason,
        **route_changes.texts(route_changes.values_of(route)),
    )
    return None


def add_route(
    *, product: str, account: str, priority: int, actor: str, reason: str, **conditions: Any
) -> Route:
    """`conditions` are fields of Route. Raises ValidationError."""
    route = Route(product=product, account=account, priority=priority, **conditions)
    save_route(route=route, actor=actor, reason=reason, now=clock.now())
    return route


def moves_real_money(slug: str) -> bool:
    """Whether it is a live account, or a rail of the settings that is no simulator."""
    rail = registry.rails().get(slug)  # first, as in registry.find_rail
    if rail is not None:
        return not rail.is_simulated
    return ProviderAccount.objects.filter(pk=slug, mode=Mode.LIVE).exists()


def find_routable(slug: str) -> RailDeclaration | None:
    """The rail that a route may name: also a live account that is not approved yet."""
    if rail := registry.find_rail(slug):
        return rail
    account = ProviderAccount.objects.filter(pk=slug).first()
    if account is None or (account.mode == Mode.SANDBOX) != settings.SANDBOX:
        return None
    rail_account = accounts.to_rail_account(account, clock.now())
    return accounts.get_rail_type(account.provider).declare(rail_account)
