"""What an order says of the tries to pay it."""

from dataclasses import dataclass
from typing import TypedDict, cast

from django.contrib.postgres.aggregates import JSONBAgg
from django.db.models import OuterRef, Subquery
from django.db.models.functions import JSONObject

from payments.collect.models import Charge, Order

# What queries call the charges that they read with the order.
KNOWN = "known_charges"
_COLUMNS = ("id", "status", "trace_code", "failure_reason")


class _Known(TypedDict):
    id: str
    status: str
    trace_code: str
    failure_reason: str


@dataclass(frozen=True, slots=True)
class ChargeFacts:
    """
    trace_code      the rail's, of the try that paid, or else of the last one; may be empty.
    failure_reason  why the last try brought no money, as a code. Empty once the order is paid.
    attempts        how many payments were begun.
    """

    trace_code: str = ""
    failure_reason: str = ""
    attempts: int = 0


def charges_of(order: str) -> Subquery:
    """All charges of an order by one look-up. `order` is the path of its id in the outer query."""
    each = JSONObject(**{name: name for name in _COLUMNS})
    rows = Charge.objects.filter(order=OuterRef(order)).order_by().values("order")
    return Subquery(rows.annotate(**{KNOWN: JSONBAgg(each)}).values(KNOWN))


_NONE = ChargeFacts()
_FACTS = "charge_facts"


def facts_of(order: Order) -> ChargeFacts:
    """Reads the charges, once, unless the query of the order has them."""
    known: ChargeFacts | None = vars(order).get(_FACTS)
    if known is None:
        known = vars(order)[_FACTS] = _facts(order)
    return known


def _facts(order: Order) -> ChargeFacts:
    if KNOWN not in vars(order):
        vars(order)[KNOWN] = [*order.charges.values(*_COLUMNS)]
    known = cast(list[_Known], vars(order)[KNOWN] or [])
    if not known:
        return _NONE
    tries = sorted(known, key=lambda one: one["id"])
    paid = [one for one in tries if one["id"] == order.settled_by_id]
    # Orders of earlier releases do not name the charge that completed them.
    paid = paid or [one for one in tries if one["status"] == Charge.Status.SUCCEEDED]
    told = (paid or tries)[-1]
    reason = "" if paid else Charge.public_reason(told["failure_reason"])
    return ChargeFacts(told["trace_code"], reason, len(tries))
