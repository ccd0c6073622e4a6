"""The page of a payer who has paid already: what we know of it, and a query of the rail.

Reached from every page that does not show a payment, the failed and expired ones above all.
"""

import time
from dataclasses import dataclass
from datetime import datetime

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from payments.api import limits
from payments.collect.checkout import double_payment, view_models
from payments.collect.checkout.decorators import SeeOther, payer_page
from payments.collect.models import Charge, Order
from payments.collect.services.charges import direct_methods, reconciliation
from payments.collect.services.orders import lookup
from payments.core import clock

# The newest charges of an order: the payer is waiting.
CHARGES_SHOWN = 4
# No further query starts after so long, all charges together: a thread of the site is waiting.
QUERY_SECONDS = 5.0
_REMEMBERED_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class LastQuery:
    """When the rail was queried about an order, and whether it answered."""

    at: datetime
    answered: bool


@require_http_methods(["GET", "HEAD", "POST"])
@payer_page
def already_paid(request: HttpRequest, order: Order) -> HttpResponse:
    """What to do, what to send to whom, and what was found. A POST queries the rail."""
    if request.method == "POST":
        was_queried = _is_within_limit(request) and _query_charges(order, clock.now())
        return SeeOther(f"/pay/{order.token}/paid" + ("" if was_queried else "?asked=before"))
    if order.status == Order.Status.COMPLETED:
        return SeeOther(f"/pay/{order.token}")
    now = clock.now()
    page = view_models.build_context(
        "paid", order, now, "version", lookup.summarize_charges(order=order)
    )
    charges = _recent_charges(order)
    page |= {
        "charges": [(charge, direct_methods.get_label(charge)) for charge in charges],
        "is_open": any(charge.status in Charge.OPEN for charge in charges),
        "funds": view_models.arrived_funds(order),
        "last_query": _get_last_query(order),
        "was_queried_before": request.GET.get("asked") == "before",
        # Then the page does not have to be opened again.
        "is_over": order.is_final or order.expires_at <= now,
    }
    return render(request, "pay/paid.html", page)


def _is_within_limit(request: HttpRequest) -> bool:
    """Beyond the limit of an address the page is shown as it is: the schedule queries anyway."""
    try:
        limits.count(request, scope="already_paid", key=limits.counted_address(request))
    except limits.RateLimitExceeded:
        return False
    return True


def _query_charges(order: Order, now: datetime) -> bool:
    """Queries each charge, at most every few seconds, and keeps the result.

    Returns whether any was queried. One that there was no time for counts as not answered.
    """
    answered = []
    deadline = time.monotonic() + QUERY_SECONDS
    for charge in _recent_charges(order):
        if time.monotonic() >= deadline:
            answered.append(False)
            break
        if double_payment.claim_query(charge):
            answered.append(reconciliation.query_provider(charge=charge, now=now))
    if answered:
        last_query = (now, all(answered))
        limits.breaker.call(lambda: cache.set(_key(order), last_query, timeout=_REMEMBERED_SECONDS))
    return bool(answered)


def _recent_charges(order: Order) -> list[Charge]:
    """Without what an operator applied: the rail does not know that."""
    return list(order.charges.filter(origin=None).order_by("-created_at", "-id")[:CHARGES_SHOWN])


def _get_last_query(order: Order) -> LastQuery | None:
    found = limits.breaker.call(lambda: cache.get(_key(order)))
    return LastQuery(*found) if found else None


def _key(order: Order) -> str:
    return f"looked:{order.pk}"
