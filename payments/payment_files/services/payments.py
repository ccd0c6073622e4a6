"""The payments behind lines. They are rows of the products that send money."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.module_loading import import_string

from payments.core.ids import is_id
from payments.core.products import products
from payments.outgoing.engine import Engine
from payments.outgoing.errors import UnknownReference
from payments.outgoing.models import OutgoingPayment


def engine_of(reference: str) -> Engine[Any]:
    """Of the product whose references begin so. Raises UnknownReference."""
    for engine in _engines():
        if is_id(reference, engine.product.model.REFERENCE_PREFIX):
            return engine
    raise UnknownReference


def open_references(*, account: str, references: Sequence[str]) -> set[str]:
    """Those whose payments still wait for this account: no others may be paid."""
    found: set[str] = set()
    for engine in _engines():
        rows = engine.product.model._default_manager.filter(
            provider_reference__in=references,
            provider=account,
            status=OutgoingPayment.Status.PROCESSING,
        )
        found |= set(rows.values_list("provider_reference", flat=True))
    return found


def payment_of(reference: str) -> OutgoingPayment | None:
    try:
        found: OutgoingPayment = engine_of(reference).find(reference)
    except UnknownReference:
        return None
    return found


def _engines() -> Iterator[Engine[Any]]:
    return (import_string(product.engine) for product in products())
