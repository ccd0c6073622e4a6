"""Orders, refunds and disputes in the words of a merchant."""

from collections.abc import Mapping

from merchants.models import Method
from payments.collect.models import Dispute, Order, Refund
from payments.console.subjects import SubjectFacts

_NAMES = ("reference", "customer_name", "selected_method")


def of_orders(ids: list[str]) -> Mapping[str, SubjectFacts]:
    rows = Order.objects.filter(pk__in=ids).values_list("pk", *_NAMES)
    return {pk: _facts(*values) for pk, *values in rows}


def of_refunds(ids: list[str]) -> Mapping[str, SubjectFacts]:
    return _of_their_orders(Refund, ids)


def of_disputes(ids: list[str]) -> Mapping[str, SubjectFacts]:
    return _of_their_orders(Dispute, ids)


def _of_their_orders(model: type[Refund | Dispute], ids: list[str]) -> Mapping[str, SubjectFacts]:
    names = (f"order__{name}" for name in _NAMES)
    rows = model._default_manager.filter(pk__in=ids).values_list("pk", *names)
    return {pk: _facts(*values) for pk, *values in rows}


def _facts(reference: str, customer: str, method: str | None) -> SubjectFacts:
    detail = str(dict(Method.choices).get(method or "", ""))
    return SubjectFacts(reference=reference, party=customer, detail=detail)
