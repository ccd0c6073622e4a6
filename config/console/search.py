"""The search of the console: by id, reference, document, phone, e-mail, trace code.

Each look-up uses one index of one table and the queryset of its admin page, so users find only
records that they may open.
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
HITS_MAX = 20
CANDIDATES_MAX = 500
TERM_MAX = 120
# A shorter prefix of an id matches too many.
PREFIX_MIN = 4
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
class Lookup:
    """`is_exact`: a single hit is what the user meant."""

    model: type[Model]
    narrow: Callable[[Rows], Rows]
    is_exact: bool = True


@dataclass(frozen=True, slots=True)
class Hit:
    kind: str
    title: str
    what: str
    url: str
    at: datetime | None
    is_exact: bool


def clean(text: str) -> str:
    """Without NUL, which PostgreSQL refuses."""
    return text.replace("\x00", "").strip()[:TERM_MAX]


def find(request: HttpRequest, term: str) -> list[Hit]:
    """Newest first within each kind. Nothing for an empty term."""
    hits: dict[tuple[type[Model], Any], Hit] = {}
    for lookup in lookups(term):
        page = admin.site._registry.get(lookup.model)
        if page is None or not page.has_view_permission(request):
            continue
        # Unordered: with an order the planner may walk the primary key instead.
        rows = page.get_queryset(request).order_by()
        keys = list(lookup.narrow(rows).values_list("pk", flat=True)[:CANDIDATES_MAX])
        # Ids sort by time: the newest.
        newest = sorted(keys, reverse=True)[:HITS_MAX]
        for row in rows.filter(pk__in=newest) if newest else ():
            hits.setdefault((lookup.model, row.pk), _hit(row, lookup))
    masked = masking.search(term)
    log.info("console.searched", actor=actor(request), term=masked, found=len(hits))
    return sorted(hits.values(), key=lambda hit: (hit.kind, -(hit.at.timestamp() if hit.at else 0)))


def single_exact_hit(hits: list[Hit]) -> Hit | None:
    return hits[0] if len(hits) == 1 and hits[0].is_exact else None


def lookups(term: str) -> Iterator[Lookup]:
    """Those that fit the form of the term."""
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


def _by_id(model: type[Model], term: str, length: int) -> Iterator[Lookup]:
    if ids.is_id(term, term.partition("_")[0]):
        yield _equal(model, pk=term)
    elif length >= PREFIX_MIN:
        # A range: a prepared statement cannot use the index for LIKE.
        prefix = Q(pk__gte=term, pk__lt=term + "{")
        yield Lookup(model, lambda rows: rows.filter(prefix), is_exact=False)


def _by_rail(term: str) -> Iterator[Lookup]:
    """By trace codes, and by ids and references of rails."""
    yield _equal(Charge, trace_code=term)
    yield _equal(UnmatchedFunds, trace_code=term)
    yield _equal(Dispute, provider_reference=term)
    yield _equal(Charge, provider_id=term)
    for model in OUTGOING:
        yield _equal(model, provider_id=term)


def _by_person(term: str) -> Iterator[Lookup]:
    """By what identifies payers, beneficiaries and merchants."""
    if "@" in term:
        email = term.lower()
        yield Lookup(
            Order, lambda rows: rows.alias(mail=Lower("customer_email")).filter(mail=email)
        )
        # Merchants are few: the whole table is read.
        yield _equal(Merchant, email__iexact=term)
    elif len(term) >= PREFIX_MIN:
        yield Lookup(Merchant, lambda rows: rows.filter(name__icontains=term), is_exact=False)
    phone = colombian_phone(term)
    if phone is not None:
        yield _equal(TopUp, phone=phone)
    keys = {term, *([phone, f"+57{phone}", f"57{phone}"] if phone else ())}
    yield _equal(Payout, key_value__in=sorted(keys))
    if len(document := normalised_document(term)) >= PREFIX_MIN and "@" not in term:
        yield _equal(Order, customer_document=document)
        yield _equal(Payout, recipient_document=document)
        yield _equal(BillPayment, bill_key=document)


def _equal(model: type[Model], **condition: object) -> Lookup:
    # Partial indexes exclude empty values: without this condition they are not used.
    present = Q(*(~Q(**{name.partition("__")[0]: ""}) for name in condition if name in _PARTIAL))
    return Lookup(model, lambda rows: rows.filter(present, **condition))


_PARTIAL = frozenset({"provider_id", "trace_code", "key_value__in"})


def _hit(row: Any, lookup: Lookup) -> Hit:
    facts = [
        str(merchant) if (merchant := _merchant(row)) is not None else "",
        _money(row),
        str(row.get_status_display()) if hasattr(row, "get_status_display") else "",
        str(getattr(row, "reference", "") or getattr(row, "kind", "") or ""),
    ]
    return Hit(
        kind=str(row._meta.verbose_name),
        title=str(row) if lookup.model is Merchant else str(row.pk),
        what=" · ".join(fact for fact in facts if fact),
        url=admin_url(row) or "",
        at=getattr(row, "created_at", None) or getattr(row, "opened_at", None),
        is_exact=lookup.is_exact,
    )


def _merchant(row: Any) -> Any:
    """If the queryset of the admin page joined it."""
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
