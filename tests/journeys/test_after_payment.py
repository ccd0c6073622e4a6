"""Everything that can happen after a payment, from the outside: the merchant's backend, the payer,
the operators' console, the rail and the clock. Each event arrives signed, where it is enabled.
"""

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client

from merchants.models import Merchant
from payments.collect import tasks
from payments.collect.models import Charge
from payments.core import clock
from payments.ledger import services as ledger
from payments.providers.ports import DisputeKind, DisputeState, DisputeUpdate
from payments.simulator import disputes as rail
from payments.simulator import magic
from tests.admin.conftest import Console
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from tests.support.journey import (  # noqa: F401  its fixtures, too
    Receiver,
    _books_add_up,
    api,
    create,
    merchant,
    pay_at_the_bank,
    payer,
    read,
    receiver,
)
from tests.support.refunds import AFTER
from webhooks import tasks as webhooks

# Fixtures are arguments named as the functions above.
# ruff: noqa: F811
ORDER_FIELDS = {
    *("id", "reference", "amount", "baseAmount", "feeAmount", "currency", "status"),
    *("paidAt", "metadata"),
}
REFUND_FIELDS = {
    *("refundId", "refundedAmount", "remainingAmount", "totalRefunded", "reason"),
    "requestedAt",
}
DISPUTE_FIELDS = {"disputeId", "disputedAmount", "reason", "openedAt", "evidenceDueAt"}
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@pytest.fixture(params=[True, False], ids=["enabled", "not enabled"])
def is_enabled(request: Any, merchant: Merchant) -> bool:
    merchant.event_kinds = list(AFTER) if request.param else []
    merchant.save()
    return bool(request.param)


@pytest.fixture
def ana(db: None) -> Console:
    """An operator's browser."""
    browser = Console()
    browser.force_login(User.objects.create_superuser("ana", "ana@pasarela.example", "Galeras-42"))
    return browser


def arrived(receiver: Receiver) -> dict[str, list[dict[str, Any]]]:
    """What came since, signed: {kind: [data]}."""
    receiver.posts.clear()
    webhooks.dispatch()
    came: dict[str, list[dict[str, Any]]] = {}
    for event in receiver.believed():
        assert MOMENT.fullmatch(event["timestamp"])
        came.setdefault(event["event"], []).append(event["data"])
    return came


def buy(api: ApiClient, payer: Client, **changes: Any) -> dict[str, Any]:
    order = create(api, **changes)
    pay_at_the_bank(payer, order, "approve")
    return order


def ask(api: ApiClient, order: dict[str, Any], key: str, **body: Any) -> dict[str, Any]:
    answer = api.post(
        f"/collect/{order['id']}/refunds",
        {"reason": "cold coffee", **body},
        headers={"Idempotency-Key": key},
    )
    assert answer.status_code == 201, answer.content
    return answer.body["data"]


def gift(api: ApiClient, amount: int = 100_000) -> None:
    assert api.post("/sandbox/balance", {"currency": "COPM", "amount": amount}).status_code == 200


def work() -> None:
    """The worker's turn."""
    tasks.process_due()


def test_refund_in_two_parts_reaches_payer_and_receiver(
    api: ApiClient, payer: Client, ana: Console, receiver: Receiver, is_enabled: bool
) -> None:
    gift(api)
    order = buy(api, payer, metadata={"pedido": 7})
    came = arrived(receiver)
    assert set(came) == {"payment.completed"} | ({"payment.confirmed"} if is_enabled else set())

    first = ask(api, order, "r-1", amount=20_000)
    came = arrived(receiver)
    assert set(came) == ({"refund.requested"} if is_enabled else set())
    if is_enabled:
        (data,) = came["refund.requested"]
        assert data.keys() == ORDER_FIELDS | REFUND_FIELDS
        assert (data["refundId"], data["refundedAmount"]) == (first["id"], 20000)
        assert (data["remainingAmount"], data["totalRefunded"]) == (50025, 0)
        assert data["metadata"] == {"pedido": 7}

    assert ana.submit("collect_refund_approve", first["id"]).status_code == 302
    came = arrived(receiver)
    assert set(came) == ({"refund.approved"} if is_enabled else set())
    if is_enabled:
        (data,) = came["refund.approved"]
        assert data.keys() == ORDER_FIELDS | REFUND_FIELDS | {"approvedAt"}
        assert data["totalRefunded"] == 0  # nothing has gone back yet

    work()
    came = arrived(receiver)
    after = {"refund.completed", "payment.partially_refunded"}
    assert set(came) == (after if is_enabled else set())
    if is_enabled:
        for kind in after:
            (data,) = came[kind]
            assert data.keys() == ORDER_FIELDS | REFUND_FIELDS | {"approvedAt", "completedAt"}
            assert (data["refundedAmount"], data["remainingAmount"]) == (20000, 30025)
            assert (data["totalRefunded"], data["status"]) == (20000, "COMPLETED")

    rest = ask(api, order, "r-2")
    assert rest["amount"] == 30025
    ana.submit("collect_refund_approve", rest["id"])
    work()
    came = arrived(receiver)
    rest_of_it = {"refund.requested", "refund.approved", "refund.completed", "payment.refunded"}
    assert set(came) == (rest_of_it if is_enabled else set())
    if is_enabled:
        (data,) = came["payment.refunded"]
        assert data.keys() == ORDER_FIELDS | REFUND_FIELDS | {"approvedAt", "completedAt"}
        assert (data["refundId"], data["refundedAmount"]) == (rest["id"], 30025)
        assert (data["remainingAmount"], data["totalRefunded"]) == (0, 50025)
    assert read(api, order)["refundedAmount"] == 50025
    assert api.get("/balance").body["data"][0] == {
        "currency": "COPM",
        "available": 99975,
        "held": 0,
    }


def test_rejected_refund_leaves_the_money_to_the_merchant(
    api: ApiClient, payer: Client, ana: Console, receiver: Receiver, is_enabled: bool
) -> None:
    order = buy(api, payer)
    refund = ask(api, order, "r-1", amount=20_000)
    arrived(receiver)
    assert ana.submit("collect_refund_reject", refund["id"]).status_code == 302
    came = arrived(receiver)
    assert set(came) == ({"refund.rejected"} if is_enabled else set())
    if is_enabled:
        (data,) = came["refund.rejected"]
        assert data.keys() == ORDER_FIELDS | REFUND_FIELDS | {"rejectedAt"}
    shown = api.get(f"/collect/{order['id']}/refunds").body["data"]
    assert [(row["id"], row["status"]) for row in shown] == [(refund["id"], "FAILED")]


def test_cancelled_order_is_published_where_it_is_enabled(
    api: ApiClient, receiver: Receiver, is_enabled: bool
) -> None:
    order = create(api)
    assert api.post(f"/collect/{order['id']}/cancel").status_code == 200
    came = arrived(receiver)
    assert set(came) == ({"payment.cancelled"} if is_enabled else set())
    if is_enabled:
        (data,) = came["payment.cancelled"]
        assert data.keys() == ORDER_FIELDS
        assert (data["id"], data["status"], data["paidAt"]) == (order["id"], "EXPIRED", None)


def test_order_cancelled_by_an_operator_is_published(
    api: ApiClient, ana: Console, receiver: Receiver, is_enabled: bool
) -> None:
    order = create(api)
    assert ana.submit("collect_order_cancel_order", order["id"]).status_code == 302
    assert set(arrived(receiver)) == ({"payment.cancelled"} if is_enabled else set())
    assert read(api, order)["status"] == "EXPIRED"


def test_payment_is_confirmed_when_its_rail_settles(
    api: ApiClient, payer: Client, receiver: Receiver, is_enabled: bool
) -> None:
    rows = {row.name: amount for amount, row in magic.CHARGES_BY_AMOUNT.items()}
    order = create_of(api, rows["confirmed-later"])
    with time_machine.travel(clock.now(), tick=True) as traveller:
        pay_at_the_bank(payer, order, "approve")
        assert set(arrived(receiver)) == {"payment.completed"}
        assert read(api, order)["confirmedAt"] is None
        traveller.shift(timedelta(minutes=2))
        tasks.reconcile_due()
        came = arrived(receiver)
        assert set(came) == ({"payment.confirmed"} if is_enabled else set())
        if is_enabled:
            (data,) = came["payment.confirmed"]
            assert data.keys() == ORDER_FIELDS
            assert (data["id"], data["status"]) == (order["id"], "COMPLETED")
        assert read(api, order)["confirmedAt"] is not None


def create_of(api: ApiClient, total: Decimal) -> dict[str, Any]:
    """An order of which the payer pays `total`, a magic amount: 388,500 of it is our fee."""
    answer = api.post("/collect", order_body(amount=int(total) - 388_500))
    assert answer.body["data"]["amount"] == total
    return answer.body["data"]


def contest(order: dict[str, Any], kind: DisputeKind, state: DisputeState) -> None:
    """The rail's signed word."""
    update = DisputeUpdate(
        reference="case-7",
        charge_reference=Charge.objects.get(order=order["id"]).pk,
        kind=kind,
        state=state,
        amount=Decimal(50_025),
        currency="COP",
        reason="unknown to the payer",
        evidence_due_at=clock.now() + timedelta(days=10),
        occurred_at=clock.now(),
    )
    assert rail.send_callback(update) == 200


def test_lost_dispute_takes_the_money_of_the_merchant(
    api: ApiClient, merchant: Merchant, payer: Client, receiver: Receiver, is_enabled: bool
) -> None:
    gift(api)
    order = buy(api, payer)
    arrived(receiver)
    contest(order, DisputeKind.DISPUTE, DisputeState.OPEN)
    came = arrived(receiver)
    assert set(came) == ({"payment.disputed"} if is_enabled else set())
    if is_enabled:
        (data,) = came["payment.disputed"]
        assert data.keys() == ORDER_FIELDS | DISPUTE_FIELDS
        assert (data["disputedAmount"], data["reason"]) == (50025, "unknown to the payer")
        assert MOMENT.fullmatch(data["openedAt"])
        assert MOMENT.fullmatch(data["evidenceDueAt"])
    assert ledger.balances(merchant.pk)["COPM"] == {"available": 99_975, "held": 50_025}

    contest(order, DisputeKind.DISPUTE, DisputeState.LOST)
    assert set(arrived(receiver)) == ({"payment.chargeback"} if is_enabled else set())
    assert ledger.balances(merchant.pk)["COPM"] == {"available": 99_975, "held": 0}


def test_chargeback_by_letter_is_opened_by_an_operator(
    api: ApiClient, payer: Client, ana: Console, receiver: Receiver, is_enabled: bool
) -> None:
    order = buy(api, payer)
    arrived(receiver)
    form = {"kind": "CHARGEBACK", "amount": "50025", "evidence_due": ""}
    assert ana.submit("collect_order_dispute_order", order["id"], **form).status_code == 302
    came = arrived(receiver)
    assert set(came) == ({"payment.chargeback"} if is_enabled else set())
    if is_enabled:
        (data,) = came["payment.chargeback"]
        assert data.keys() == ORDER_FIELDS | DISPUTE_FIELDS
        assert data["evidenceDueAt"] is None
