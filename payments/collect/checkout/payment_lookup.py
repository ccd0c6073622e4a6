"""For a payer who says "I have paid already": what we know of it, and a way to ask the rail.

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

# The newest tries of an order; more are hardly made, and somebody is waiting for the answer.
TRIES = 4
# No further question is begun after so long, all tries together: a thread of the site is waiting.
ASK_SECONDS = 5.0
_REMEMBERED_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Look:
    """When the rail was asked about an order, and whether it answered."""

    at: datetime
    answered: bool


@require_http_methods(["GET", "HEAD", "POST"])
@payer_page
def already_paid(request: HttpRequest, order: Order) -> HttpResponse:
    """What to do, what to send to whom, and what was found. A POST asks the rail."""
    if request.method == "POST":
        was_asked = _may_ask(request) and _ask(order, clock.now())
        return SeeOther(f"/pay/{order.token}/paid" + ("" if was_asked else "?asked=before"))
    if order.status == Order.Status.COMPLETED:
        return SeeOther(f"/pay/{order.token}")
    now = clock.now()
    page = view_models.context("paid", order, now, "version", lookup.tally_of(order=order))
    tries = _tries(order)
    page |= {
        "tries": [(charge, direct_methods.label_of(charge)) for charge in tries],
        "is_open": any(charge.status in Charge.OPEN for charge in tries),
        "funds": view_models.arrived_funds(order),
        "look": _last_look(order),
        "was_asked_before": request.GET.get("asked") == "before",
        # Then the reader does not have to come back by themselves.
        "is_over": order.is_final or order.expires_at <= now,
    }
    return render(request, "pay/paid.html", page)


def _may_ask(request: HttpRequest) -> bool:
    """Beyond the limit of an address the page is shown as it is: the schedule asks anyway."""
    try:
        limits.count(request, scope="already_paid", key=limits.counted_address(request))
    except limits.RateLimitExceeded:
        return False
    return True


def _ask(order: Order, now: datetime) -> bool:
    """Asks about each try, at most every few seconds, and remembers what came of it.

    Returns whether any was asked about.

    Whatever there was no time to ask about counts as not answered.
    """
    asked = []
    deadline = time.monotonic() + ASK_SECONDS
    for charge in _tries(order):
        if time.monotonic() >= deadline:
            asked.append(False)
            break
        if double_payment.may_ask(charge):
            asked.append(reconciliation.ask_provider(charge=charge, now=now))
    if asked:
        look = (now, all(asked))
        limits.breaker.call(lambda: cache.set(_key(order), look, timeout=_REMEMBERED_SECONDS))
    return bool(asked)


def _tries(order: Order) -> list[Charge]:
    """What somebody may have paid to. Not what an operator applied: the rail does not know it."""
    return list(order.charges.filter(origin=None).order_by("-created_at", "-id")[:TRIES])


def _last_look(order: Order) -> Look | None:
    found = limits.breaker.call(lambda: cache.get(_key(order)))
    return Look(*found) if found else None


def _key(order: Order) -> str:
    return f"looked:{order.pk}"
