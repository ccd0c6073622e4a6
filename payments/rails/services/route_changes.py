"""Changes of routes for real money: one person requests them, and another one approves.

The deployment's declaration (declarations.py) may request, too. It is no person, so a person
confirms its request before another one approves.
"""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from payments.console import four_eyes
from payments.core import audit, states
from payments.core.models import AuditEntry
from payments.rails.models import Route, RouteChange
from payments.rails.services.errors import (
    ChangeDecided,
    ChangeImpossible,
    ChangeWaits,
    NotConfirmed,
)

# The actor of `manage.py declare_rails`.
DECLARATION = "declare_rails"
Status = RouteChange.Status
AMOUNTS = ("min_amount", "max_amount")
FIELDS = (
    *("product", "method", "currency", "merchant_id", *AMOUNTS),
    *("account", "priority", "is_enabled"),
)
_KEPT = (*FIELDS, "declared_as", "declared_digest")


def values_of(route: Route) -> dict[str, Any]:
    """As JSON has them: amounts are text."""
    found = {name: getattr(route, name) for name in FIELDS}
    return found | {name: _text(found[name]) for name in AMOUNTS}


def texts(values: Mapping[str, Any]) -> dict[str, str]:
    """The fields of a route for the audit log."""
    return {name: "" if values[name] is None else str(values[name]) for name in FIELDS}


def waiting() -> list[RouteChange]:
    """Oldest first."""
    return list(RouteChange.objects.filter(status=Status.REQUESTED).order_by("id"))


def differences(change: RouteChange) -> list[tuple[str, Any, Any]]:
    """(field, before, after) of each field that the change sets. `before` is None for a new one."""
    if change.route is None or change.status == Status.APPROVED:
        return [(name, None, change.values.get(name)) for name in FIELDS]
    before = values_of(change.route)
    pairs = ((name, before[name], change.values.get(name)) for name in FIELDS)
    return [(name, old, new) for name, old, new in pairs if old != new]


def is_waiting(route: Route) -> bool:
    return route.changes.filter(status=Status.REQUESTED).exists()


def refuse_second(route: Route) -> None:
    """Raises ChangeWaits."""
    if is_waiting(route):
        raise ChangeWaits


def request(
    *, route: Route, old: Route | None, actor: str, reason: str, now: datetime
) -> RouteChange | None:
    """None if the route stays as it is. Call it inside a transaction."""
    values = values_of(route)
    if old is not None and values == values_of(old):
        return None
    kept = {name: getattr(route, name) for name in ("declared_as", "declared_digest")}
    change = RouteChange.objects.create(
        route=old, values=values | kept, reason=reason, requested_by=actor, requested_at=now
    )
    _record("requested", change, actor=actor, reason=reason)
    return change


@transaction.atomic
def confirm(*, change_id: int, actor: str, reason: str, now: datetime) -> RouteChange:
    """A person stands behind what the declaration requests. Raises ChangeDecided."""
    change = _lock(change_id)
    if change.requested_by != DECLARATION:
        raise ChangeDecided
    change.requested_by = actor
    change.save(update_fields=["requested_by"])
    _record("confirmed", change, actor=actor, reason=reason)
    return change


@transaction.atomic
def approve(*, change_id: int, actor: str, reason: str, now: datetime) -> RouteChange:
    """Raises ChangeDecided, NotConfirmed, ChangeImpossible, and NotAllowed for who requested it."""
    change = _lock(change_id)
    if change.requested_by == DECLARATION:
        raise NotConfirmed
    four_eyes.check(actor=actor, asked_by=change.requested_by)
    route = _apply(change)
    decided = {"route": route, "decided_by": actor, "decided_at": now}
    states.move(change, Status.APPROVED, now=now, actor=actor, reason=reason, **decided)
    _record("approved", change, actor=actor, reason=reason)
    return change


@transaction.atomic
def reject(*, change_id: int, actor: str, reason: str, now: datetime) -> RouteChange:
    """Also for the person who requested it. Raises ChangeDecided."""
    change = _lock(change_id)
    decided = {"decided_by": actor, "decided_at": now}
    states.move(change, Status.REJECTED, now=now, actor=actor, reason=reason, **decided)
    _record("rejected", change, actor=actor, reason=reason)
    return change


def warnings(change: RouteChange) -> list[object]:
    """Whether one person may be behind the request and its approval."""
    rows = AuditEntry.objects.filter(action="rail_route.change_approved", details__change=change.pk)
    done = rows.filter(subject_id=str(change.route_id)).last()
    return [] if done is None else four_eyes.warnings_of(done, {change.requested_by})


def _apply(change: RouteChange) -> Route:
    route = change.route or Route()
    for name in _KEPT:
        setattr(route, name, change.values[name])
    for name in AMOUNTS:
        setattr(route, name, _amount(change.values[name]))
    try:
        route.full_clean()
    except ValidationError as error:
        raise ChangeImpossible(values={"problem": _problems(error)}) from error
    route.save()
    return route


def _problems(error: ValidationError) -> str:
    """Each with the name of its field, because a change has no form with the fields of a route."""
    names = {field.name: field.verbose_name for field in Route._meta.concrete_fields}
    return " ".join(
        f"{names[field]}: {text}" if field in names else text
        for field, texts in error.message_dict.items()
        for text in texts
    )


def _lock(change_id: int) -> RouteChange:
    change = RouteChange.objects.select_for_update(of=("self",)).get(pk=change_id)
    if change.status != Status.REQUESTED:
        raise ChangeDecided
    return change


def _record(verb: str, change: RouteChange, *, actor: str, reason: str) -> None:
    audit.record(
        actor=actor,
        action=f"rail_route.change_{verb}",
        subject=change.route or change,
        reason=reason,
        change=change.pk,
        requested_by=change.requested_by,
        **texts(change.values),
    )


def _text(amount: Decimal | None) -> str | None:
    return None if amount is None else f"{amount.normalize():f}"


def _amount(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)
