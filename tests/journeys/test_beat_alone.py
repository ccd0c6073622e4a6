"""With every wake-up lost, what beat sends brings all work to its end (F7)."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings

from config.celery import app
from merchants.models import Merchant
from payments.collect.models import Order
from payments.core import clock
from tests.support import outgoing_requests
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.outgoing_products import KINDS, MOST
from tests.webhooks.receivers import Receiver
from webhooks.models import Delivery

# At once, when doubts are asked about, when the order has expired, when its event is sent.
MINUTES = (0, 1, 6, 7)


def beat_sends_everything() -> None:
    """Every task that is scheduled, as a worker would run it."""
    app.loader.import_default_modules()
    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        app.tasks[entry["task"]](*entry.get("args", ()))


@pytest.mark.django_db(transaction=True)
def test_scanners_do_all_work_without_wake_up_messages(
    api: ApiClient, merchant: Merchant, settings: Any
) -> None:
    outgoing_requests.quiet(settings)
    fund(merchant, 2 * MOST * len(KINDS))
    for kind in KINDS:
        outgoing_requests.ask(api, "clean", kind=kind)
        outgoing_requests.ask(api, "answer-lost-after", kind=kind)
    order = api.post("/collect", order_body(expirationMinutes=5)).body["data"]["id"]
    start = clock.now()

    with Receiver() as receiver:
        Merchant.objects.filter(pk=merchant.pk).update(
            webhook_url=receiver.url, event_kinds=["payment.expired"]
        )
        for minute in MINUTES:
            with time_machine.travel(start + timedelta(minutes=minute)):
                beat_sends_everything()
        arrived = len(receiver.requests)

    print(
        f"after {MINUTES[-1]} minutes of beat: {len(outgoing_requests.unsettled())} open,"
        f" {arrived} event"
    )
    assert not outgoing_requests.unsettled()
    assert {row.status for kind in KINDS for row in kind.model.objects.all()} == {"COMPLETED"}
    assert Order.objects.get(pk=order).status == "EXPIRED"
    assert arrived == 1
    assert Delivery.objects.get().status == "DELIVERED"
