"""One search over everything: by id, reference, document, phone, e-mail, trace code.

Each way is one look-up along one index of one table, through the page of that table: so nobody
finds what they may not open, and people of merchants find what is their merchants'.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from django.contrib import admin
from django.db.models import Model, Q, QuerySet
from django.db.models.functions import Lower
from django.http import HttpRequest

from merchants.models import ApiKey, Merchant
from payments.bills.models import BillPayment
from payments.collect.models import Charge, Dispute, Order, Refund, UnmatchedFunds
from payments.console import masking
from payments.console.formatting import actor, admin_url, amount
from payments.core import ids
from payments.core.text import colombian_phone, normalised_document
from payments.ledger.models import Entry
from payments.outgoing.models import OutgoingPayment
from payments.payout.models import Payout
from payments.settlement.models import Settlement
from payments.topup.models import TopUp
from webhooks.models import Delivery, Event

log = structlog.get_logger(__name__)
FOUND_MAX = 20
LOOKED_AT_MAX = 500
TERM_MAX = 120
# A shorter beginning of an id fits too many.
BEGINNING_MIN = 4
BY_PREFIX: dict[str, type[Model]] = {
    "col": Order,
    "chg": Charge,
    "ref": Refund,
    "dis": Dispute,
    "unm": UnmatchedFunds,
    "po": Payout,
    "top": TopUp,
    "bil": BillPayment,
    "mer": Merchant,
    "key": ApiKey,
    "evt": Event,
    "del": Delivery,
    "ent": Entry,
    "stl": Settlement,
}
OUTGOING: tuple[type[OutgoingPayment], ...] = (Refund, Payout, TopUp, BillPayment)
BY_REFERENCE = {model.REFERENCE_PREFIX: model for model in OUTGOING}

Rows = QuerySet[Any]


@dataclass(frozen=True, slots=True)
class Way:
    """One look-up: in which table, how, and whether one hit answers the question."""

    model: type[Model]
    narrow: Callable[[Rows], Rows]
    is_exact: bool = True


@dataclass(frozen=True, slots=True)
class Hit:
    """A record that was found, as the page of results shows it."""

    kind: str
    title: str
    what: str
    url: str
    at: datetime | None
    is_exact: bool


def clean(text: str) -> str:
    """What a person typed, without what no column can hold."""
    return text.replace("\x00", "").strip()[:TERM_MAX]


def find(request: HttpRequest, term: str) -> list[Hit]:
    """What the term finds, newest first within each kind. Nothing for an empty term."""
    hits: dict[tuple[type[Model], Any], Hit] = {}
    for way in ways(term):
        page = admin.site._registry.get(way.model)
        if page is None or not page.has_view_permission(request):
            continue
        # Unordered: an order would tempt the planner to walk the primary key instead.
        rows = page.get_queryset(request).order_by()
        keys = list(way.narrow(rows).values_list("pk", flat=True)[:LOOKED_AT_MAX])
        # Ids sort by time: the newest.
        newest = sorted(keys, reverse=True)[:FOUND_MAX]
        for row in rows.filter(pk__in=newest) if newest else ():
            hits.setdefault((way.model, row.pk), _hit(row, way))
    shown = masking.search(term)
    log.info("console.searched", actor=actor(request), term=shown, found=len(hits))
    return sorted(hits.values(), key=lambda hit: (hit.kind, -(hit.at.timestamp() if hit.at else 0)))


def only(hits: list[Hit]) -> Hit | None:
    """The one record that was meant, if there is no doubt about it."""
    return hits[0] if len(hits) == 1 and hits[0].is_exact else None


def ways(term: str) -> Iterator[Way]:
    """All look-ups that the look of the term allows."""
    if not term:
        return
    prefix, underscore, rest = term.partition("_")
    if underscore and (model := BY_PREFIX.get(prefix.lower())) is not None:
        yield from _by_id(model, f"{prefix.lower()}_{rest.lower()}", len(rest))
    if underscore and prefix in BY_REFERENCE:
        yield _equal(BY_REFERENCE[prefix], provider_reference=term)
    yield _equal(ApiKey, public_key=term)
    yield _equal(Order, reference=term)
    yield from _by_rail(term)
    yield from _by_person(term)


def _by_id(model: type[Model], term: str, length: int) -> Iterator[Way]:
    if ids.is_id(term, term.partition("_")[0]):
        yield _equal(model, pk=term)
    elif length >= BEGINNING_MIN:
        # A range: a prepared statement has no index for LIKE.
        beginning = Q(pk__gte=term, pk__lt=term + "{")
        yield Way(model, lambda rows: rows.filter(beginning), is_exact=False)


def _by_rail(term: str) -> Iterator[Way]:
    """By what rails call things: trace codes, their ids, their references."""
    yield _equal(Charge, trace_code=term)
    yield _equal(UnmatchedFunds, trace_code=term)
    yield _equal(Dispute, provider_reference=term)
    yield _equal(Charge, provider_id=term)
    for model in OUTGOING:
        yield _equal(model, provider_id=term)


def _by_person(term: str) -> Iterator[Way]:
    """By what identifies payers, beneficiaries and accounts."""
    if "@" in term:
        email = term.lower()
        yield Way(Order, lambda rows: rows.alias(mail=Lower("customer_email")).filter(mail=email))
        # Accounts are few: their table is read.
        yield _equal(Merchant, email__iexact=term)
    elif len(term) >= BEGINNING_MIN:
        yield Way(Merchant, lambda rows: rows.filter(name__icontains=term), is_exact=False)
    phone = colombian_phone(term)
    if phone is not None:
        yield _equal(TopUp, phone=phone)
    keys = {term, *([phone, f"+57{phone}", f"57{phone}"] if phone else ())}
    yield _equal(Payout, key_value__in=sorted(keys))
    if len(document := normalised_document(term)) >= BEGINNING_MIN and "@" not in term:
        yield _equal(Order, customer_document=document)
        yield _equal(Payout, recipient_document=document)
        yield _equal(BillPayment, bill_key=document)


def _equal(model: type[Model], **lookup: Any) -> Way:
    # What is empty in most rows has an index without those: it must be ruled out to be used.
    present = Q(*(~Q(**{name.partition("__")[0]: ""}) for name in lookup if name in _PARTIAL))
    return Way(model, lambda rows: rows.filter(present, **lookup))


_PARTIAL = frozenset({"provider_id", "trace_code", "key_value__in"})


def _hit(row: Any, way: Way) -> Hit:
    facts = [
        str(merchant) if (merchant := _merchant(row)) is not None else "",
        _money(row),
        str(row.get_status_display()) if hasattr(row, "get_status_display") else "",
        str(getattr(row, "reference", "") or getattr(row, "kind", "") or ""),
    ]
    return Hit(
        kind=str(row._meta.verbose_name),
        title=str(row) if way.model is Merchant else str(row.pk),
        what=" · ".join(fact for fact in facts if fact),
        url=admin_url(row) or "",
        at=getattr(row, "created_at", None) or getattr(row, "opened_at", None),
        is_exact=way.is_exact,
    )


def _merchant(row: Any) -> Any:
    """Whose it is, where the page's own query brought it along."""
    for owner in (row, row._state.fields_cache.get("order")):
        cached = owner._state.fields_cache.get("merchant") if owner is not None else None
        if cached is not None:
            return cached
    return None


def _money(row: Any) -> str:
    if not hasattr(row, "amount"):
        return ""
    currency = getattr(row, "paid_in", None) or row.currency
    return amount(row.amount, "COP" if currency == "COPM" else currency)
