"""Checks that the parts exist which a product declares (docs/recipes/product.md)."""

from collections.abc import Iterator, Sequence

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, register
from django.utils.module_loading import import_string

from payments.core.products import ProductDeclaration, products


@register()
def declared_products(
    app_configs: Sequence[AppConfig] | None, **kwargs: object
) -> list[CheckMessage]:
    """Runs in every environment, because a product with missing parts must not start."""
    return [
        Error(f"Product {product.name}: {text}", id=f"pasarela.E{number:03d}")
        for product in products()
        for number, text in _missing(product)
    ]


def _missing(product: ProductDeclaration) -> Iterator[tuple[int, str]]:
    # Imported late: system checks run before the models are loaded, and web servers without Celery.
    from celery import Task

    from config.metrics.queries import OUTGOING
    from merchants.models import SWITCHES
    from payments.api.reference.parts import Part

    if product.switch and product.switch not in SWITCHES:
        yield 90, f"add the switch {product.switch} to Merchant (merchants/models.py)."
    engine = import_string(product.engine)
    if engine.product.name != product.name:
        yield 91, f"its engine has the name {engine.product.name}. Both name the ledger entries."
    if not isinstance(import_string(product.scan_task), Task):
        yield 92, f"scan_task {product.scan_task} is no task. Decorate it with @shared_task."
    if product.name not in OUTGOING:
        yield 93, "no app declares its table (AppMetrics.outgoing), so /metrics leaves it out."
    if product.reference and not isinstance(import_string(product.reference), Part):
        yield 94, f"reference {product.reference} is no payments.api.reference.parts.Part."
