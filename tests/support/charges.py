"""How tests of payments talk: create an order, start a charge, let the rail say something."""

from decimal import Decimal
from typing import Any

from django.conf import settings

from merchants.models import Method
from payments.collect.models import Charge, Order
from payments.collect.services.charges import charge_creation, charge_updates
from payments.core import clock
from payments.ledger import services as ledger
from payments.providers import ports
from payments.sandbox.services import DEFAULT_FIELDS
from payments.simulator import callbacks
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from webhooks.models import Event

FIELDS: dict[str, dict[str, str]] = {**DEFAULT_FIELDS, Method.CRYPTO: {"coin": "USDT"}}


def create(api: ApiClient, **changes: Any) -> Order:
    return Order.objects.get(pk=api.post("/collect", order_body(**changes)).body["data"]["id"])


def start(order: Order, method: str = "PSE", **fields: str) -> Charge:
    return charge_creation.start_charge(
        order=order,
        choice=charge_creation.PaymentChoice(
            method=method,
            payer=charge_creation.payer_of(order),
            fields={**FIELDS[method], **fields},
            return_url=order.collect_url,
        ),
        now=clock.now(),
    )


def say(charge: Charge, status: str, received: Any = 0, **changes: Any) -> None:
    update = _update(charge, status, received, **changes)
    charge_updates.apply_charge_update(provider=charge.provider, update=update, now=clock.now())


def tell(charge: Charge, status: str, received: Any = 0, **changes: Any) -> int:
    """The rail says it with its signature; the status that it is answered."""
    url = f"{settings.PUBLIC_URL}/callbacks/payin/{charge.provider}"
    return callbacks.send(_update(charge, status, received, **changes), url)


def _update(charge: Charge, status: str, received: Any, **changes: Any) -> ports.ChargeUpdate:
    return ports.ChargeUpdate(
        reference=charge.pk,
        provider_id=charge.provider_id,
        status=ports.ChargeStatus(status),
        received=Decimal(received),
        currency=changes.pop("currency", charge.currency),
        occurred_at=changes.pop("occurred_at", clock.now()),
        **changes,
    )


def status_of(order: Order) -> str:
    order.refresh_from_db()
    return order.status


def events_of(order: Order) -> list[str]:
    rows = Event.objects.filter(subject_id=order.pk).order_by("place__id")
    return list(rows.values_list("kind", flat=True))


def books_are_clean() -> bool:
    return not ledger.verify().problems
