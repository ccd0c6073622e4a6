"""Fixtures of the webhooks: receivers on real sockets, and the pump run to its end."""

import asyncio
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from merchants.models import Merchant
from payments.core import clock
from tests.factories import MerchantFactory
from tests.webhooks.receivers import Receiver
from webhooks import services
from webhooks.models import Event
from webhooks.pump import Pump, Summary

# A tenth of the promised sizes by default; `make faults` sets 1.
SCALE = float(os.environ.get("FAULTS_SCALE", "0.1"))


@pytest.fixture(autouse=True)
def _no_doorbell(settings: Any) -> None:
    """These tests run the pump themselves."""
    settings.DOORBELL = False


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """An honest one: 200 at once."""
    with Receiver() as running:
        yield running


def run_pump(**options: Any) -> Summary:
    """One run of the pump, to its end."""
    return asyncio.run(Pump(**options).run())


def merchant_at(url: str, **fields: Any) -> Merchant:
    """A merchant whose webhooks go to `url`."""
    return MerchantFactory(webhook_url=url, **fields)


def publish(merchant: Merchant, number: int = 1, **changes: Any) -> Event:
    """Publishes the `number`th payment of the merchant."""
    values: dict[str, Any] = {
        "merchant": merchant,
        "kind": "payment.completed",
        "subject_id": f"col_{number:026d}",
        "data": {"id": f"col_{number:026d}", "reference": f"PEDIDO-{number}", "amount": 50025},
        "now": clock.now(),
    }
    event = services.publish(**values | changes)
    assert event is not None
    return event


Publish = Callable[..., Event]
