"""Refunds: asked for and held, decided by an operator, returned by the rail."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine

from merchants.models import Merchant
from payments.collect.models import Order, Refund
from payments.collect.services import refund_approvals, refunds
from payments.collect.services.errors import AmountAboveRefundable
from payments.collect.services.refund_engine import engine
from payments.core import clock
from payments.core.models import AuditEntry
from payments.ledger import recipes
from payments.ledger import services as ledger
from payments.ledger.models import Entry
from payments.outgoing import resolutions
from payments.outgoing.errors import NotAllowed
from payments.providers.ports import OutgoingState, OutgoingUpdate
from payments.providers.simulator import outgoing_books
from tests.collect.refund_stories import AFTER, approve, ask, asked, paid, reject, told
from tests.collect.stories import available, books_are_clean, create, say, start
from tests.fixtures import ApiClient

pytestmark = pytest.mark.django_db
FEE = Decimal(25)


@pytest.fixture(autouse=True)
def _every_event(merchant: Merchant, settings: Any) -> None:
    settings.DOORBELL = False
    settings.PROVIDER_BREAKER_FAILURES = 1_000_000
    merchant.event_kinds = list(AFTER)
    merchant.save()


@pytest.fixture
def order(api: ApiClient) -> Order:
    return paid(api)


@pytest.fixture
def funds(merchant: Merchant) -> None:
    """More than one payment's worth, so that our fee can be returned, too."""
    give(merchant, 100_000)


def give(merchant: Merchant, amount: int, currency: str = "COPM") -> None:
    recipes.sandbox_credited(
        merchant_id=merchant.pk,
        currency=currency,
        amount=Decimal(amount),
        reference=f"{currency}-{amount}",
        now=clock.now(),
    )


def held(merchant: Merchant, currency: str = "COPM") -> Decimal:
    return ledger.balances(merchant.pk)[currency]["held"]


def test_it_works(api: ApiClient, merchant: Merchant, order: Order, funds: None) -> None:
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
        "failureReason": None,
    }
    assert (available(merchant), held(merchant)) == (130_000, 20_000)

    refund = approve(Refund.objects.get(pk=data["id"]))

    assert (refund.status, refund.provider_id[:6]) == ("COMPLETED", "simre_")
    assert outgoing_books.executions(refund.pk) == 1
    assert (available(merchant), held(merchant)) == (130_000, 0)
    shown = api.get(f"/collect/{order.pk}").body["data"]
    assert (shown["status"], shown["refundedAmount"]) == ("COMPLETED", 20000)
    assert books_are_clean()


def test_each_fact_is_told_once_with_the_totals_of_its_moment(
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


def test_an_operator_says_no(api: ApiClient, merchant: Merchant, order: Order, funds: None) -> None:
    refund = reject(asked(api, order, amount=20_000))

    assert (refund.status, refund.decided_by) == ("FAILED", "ana")
    assert (available(merchant), held(merchant)) == (150_000, 0)
    (data,) = [data for kind, data in told(order) if kind == "refund.rejected"]
    assert {"rejectedAt"} <= data.keys()
    assert (data["refundedAmount"], data["remainingAmount"]) == (20000, 50025)
    read = api.get(f"/collect/{order.pk}/refunds/{refund.pk}").body["data"]
    assert read["rejectedAt"] is not None
    assert read["failureReason"] == "DECIDED_BY_OPERATOR"
    assert outgoing_books.by_payment_id(refund.pk) == []
    assert AuditEntry.objects.filter(action="refund.rejected", subject_id=refund.pk).count() == 1
    with pytest.raises(NotAllowed):
        approve(refund)
    # What was refused can be asked for again.
    assert ask(api, order, "r-2").body["data"]["amount"] == 50025


def test_nothing_is_sent_before_somebody_agrees(api: ApiClient, order: Order, funds: None) -> None:
    refund = asked(api, order)
    engine.send(payment_id=refund.pk, now=clock.now())
    with time_machine.travel(clock.now() + timedelta(days=2)):
        engine.act_due(now=clock.now())
    refund.refresh_from_db()
    assert refund.status == "PENDING"
    assert outgoing_books.by_payment_id(refund.pk) == []


def test_whoever_asked_in_the_console_cannot_agree(order: Order, funds: None) -> None:
    refund, _ = refunds.request_refund(
        order=order,
        asker=refunds.Operator("ana"),
        idempotency_key="console:1",
        reason="asked for by phone",
        now=clock.now(),
    )
    with pytest.raises(NotAllowed):
        approve(refund, "ana")
    assert approve(refund, "beto").status == "COMPLETED"


def test_the_whole_needs_the_fee_too(api: ApiClient, merchant: Merchant, order: Order) -> None:
    """The payer paid 50,025 and the merchant got 50,000: the merchant bears all of it."""
    answer = ask(api, order)

    assert answer.status_code == 400
    assert answer.body["error"]["code"] == "INSUFFICIENT_BALANCE"
    assert answer.body["error"]["details"] == {"required": 50025, "available": 50000}
    assert not Refund.objects.exists()
    assert {kind for kind, _ in told(order)} == {"payment.completed", "payment.confirmed"}
    give(merchant, 25)
    assert ask(api, order).status_code == 201  # the same key: a refusal burns nothing


@pytest.mark.parametrize(
    ("first", "amount", "maximum"),
    [(None, 50_026, 50025), (None, 50025.01, 50025), (20_000, 30_026, 30025), (50_025, None, 0)],
)
def test_never_more_than_was_paid(
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
def test_what_is_asked_is_checked(
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


class TestTheRail:
    """What the rail does with the return. Unknown is never failed."""

    def settle(self, refund: Refund, seconds: int = 4000, times: int = 3) -> Refund:
        """Lets time pass, and the scanner ask."""
        with time_machine.travel(clock.now(), tick=False) as traveller:
            for _ in range(times):
                traveller.shift(seconds)
                engine.act_due(now=clock.now())
        refund.refresh_from_db()
        return refund

    @pytest.mark.parametrize(
        "magic",
        [
            "clean",
            "slow",
            "answer-lost-after",
            "answer-lost-before",
            "error-after",
            "query-unavailable",
            "completed-later",
            "unavailable",
            "callback-repeated",
            "callback-lost",
        ],
    )
    def test_a_doubt_ends_in_one_return(
        self, api: ApiClient, merchant: Merchant, funds: None, magic: str
    ) -> None:
        order = paid(api, magic)
        refund = self.settle(approve(asked(api, order)))

        assert refund.status == "COMPLETED"
        assert outgoing_books.executions(refund.pk) == 1
        assert (available(merchant), held(merchant)) == (100_000 - FEE, 0)
        kinds = [kind for kind, _ in told(order)]
        assert kinds.count("refund.completed") == kinds.count("payment.refunded") == 1
        assert books_are_clean()

    @pytest.mark.parametrize("magic", ["refused", "failed-later"])
    def test_a_refusal_gives_the_hold_back(
        self, api: ApiClient, merchant: Merchant, funds: None, magic: str
    ) -> None:
        order = paid(api, magic)
        refund = self.settle(approve(asked(api, order)))

        assert refund.status == "FAILED"
        assert refund.failure_reason
        assert (available(merchant), held(merchant)) == (150_000, 0)
        order.refresh_from_db()
        assert order.refunded_amount == 0
        assert "refund.rejected" not in [kind for kind, _ in told(order)]  # nobody rejected it
        assert refunds.refundable(order) == 50_025

    def test_in_doubt_the_money_stays_held(
        self, api: ApiClient, merchant: Merchant, funds: None
    ) -> None:
        order = paid(api, "pending")
        refund = self.settle(approve(asked(api, order)), seconds=90_000)
        assert (refund.status, refund.needs_operator) == ("PROCESSING", True)
        assert held(merchant) == 50_025
        assert refunds.refundable(order) == 0
        assert "refund.completed" not in [kind for kind, _ in told(order)]

    def test_what_came_back_is_the_merchants_again(
        self, api: ApiClient, merchant: Merchant, funds: None
    ) -> None:
        order = paid(api, "returned-later")
        refund = approve(asked(api, order))
        assert refund.status == "COMPLETED"
        with time_machine.travel(clock.now() + timedelta(seconds=5)):
            from payments.providers.simulator import outgoing_control

            outgoing_control.wake()
        refund.refresh_from_db()
        order.refresh_from_db()
        assert (refund.status, order.refunded_amount) == ("REFUNDED", 0)
        assert (available(merchant), held(merchant)) == (150_000, 0)
        assert refunds.refundable(order) == 50_025
        assert books_are_clean()

    def test_another_amount_ends_nothing(self, api: ApiClient, funds: None) -> None:
        refund = approve(asked(api, paid(api, "pending")))
        engine.apply_update(
            provider="simulator",
            update=OutgoingUpdate(
                reference=refund.provider_reference,
                provider_id=refund.provider_id,
                state=OutgoingState.COMPLETED,
                amount=refund.amount - Decimal("0.01"),
                occurred_at=clock.now(),
            ),
            now=clock.now(),
        )
        refund.refresh_from_db()
        assert (refund.status, refund.needs_operator) == ("PROCESSING", True)

    def test_an_operator_resolves_by_hand_and_the_merchant_is_told(
        self, api: ApiClient, funds: None
    ) -> None:
        order = paid(api, "pending")
        refund = approve(asked(api, order))
        with time_machine.travel(clock.now() + timedelta(minutes=5)):
            resolutions.resolve(
                engine=engine,
                payment=refund,
                outcome="COMPLETED",
                actor="ana",
                proof="statement 7",
                reason="seen there",
                now=clock.now(),
            )
        assert {"refund.completed", "payment.refunded"} <= {kind for kind, _ in told(order)}
        order.refresh_from_db()
        assert order.refunded_amount == 50_025


def test_a_coin_is_returned_from_its_own_balance(api: ApiClient, merchant: Merchant) -> None:
    order = create(api, currency="USDT", amount=1000.5, allowedMethods=["CRYPTO"])
    charge = start(order, "CRYPTO", coin="USDT")
    say(charge, "SUCCEEDED", charge.amount)
    give(merchant, 10, "USDT")
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


def test_the_maximum_is_told_in_words_and_figures() -> None:
    error = AmountAboveRefundable(Decimal("30025.00"))
    assert error.message == str(error) == "No more than 30025 can be returned."


def test_deciding_twice_is_refused(api: ApiClient, order: Order, funds: None) -> None:
    refund = approve(asked(api, order, amount=1000))
    for act in (refund_approvals.approve, refund_approvals.reject):
        with pytest.raises(NotAllowed):
            act(refund=refund, actor="beto", reason="again", now=clock.now())
