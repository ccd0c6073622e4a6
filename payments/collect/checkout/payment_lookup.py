"""The page for a payer who has paid already: what we know of the payment, and a query of the rail.

Every page without a payment links to it, mostly the pages of failed and expired orders.
"""

import time
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from payments.api import limits
from payments.collect.checkout import coin_pages, double_payment, screen_details, view_models
from payments.collect.checkout.decorators import SeeOther, payer_page
from payments.collect.models import Charge, Order
from payments.collect.services.charges import reconciliation
from payments.collect.services.orders import charge_method, lookup
from payments.core import clock

# Only the newest charges: the payer is waiting.
CHARGES_SHOWN = 4
# The time for the queries of all charges. The queries block a web thread.
QUERY_SECONDS = 5.0
_REMEMBERED_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class LastQuery:
    """When the rail was last queried about an order, and whether it responded."""

    at: datetime
    answered: bool


@require_http_methods(["GET", "HEAD", "POST"])
@payer_page
def already_paid(request: HttpRequest, order: Order) -> HttpResponse:
    """Shows what we know of the payment, and what the payer can do. A POST queries the rail."""
    if request.method == "POST":
        was_queried = _is_within_limit(request) and _query_charges(order, clock.now())
        return SeeOther(f"/pay/{order.token}/paid" + ("" if was_queried else "?asked=before"))
    if order.status == Order.Status.COMPLETED:
        return SeeOther(f"/pay/{order.token}")
    now = clock.now()
    summary = lookup.summarize_charges(order=order)
    page = view_models.build_context("paid", order, now, "version", summary)
    charges = _recent_charges(order)
    open_charges = _open(charges)
    last_query = _get_last_query(order)
    # True if the payer should no longer wait for the payment.
    is_over = order.is_final or order.expires_at <= now
    on_its_way = coin_pages.find_on_its_way(order, open_charges, summary.missing, now)
    # A bank has a debit as soon as it is started. Of other methods only seen money is under way.
    is_debit = bool(open_charges) and open_charges[0].is_debit
    page |= {
        "charges": [(charge, charge_method.name_of(charge)) for charge in charges],
        "is_open": bool(open_charges),
        "open_charge": open_charges[0] if open_charges else None,
        "is_waiting": bool(open_charges) and summary.missing == order.amount,
        "is_under_way": not is_over and (is_debit or on_its_way is not None),
        "on_its_way": on_its_way,
        "funds": screen_details.arrived_funds(order),
        "last_query": last_query,
        "query_again_seconds": _query_again_seconds(last_query, now),
        "was_queried_before": request.GET.get("asked") == "before",
        "is_over": is_over,
    }
    return render(request, "pay/paid.html", page)


def _open(charges: list[Charge]) -> list[Charge]:
    return [one for one in charges if one.status in Charge.OPEN]


def _is_within_limit(request: HttpRequest) -> bool:
    """Counts this request. Returns False when its address has made too many.

    Then this request does not query the rail. The periodic queries continue.
    """
    try:
        limits.count(request, scope="already_paid", key=limits.counted_address(request))
    except limits.RateLimitExceeded:
        return False
    return True


def _query_charges(order: Order, now: datetime) -> bool:
    """Queries each charge, at most every few seconds, and keeps the result.

    Returns whether it queried. If there was no time for a charge, the result says that the rail
    did not respond.
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
    """Leaves out charges for applied money. The rail does not know them."""
    return list(order.charges.filter(origin=None).order_by("-created_at", "-id")[:CHARGES_SHOWN])


def _get_last_query(order: Order) -> LastQuery | None:
    found = limits.breaker.call(lambda: cache.get(_key(order)))
    return LastQuery(*found) if found else None


def _query_again_seconds(last_query: LastQuery | None, now: datetime) -> int:
    """For how long the next query would find the result of the last one."""
    if last_query is None:
        return 0
    until = last_query.at + timedelta(seconds=double_payment.QUERY_INTERVAL_SECONDS)
    return view_models.seconds(until, now)


def _key(order: Order) -> str:
    return f"looked:{order.pk}"
