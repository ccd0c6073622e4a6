"""Refunds: asked for and held, decided by an operator, told to the merchant.

What the rail does with the return is in test_refund_rail.py.
"""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine

from merchants.models import Merchant
from payments.collect.models import Order, Refund
from payments.collect.services.errors import AmountAboveRefundable
from payments.collect.services.orders.retention import forget_payers
from payments.collect.services.refunds import refund_approvals, refund_requests
from payments.collect.services.refunds.refund_engine import engine
from payments.core import clock
from payments.core.errors import NotAllowed
from payments.core.models import AuditEntry
from payments.ledger.models import Entry
from payments.simulator import store
from tests.support.charges import books_are_clean, create, say, start
from tests.support.fixtures import ApiClient
from tests.support.funds import available, fund, held
from tests.support.refunds import approve, ask, asked, paid, reject, told

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("every_event", "patient_with_the_rail"),
]


def test_refund_of_a_payer_who_was_forgotten_goes_back(
    api: ApiClient, merchant: Merchant, order: Order, funds: None, settings: Any
) -> None:
    settings.DATA_RETENTION_DAYS = 30
    assert forget_payers(now=clock.now() + timedelta(days=31)) == 1
    assert order.charges.get().payer == {}

    refund = approve(asked(api, order, amount=20_000))

    assert refund.status == "COMPLETED"
    assert store.executions(refund.pk) == 1
    assert books_are_clean()


def test_approved_refund_goes_back_to_the_payer(
    api: ApiClient, merchant: Merchant, order: Order, funds: None
) -> None:
    answer = ask(api, order, amount=20_000)

    assert answer.status_code == 201
    data = answer.body["data"]
    assert data == {
        "id": data["id"],
        "orderId": order.pk,
        "status": "PENDING",
        "amount": 20000,
        "currency": "COP",
        "reason": "The coffee was cold",
        "requestedAt": data["requestedAt"],
        "approvedAt": None,
        "rejectedAt": None,
        "completedAt": None,
        "destinationUrl": None,
        "waitsFor": "APPROVAL",
        "coins": None,
        "failureReason": None,
    }
    assert (available(merchant), held(merchant)) == (130_000, 20_000)

    refund = approve(Refund.objects.get(pk=data["id"]))

    assert (refund.status, refund.provider_id[:6]) == ("COMPLETED", "simre_")
    assert store.executions(refund.pk) == 1
    assert (available(merchant), held(merchant)) == (130_000, 0)
    shown = api.get(f"/collect/{order.pk}").body["data"]
    assert (shown["status"], shown["refundedAmount"]) == ("COMPLETED", 20000)
    assert books_are_clean()


def test_each_refund_event_is_published_once_with_the_totals_of_its_time(
    api: ApiClient, order: Order, funds: None
) -> None:
    first = approve(asked(api, order, amount=20_000))
    second = approve(asked(api, order, "r-2"))

    steps = ("refund.requested", "refund.approved", "refund.completed")
    assert sorted(kind for kind, _ in told(order)) == sorted(
        [
            *("payment.completed", "payment.confirmed"),
            *(*steps, "payment.partially_refunded", *steps, "payment.refunded"),
        ]
    )
    figures = {
        (data["refundId"], kind): (
            data["refundedAmount"],
            data["remainingAmount"],
            data["totalRefunded"],
        )
        for kind, data in told(order)
        if "refundId" in data
    }
    assert figures == {
        (first.pk, "refund.requested"): (20000, 50025, 0),
        (first.pk, "refund.approved"): (20000, 50025, 0),
        (first.pk, "refund.completed"): (20000, 30025, 20000),
        (first.pk, "payment.partially_refunded"): (20000, 30025, 20000),
        (second.pk, "refund.requested"): (30025, 30025, 20000),
        (second.pk, "refund.approved"): (30025, 30025, 20000),
        (second.pk, "refund.completed"): (30025, 0, 50025),
        (second.pk, "payment.refunded"): (30025, 0, 50025),
    }
    (data,) = [data for kind, data in told(order) if kind == "payment.refunded"]
    assert (data["id"], data["amount"], data["status"]) == (order.pk, 50025, "COMPLETED")
    assert data["reason"] == "The coffee was cold"
    assert {"requestedAt", "approvedAt", "completedAt"} <= data.keys()
    assert "rejectedAt" not in data


def test_rejected_refund_releases_its_hold(
    api: ApiClient, merchant: Merchant, order: Order, funds: None
) -> None:
    refund = reject(asked(api, order, amount=20_000))

    assert (refund.status, refund.decided_by) == ("FAILED", "ana")
    assert (available(merchant), held(merchant)) == (150_000, 0)
    (data,) = [data for kind, data in told(order) if kind == "refund.rejected"]
    assert {"rejectedAt"} <= data.keys()
    assert (data["refundedAmount"], data["remainingAmount"]) == (20000, 50025)
    read = api.get(f"/collect/{order.pk}/refunds/{refund.pk}").body["data"]
    assert read["rejectedAt"] is not None
    assert read["failureReason"] == "DECIDED_BY_OPERATOR"
    assert store.outgoing.by_payment_id(refund.pk) == []
    assert AuditEntry.objects.filter(action="refund.rejected", subject_id=refund.pk).count() == 1
    with pytest.raises(NotAllowed):
        approve(refund)
    # What was refused can be asked for again.
    assert ask(api, order, "r-2").body["data"]["amount"] == 50025


def test_refund_is_not_sent_before_its_approval(api: ApiClient, order: Order, funds: None) -> None:
    refund = asked(api, order)
    engine.send(payment_id=refund.pk, now=clock.now())
    with time_machine.travel(clock.now() + timedelta(days=2)):
        engine.process_due(now=clock.now())
    refund.refresh_from_db()
    assert refund.status == "PENDING"
    assert store.outgoing.by_payment_id(refund.pk) == []


def test_operator_who_requested_a_refund_cannot_approve_it(order: Order, funds: None) -> None:
    refund, _ = refund_requests.request_refund(
        order=order,
        new_refund=refund_requests.NewRefund(reason="asked for by phone"),
        requester=refund_requests.Operator("ana"),
        idempotency_key="console:1",
        now=clock.now(),
    )
    with pytest.raises(NotAllowed):
        approve(refund, "ana")
    assert approve(refund, "beto").status == "COMPLETED"


def test_refund_of_the_whole_needs_the_fee_too(
    api: ApiClient, merchant: Merchant, order: Order
) -> None:
    """The payer paid 50,025 and the merchant got 50,000: the merchant bears all of it."""
    answer = ask(api, order)

    assert answer.status_code == 400
    assert answer.body["error"]["code"] == "INSUFFICIENT_BALANCE"
    assert answer.body["error"]["details"] == {"required": 50025, "available": 50000}
    assert not Refund.objects.exists()
    assert {kind for kind, _ in told(order)} == {"payment.completed", "payment.confirmed"}
    fund(merchant, 25)
    assert ask(api, order).status_code == 201  # the same key: a refusal burns nothing


@pytest.mark.parametrize(
    ("first", "amount", "maximum"),
    [(None, 50_026, 50025), (None, 50025.01, 50025), (20_000, 30_026, 30025), (50_025, None, 0)],
)
def test_refund_is_never_more_than_was_paid(
    api: ApiClient, order: Order, funds: None, first: Any, amount: Any, maximum: int
) -> None:
    if first is not None:
        asked(api, order, amount=first)
    answer = ask(api, order, "r-2", amount=amount)
    assert answer.status_code == 400
    assert answer.body["error"]["code"] == "AMOUNT_ABOVE_LIMIT"
    assert answer.body["error"]["details"]["max"] == maximum


def test_only_a_paid_order_is_refunded(api: ApiClient, funds: None) -> None:
    answer = ask(api, create(api), amount=1000)
    assert (answer.status_code, answer.body["error"]["code"]) == (400, "ORDER_NOT_REFUNDABLE")


def test_the_key_is_required_and_repeats_the_answer(
    api: ApiClient, merchant: Merchant, order: Order, funds: None
) -> None:
    missing = api.post(f"/collect/{order.pk}/refunds", {"reason": "x"})
    assert missing.body["error"]["code"] == "IDEMPOTENCY_KEY_REQUIRED"
    first, again = ask(api, order, amount=20_000), ask(api, order, amount=20_000)
    assert first.content == again.content
    assert again.headers["Idempotent-Replayed"] == "true"
    assert held(merchant) == 20_000
    reused = ask(api, order, amount=20_001)
    assert reused.body["error"]["code"] == "IDEMPOTENCY_KEY_REUSED"
    # The whole was asked for with this key: its replay is no second attempt at nothing.
    whole = ask(api, order, "r-2")
    assert ask(api, order, "r-2").content == whole.content


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"amount": 0}, "amount"),
        ({"amount": "1000"}, "amount"),
        ({"amount": 10.001}, "amount"),
        ({"reason": ""}, "reason"),
        ({"reason": "x" * 301}, "reason"),
        ({"reason": None}, "reason"),
    ],
)
def test_refund_request_is_validated(
    api: ApiClient, order: Order, funds: None, body: dict[str, Any], field: str
) -> None:
    answer = ask(api, order, **body)
    assert (answer.status_code, answer.body["error"]["details"]["field"]) == (400, field)


def test_the_list_is_newest_first(api: ApiClient, order: Order, funds: None) -> None:
    ids = [asked(api, order, f"r-{n}", amount=1000 + n).pk for n in range(3)]
    answer = api.get(f"/collect/{order.pk}/refunds?limit=2&offset=1")
    assert [row["id"] for row in answer.body["data"]] == [ids[1], ids[0]]
    assert answer.headers["X-Total-Count"] == "3"


def test_another_orders_refund_is_absent(api: ApiClient, order: Order, funds: None) -> None:
    refund = asked(api, order, amount=1000)
    other = paid(api)
    answer = api.get(f"/collect/{other.pk}/refunds/{refund.pk}")
    assert (answer.status_code, answer.body["error"]["code"]) == (404, "NOT_FOUND")


def test_without_a_provider_nothing_is_held(
    api: ApiClient, merchant: Merchant, order: Order, funds: None, settings: Any
) -> None:
    settings.REFUND_PROVIDER = ""
    answer = ask(api, order, amount=1000)
    assert answer.body["error"]["code"] == "REFUND_PROVIDER_UNAVAILABLE"
    assert held(merchant) == 0


def test_a_coin_is_returned_from_its_own_balance(api: ApiClient, merchant: Merchant) -> None:
    order = create(api, currency="USDT", amount=1000.5, allowedMethods=["CRYPTO"])
    charge = start(order, "CRYPTO", coin="USDT")
    say(charge, "SUCCEEDED", charge.amount)
    fund(merchant, 10, "USDT")
    order.refresh_from_db()

    refund = approve(asked(api, order, amount=1000.000001))

    assert (refund.status, refund.currency, refund.rail) == ("COMPLETED", "USDT", "CRYPTO")
    assert available(merchant, "USDT") == Decimal("10.499999")
    entry = Entry.objects.get(kind="refund_completed", subject_id=refund.pk)
    lines = entry.postings.values_list("account__code", "amount")
    assert {(code.partition(":")[0], amount) for code, amount in lines} == {
        ("held", Decimal("-1000.000001")),
        ("clearing", Decimal("1000.000001")),
    }
    assert books_are_clean()


def test_maximum_is_returned_in_words_and_figures() -> None:
    error = AmountAboveRefundable(Decimal("30025.00"))
    assert error.message == str(error) == "No more than 30,025 COP can be returned."


def test_second_decision_about_a_refund_is_refused(
    api: ApiClient, order: Order, funds: None
) -> None:
    refund = approve(asked(api, order, amount=1000))
    for act in (refund_approvals.approve, refund_approvals.reject):
        with pytest.raises(NotAllowed):
            act(refund=refund, actor="beto", reason="again", now=clock.now())
