"""Makes an event happen in the sandbox, by the requests that a developer could send, too."""

import argparse
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from .. import _json
from .._client import Pasarela
from ..codes import NotAllowed
from ..errors import PasarelaError
from ..models import EVENT_KINDS

PLAY_MONEY = 1_000_000
# Documents, phones and bills with which the simulated rail behaves as needed (docs/simulator.md).
WAITING_PAYEE = "9999001014"
PHONES = {
    "completed": "3990001001",
    "failed": "3990001002",
    "refunded": "3990001008",
    "processing": "3990001009",
}
BILLS = {
    "completed": "9999003001",
    "failed": "9999003002",
    "refunded": "9999003008",
    "processing": "9999003009",
}
TEST = "webhook.test"
BY_PEOPLE = {
    "link.paid": "Make a link (POST /links), open its address and pay.",
    "batch.paused": "A person pauses the batch in the console.",
    "batch.cancelled": "A person cancels the batch in the console.",
    "batch.rejected": "An approver rejects the batch in the console.",
}


@dataclass
class Play:
    """One event to make happen. `until` waits for what ends by itself."""

    client: Pasarela
    seconds: float

    def until(self, read: Callable[[], Any], *wanted: str) -> Any:
        ends_at = time.monotonic() + self.seconds
        while (found := read())["status"] not in wanted:
            if time.monotonic() > ends_at:
                raise PasarelaError(f"It is still {found['status']}.")
            time.sleep(0.5)
        return found

    def allowed(self, request: Callable[[], Any]) -> Any:
        """While the service is just sending the payment, its outcome cannot be chosen."""
        for _attempt in range(10):
            try:
                return request()
            except NotAllowed:
                time.sleep(0.5)
        return request()

    def order(self) -> Any:
        return self.client.orders.create(
            reference=f"trigger-{uuid.uuid4().hex[:12]}",
            amount=50000,
            customerName="María Ñáñez",
            customerEmail="maria@example.com",
            customerDocType="CC",
            customerDocNumber="1020304050",
            description="pasarela trigger",
        )

    def ended_order(self, status: Any) -> Any:
        return self.client.sandbox.order(self.order()["id"], status=status)


def run(client: Pasarela, given: argparse.Namespace) -> int:
    if given.list or not given.event:
        for kind in EVENT_KINDS:
            text = BY_PEOPLE.get(kind) or "yes"
            print(_json.dumps({"event": kind, "by": text}) if given.json else f"{kind:28} {text}")
        return 0
    if (story := STORIES.get(given.event)) is None:
        text = BY_PEOPLE.get(given.event, "This version of pasarela does not know how.")
        raise PasarelaError(f"{given.event} cannot be triggered over the API. {text}")
    record = story(Play(client, given.wait))
    if given.json:
        print(_json.dumps({"event": given.event, "record": record}))
    else:
        name = record.get("id") or record.get("payoutId") or record.get("batchId")
        state = f" is {record['status']}" if "status" in record else ""
        print(f"{given.event}: {name}{state}")
        kinds = [kind for each in client.webhook_endpoints.all() for kind in each["events"]]
        if given.event not in [*kinds, TEST]:
            print("No webhook endpoint of the account gets this kind of event: nothing is sent.")
    return 0


def cancelled(play: Play) -> Any:
    return play.client.orders.cancel(play.order()["id"])


def disputed(play: Play, *, kind: Any) -> Any:
    order = play.ended_order("COMPLETED")
    return play.client.sandbox.open_dispute(order["id"], kind=kind)


def refunded(play: Play, *, outcome: str | None, amount: int | None = None) -> Any:
    """Of all: the fee goes back, too, so the account needs more than the order brought."""
    client = play.client
    client.sandbox.credit(PLAY_MONEY)
    order = play.ended_order("COMPLETED")
    wanted: Any = {"reason": "pasarela trigger"} | ({"amount": amount} if amount else {})
    refund = client.refunds.create(order["id"], **wanted)
    if outcome is None:
        return refund
    if outcome == "COMPLETED":  # the simulated rail does it, once it is approved
        client.sandbox.refund(refund["id"], "APPROVED")
        return play.until(lambda: client.refunds.get(order["id"], refund["id"]), outcome)
    return client.sandbox.refund(refund["id"], outcome)


def payout(play: Play, *, outcome: str) -> Any:
    client = play.client
    client.sandbox.credit(PLAY_MONEY)
    made = client.payouts.create(**_payee(), description="pasarela trigger")
    if outcome == "PROCESSING":
        return play.until(lambda: client.payouts.get(made["payoutId"]), outcome)
    return play.allowed(lambda: client.sandbox.payout(made["payoutId"], outcome))


def batch(play: Play, *, outcome: str) -> Any:
    client = play.client
    client.sandbox.credit(PLAY_MONEY)
    made = client.payout_batches.create(name="pasarela trigger", lines=[_payee()])
    return play.until(lambda: client.payout_batches.get(made["batchId"]), outcome, "DONE")


def topup(play: Play, *, status: str) -> Any:
    client = play.client
    client.sandbox.credit(PLAY_MONEY)
    operator = client.topups.operators()[0]["code"]
    made = client.topups.create(phone=PHONES[status], operatorCode=operator, amountCop=5000)
    if status == "processing":
        return made
    return play.until(lambda: client.topups.get(made["id"]), status)


def bill(play: Play, *, status: str) -> Any:
    client = play.client
    client.sandbox.credit(PLAY_MONEY)
    agreement = client.bills.agreements()["items"][0]["agreementId"]
    reference = f"{BILLS[status]}-{uuid.uuid4().int % 10**8}"
    owed = client.bills.check(agreement, reference)["products"][0]
    made = client.bills.pay(
        agreementId=agreement, reference=reference, amountCop=int(owed["amount"])
    )
    if status == "processing":
        return made
    return play.until(lambda: client.bills.get(made["id"]), status)


def settlement(play: Play) -> Any:
    return play.client.sandbox.close_settlement()


def tested(play: Play) -> Any:
    """To the first endpoint that can receive it."""
    endpoints = play.client.webhook_endpoints
    for each in endpoints.all():
        if each["enabled"] and each["url"]:
            return {"id": endpoints.test(each["id"])["eventId"], "status": f"sent to {each['url']}"}
    raise PasarelaError("No webhook endpoint of the account has a URL: webhook_endpoints.create.")


def _payee() -> Any:
    return {
        "amount": 20000,
        "recipientName": "Juan Pérez",
        "recipientDocType": "CC",
        "recipientDocNumber": WAITING_PAYEE,
        "network": "BANK",
        "bankCanonicalId": "bancolombia",
        "accountType": "SAVINGS",
        "accountNumber": "12345678901",
    }


Story = Callable[[Play], Any]
STORIES: dict[str, Story] = {
    "payment.completed": lambda play: play.ended_order("COMPLETED"),
    "payment.confirmed": lambda play: play.ended_order("COMPLETED"),
    "payment.failed": lambda play: play.ended_order("FAILED"),
    "payment.expired": lambda play: play.ended_order("EXPIRED"),
    "payment.cancelled": cancelled,
    "payment.refunded": partial(refunded, outcome="COMPLETED"),
    "payment.partially_refunded": partial(refunded, outcome="COMPLETED", amount=10000),
    "payment.chargeback": partial(disputed, kind="CHARGEBACK"),
    "payment.disputed": partial(disputed, kind="DISPUTE"),
    "refund.requested": partial(refunded, outcome=None, amount=10000),
    "refund.approved": partial(refunded, outcome="APPROVED", amount=10000),
    "refund.rejected": partial(refunded, outcome="REJECTED", amount=10000),
    "refund.completed": partial(refunded, outcome="COMPLETED", amount=10000),
    "batch.running": partial(batch, outcome="RUNNING"),
    "batch.done": partial(batch, outcome="DONE"),
    "settlement.closed": settlement,
    "payout.processing": partial(payout, outcome="PROCESSING"),
    "payout.completed": partial(payout, outcome="COMPLETED"),
    "payout.failed": partial(payout, outcome="FAILED"),
    "payout.refunded": partial(payout, outcome="REFUNDED"),
    **{f"topup.{status}": partial(topup, status=status) for status in PHONES},
    **{f"bill.{status}": partial(bill, status=status) for status in BILLS},
    TEST: tested,
}
