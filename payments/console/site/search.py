"""The search of the console: by id, reference, document, phone, e-mail, trace code.

Each look-up uses one index of one table and the queryset of its admin page, so users find only
records that they may open.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

import structlog
from django.apps import apps
from django.db.models import Model, Q
from django.http import HttpRequest
from django.utils.safestring import SafeString

from payments.console import masking, own_search, tenancy
from payments.console.formatting import actor, admin_url, amount, badge, known_as
from payments.console.money_admin import MoneyAdmin
from payments.console.registry import TERM_MIN, Condition, declared
from payments.console.state_words import state_word
from payments.core import ids

log = structlog.get_logger(__name__)
HITS_MAX = 20
CANDIDATES_MAX = 500
TERM_MAX = 120


@dataclass(frozen=True, slots=True)
class Lookup:
    """`is_exact`: a single match is the record that the user meant."""

    model: type[Model]
    condition: Q | Condition
    is_exact: bool = True


@dataclass(frozen=True, slots=True)
class Hit:
    """`id` is empty where it is the title. `state` is a label; `what` is the same facts as text."""

    kind: str
    title: str
    id: str
    merchant: str
    money: str
    state: str | SafeString
    what: str
    url: str
    at: datetime | None
    is_exact: bool
    who: str = ""
    why: str = ""
    plural: str = ""


def clean(text: str) -> str:
    """Removes NUL, which PostgreSQL refuses."""
    return text.replace("\x00", "").strip()[:TERM_MAX]


def find(request: HttpRequest, term: str) -> list[Hit]:
    """Newest first within each kind. Nothing for an empty term."""
    hits: dict[tuple[type[Model], object], Hit] = {}
    _add(hits, request, lookups(term), term)
    if not hits:
        _add(hits, request, _own_lookups(request, term), term)
    masked = masking.search(term)
    log.info("console.searched", actor=actor(request), term=masked, found=len(hits))
    return sorted(hits.values(), key=lambda hit: (hit.kind, -(hit.at.timestamp() if hit.at else 0)))


def _add(
    hits: dict[tuple[type[Model], object], Hit],
    request: HttpRequest,
    ways: Iterator[Lookup],
    term: str,
) -> None:
    for lookup in ways:
        if (page := tenancy.page_of(request, lookup.model)) is None:
            continue
        # Unordered: with an order the planner may walk the primary key instead.
        rows = page.get_queryset(request).order_by()
        keys = list(rows.filter(lookup.condition).values_list("pk", flat=True)[:CANDIDATES_MAX])
        # Ids sort by time, so the highest are the newest.
        newest = sorted(keys, reverse=True)[:HITS_MAX]
        for row in rows.filter(pk__in=newest) if newest else ():
            hits.setdefault((lookup.model, row.pk), _hit(row, lookup, page, term))


def _own_lookups(request: HttpRequest, term: str) -> Iterator[Lookup]:
    """Only if no index finds anything, because these read rows that do not fit."""
    for searched in (each for console in declared().values() for each in console.search):
        model = apps.get_model(searched.model)
        if tenancy.page_of(request, model) is None:
            continue
        if found := own_search.keys(request, model, term):
            yield Lookup(model, Q(pk__in=found), is_exact=False)


def single_exact_hit(hits: list[Hit]) -> Hit | None:
    return hits[0] if len(hits) == 1 and hits[0].is_exact else None


def lookups(term: str) -> Iterator[Lookup]:
    """The look-ups that fit the form of the term."""
    if not term:
        return
    prefix, underscore, rest = term.partition("_")
    for searched in (each for console in declared().values() for each in console.search):
        model = apps.get_model(searched.model)
        if underscore and prefix.lower() == searched.prefix:
            yield from _by_id(model, f"{prefix.lower()}_{rest.lower()}", len(rest))
        if underscore and prefix == getattr(model, "REFERENCE_PREFIX", None):
            yield Lookup(model, Q(provider_reference=term))
        for condition in searched.conditions:
            if (found := condition(term)) is not None:
                yield Lookup(model, found)
        if searched.vague is not None and (found := searched.vague(term)) is not None:
            yield Lookup(model, found, is_exact=False)


def _by_id(model: type[Model], term: str, length: int) -> Iterator[Lookup]:
    if ids.is_id(term, term.partition("_")[0]):
        yield Lookup(model, Q(pk=term))
    elif length >= TERM_MIN:
        # A range, because a prepared statement cannot use the index for LIKE.
        yield Lookup(model, Q(pk__gte=term, pk__lt=term + "{"), is_exact=False)


def _hit(row: Any, lookup: Lookup, page: Any, term: str) -> Hit:
    merchant = str(found) if (found := _merchant(row)) is not None else ""
    state = str(state_word(row)) if hasattr(row, "get_status_display") else ""
    own = known_as(row)
    money = _money(row)
    facts = [merchant, money, state, "" if own else _kind(row)]
    return Hit(
        kind=str(row._meta.verbose_name),
        title=str(own or row.pk),
        id=str(row.pk) if own else "",
        merchant=merchant,
        money=money,
        state=_state(row, page) if state else _kind(row),
        what=" · ".join(fact for fact in facts if fact),
        url=admin_url(row) or "",
        at=getattr(row, "created_at", None) or getattr(row, "opened_at", None),
        is_exact=lookup.is_exact,
        who=str(getattr(row, "customer_name", "") or getattr(row, "recipient_name", "") or ""),
        why=_matched(row, term),
        plural=str(row._meta.verbose_name_plural),
    )


def _matched(row: Any, term: str) -> str:
    """The name of the field that is the term. Empty for an id, which the row shows."""
    wanted = _plain(term)
    for field in row._meta.concrete_fields:
        if field.primary_key or field.attname in row.get_deferred_fields():
            continue
        value = getattr(row, field.attname)
        if isinstance(value, str) and value and _plain(value) == wanted:
            return str(field.verbose_name)
    return ""


def _plain(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _state(row: Any, page: Any) -> str | SafeString:
    """In the colour that its list has."""
    if isinstance(page, MoneyAdmin):
        return cast(str, page.status_label(row))
    return badge(state_word(row), "default")


def _kind(row: Any) -> str:
    """Its name, not its code."""
    shown = getattr(row, "get_kind_display", None)
    return str(shown() if shown is not None else getattr(row, "kind", "") or "")


def _merchant(row: Model) -> Model | None:
    """The merchant of the row. None if the queryset of the admin page did not join it."""
    for owner in (row, row._state.fields_cache.get("order")):
        cached = owner._state.fields_cache.get("merchant") if owner is not None else None
        if cached is not None:
            found: Model = cached
            return found
    return None


def _money(row: Any) -> str:
    if not hasattr(row, "amount"):
        return ""
    currency = getattr(row, "paid_in", None) or row.currency
    return amount(row.amount, "COP" if currency == "COPM" else currency)
