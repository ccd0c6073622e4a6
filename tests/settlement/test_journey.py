"""From a payer's payment to the merchant's books, through the doors: API, clock, socket."""

import csv
import io
import json
import time
from typing import Any

import pytest

from merchants.models import Merchant
from payments.core import clock
from payments.settlement import days, tasks
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from tests.support.settlement_days import ONE_DAY, at
from tests.webhooks.receivers import Receiver
from tests.webhooks.verification import verify_contract
from webhooks import catalogue, dispatcher
from webhooks.catalogue import Sent

pytestmark = pytest.mark.django_db(transaction=True)
FIELDS = {
    *("id", "date", "timezone", "currency", "collected", "fee", "tax", "net", "refunded"),
    *("orderCount", "refundCount", "closedAt"),
}


@pytest.mark.parametrize("is_enabled", [True, False], ids=["enabled", "not enabled"])
def test_a_day_from_the_first_payment_to_the_statement(
    api: ApiClient,
    merchant: Merchant,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
    is_enabled: bool,
) -> None:
    settings.DOORBELL = False
    day = days.day_of(clock.now()) - 2 * ONE_DAY
    with Receiver() as receiver:
        others = [kind for kind in catalogue.kinds(Sent.IF_ENABLED) if kind.startswith("refund.")]
        merchant.webhook_url = receiver.url
        merchant.event_kinds = [*others, *["settlement.closed"] * is_enabled]
        merchant.save()
        monkeypatch.setattr(clock, "now", lambda: at(day))
        for amount in (50000, 25000):
            order = api.post("/collect", order_body(amount=amount)).body["data"]["id"]
            api.post(f"/sandbox/collect/{order}", {"status": "COMPLETED"})
        api.post("/collect", order_body())  # stays unpaid
        tasks.close_due()
        assert api.get("/settlements").body["data"] == []

        monkeypatch.undo()
        tasks.close_due()
        tasks.close_due()
        dispatcher.run()
        (row,) = api.get("/settlements").body["data"]
        figures = {name: row[name] for name in ("date", "collected", "fee", "net", "orderCount")}
        assert figures == {
            "date": day.isoformat(),
            "collected": 75038,  # 25 and 13 are our fees
            "fee": 38,
            "net": 75000,
            "orderCount": 2,
        }
        assert api.get("/balance").body["data"][0]["available"] == row["closingBalance"]
        file = api.get(f"/settlements/{row['id']}/statement.csv")
        text = b"".join(file.streaming_content).decode("utf-8-sig")
        lines = list(csv.DictReader(io.StringIO(text, newline="")))
        assert [line["balance"] for line in lines] == ["0", "50000", "75000", "75000"]

    for request in receiver.requests:
        now = time.time() * 1000
        assert verify_contract(request.headers, request.body, merchant.webhook_secret, int(now))
    bodies = [json.loads(request.body) for request in receiver.requests]
    kinds = sorted(body["event"] for body in bodies)
    assert kinds == ["payment.completed"] * 2 + ["settlement.closed"] * is_enabled
    for body in bodies:
        if body["event"] == "settlement.closed":
            assert body["data"] == {name: row[name] for name in FIELDS}
