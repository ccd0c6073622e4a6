"""Applies the deployment's declaration of accounts and routes: `manage.py declare_rails`.

An entry is applied when it is new or has changed since it was applied last. So what an operator
changes in the console stays until the entry changes, and an unchanged declaration changes nothing.

The declaration is no person. It enters live accounts, and two persons of the console switch them
on. Its new credentials of live accounts, and its changes of routes to them, wait for two persons.
"""

import json
from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import connection, transaction

from payments.core import audit
from payments.core.errors import ServiceError
from payments.providers.account import Mode
from payments.rails.models import ProviderAccount, Route, RouteChange
from payments.rails.services import accounts, approvals, route_changes, routes
from payments.rails.services.declaration_file import (
    Declaration,
    DeclarationRefused,
    DeclaredAccount,
    DeclaredRoute,
)

ACTOR = route_changes.DECLARATION
REASON = "The deployment's declaration changed"
# Key of the advisory lock that serializes deployments. No other code uses this key.
_LOCK = 0x7261696C73
Status = ProviderAccount.Status


@dataclass(slots=True)
class Applied:
    """Names of the entries. `waiting`: two persons have to act in the console."""

    created: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    switched_off: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)


@transaction.atomic
def apply(*, declaration: Declaration, now: datetime) -> tuple[Applied, Applied]:
    """What was done with accounts and routes. All of it or nothing: raises DeclarationRefused."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
    of_accounts, of_routes = Applied(), Applied()
    for account in declaration.accounts:
        with _refusals(f"accounts {account.new.slug}"):
            _apply_account(account, of_accounts, now)
    for route in declaration.routes:
        with _refusals(f"routes {route.name}"):
            _apply_route(route, of_routes, now)
    _disable_others([route.name for route in declaration.routes], of_routes, now)
    _switch_off_others([each.new.slug for each in declaration.accounts], of_accounts, now)
    of_accounts.waiting = [each.new.slug for each in declaration.accounts if _waits(each.new.slug)]
    return of_accounts, of_routes


class _refusals:
    """Names the entry in what a service refuses."""

    def __init__(self, where: str) -> None:
        self.where = where

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, ServiceError):
            raise DeclarationRefused(f"{self.where}: {error.message}") from None
        if isinstance(error, ValidationError):
            fields = ", ".join(getattr(error, "message_dict", {})) or "it"
            raise DeclarationRefused(f"{self.where}: not valid: {fields}.") from None


def _apply_account(declared: DeclaredAccount, applied: Applied, now: datetime) -> None:
    new = declared.new
    account = ProviderAccount.objects.select_for_update().filter(pk=new.slug).first()
    if account is not None and account.declared_digest == declared.digest:
        applied.unchanged.append(new.slug)
        return
    if (new.mode == Mode.SANDBOX) != settings.SANDBOX:
        text = f"mode {new.mode} never serves with SANDBOX={int(settings.SANDBOX)}"
        raise DeclarationRefused(f"accounts {new.slug}: {text}.")
    if account is None:
        accounts.create_account(new=new, actor=ACTOR, reason=REASON, now=now)
        applied.created.append(new.slug)
    else:
        _change_account(account, new, now)
        applied.changed.append(new.slug)
    _switch(new.slug, declared.is_enabled, now)
    ProviderAccount.objects.filter(pk=new.slug).update(declared_digest=declared.digest)


def _change_account(account: ProviderAccount, new: accounts.NewAccount, now: datetime) -> None:
    for name in ("provider", "mode"):
        if getattr(account, name) != getattr(new, name):
            text = f"`{name}` of an account never changes; connect another account"
            raise DeclarationRefused(f"accounts {account.slug}: {text}.")
    if account.base_url != new.base_url:
        accounts.change_address(
            slug=account.slug, base_url=new.base_url, actor=ACTOR, reason=REASON, now=now
        )
    if account.label != new.label:
        _rename(account.slug, new.label)
    entered = accounts.stored_form(new.provider, new.credentials, account=new)
    if entered == account.credentials:
        _withdraw_credentials(account.slug)
    elif entered != account.requested_credentials:
        accounts.rotate_credentials(
            slug=account.slug,
            credentials=json.loads(entered),
            actor=ACTOR,
            reason=REASON,
            now=now,
        )


def _withdraw_credentials(slug: str) -> None:
    """The declaration no longer asks for the set that waits. A person's request stays."""
    account = accounts.lock(slug)
    if not account.requested_credentials or account.credentials_by != ACTOR:
        return
    approvals.withdraw_credentials(account, actor=ACTOR, reason=REASON)


def _rename(slug: str, label: str) -> None:
    account = accounts.lock(slug)
    account.label = label
    account.full_clean()
    account.save(update_fields=["label", "updated_at"])
    audit.record(
        actor=ACTOR, action="rail_account.renamed", subject=account, reason=REASON, label=label
    )


def _switch(slug: str, is_enabled: bool, now: datetime) -> None:
    """Persons switch a live account on."""
    account = accounts.lock(slug)
    if is_enabled and account.mode == Mode.SANDBOX and account.status == Status.OFF:
        accounts.switch_on(slug=slug, actor=ACTOR, reason=REASON, now=now)
    if not is_enabled and account.status != Status.OFF:
        accounts.switch_off(slug=slug, actor=ACTOR, reason=REASON, now=now)


def _waits(slug: str) -> bool:
    account = ProviderAccount.objects.get(pk=slug)
    return bool(account.requested_credentials) or not accounts.is_approved(account)


def _switch_off_others(declared: list[str], applied: Applied, now: datetime) -> None:
    left = ProviderAccount.objects.exclude(declared_digest="").exclude(pk__in=declared)
    for account in left.order_by("pk"):
        if account.status != Status.OFF:
            _switch(account.slug, False, now)
            applied.switched_off.append(account.slug)
        _withdraw_credentials(account.pk)
        ProviderAccount.objects.filter(pk=account.pk).update(declared_digest="")


def _apply_route(declared: DeclaredRoute, applied: Applied, now: datetime) -> None:
    route = Route.objects.filter(declared_as=declared.name).first()
    last = RouteChange.objects.filter(values__declared_as=declared.name).order_by("id").last()
    requested = last.values["declared_digest"] if last is not None else ""
    if last is not None and last.status == RouteChange.Status.REQUESTED:
        if requested == declared.digest:
            applied.waiting.append(declared.name)
            return
        _withdraw(last, now)
    is_rejected = requested == declared.digest and _is_rejected_by_person(last)
    if is_rejected or (route is not None and route.declared_digest == declared.digest):
        applied.unchanged.append(declared.name)
        return
    _refuse_unroutable(declared)
    is_new = route is None
    route = route or Route(declared_as=declared.name)
    route.declared_digest = declared.digest
    for name, value in declared.values.items():
        setattr(route, name, value)
    if routes.save_route(route=route, actor=ACTOR, reason=REASON, now=now) is not None:
        applied.waiting.append(declared.name)
    else:
        (applied.created if is_new else applied.changed).append(declared.name)


def _is_rejected_by_person(change: RouteChange | None) -> bool:
    """Then it is requested again only after the entry has changed."""
    if change is None or change.status != RouteChange.Status.REJECTED:
        return False
    return change.decided_by != ACTOR


def _refuse_unroutable(declared: DeclaredRoute) -> None:
    rail = routes.find_routable(declared.values["account"])
    if rail is None:
        raise DeclarationRefused(f"routes {declared.name}: there is no such account here.")
    if declared.values["product"] not in rail.adapters:
        carried = ", ".join(rail.adapters)
        raise DeclarationRefused(f"routes {declared.name}: the account carries only: {carried}.")


def _disable_others(declared: list[str], applied: Applied, now: datetime) -> None:
    waiting = RouteChange.objects.filter(status=RouteChange.Status.REQUESTED)
    for change in waiting.exclude(values__declared_as="").exclude(values__declared_as__in=declared):
        _withdraw(change, now)
    for route in Route.objects.exclude(declared_as="").exclude(declared_as__in=declared):
        name, route.declared_as, route.declared_digest = route.declared_as, "", ""
        route.save(update_fields=["declared_as", "declared_digest"])
        if not route.is_enabled:
            continue
        route.is_enabled = False
        if routes.save_route(route=route, actor=ACTOR, reason=REASON, now=now) is not None:
            applied.waiting.append(name)
        else:
            applied.switched_off.append(name)


def _withdraw(change: RouteChange, now: datetime) -> None:
    route_changes.reject(change_id=change.pk, actor=ACTOR, reason=REASON, now=now)
