"""What the rail does with the return of a refund. Unknown is never failed.

Doubts end in one return, a refusal gives the hold back, and what came back is the merchant's again.
"""

from datetime import timedelta
from decimal import Decimal

import pytest
import time_machine

from merchants.models import Merchant
from payments.collect.models import Refund
from payments.collect.services.refunds import refund_requests
from payments.collect.services.refunds.refund_engine import engine
from payments.core import clock
from payments.providers.ports import OutgoingState, OutgoingUpdate
from payments.simulator import store
from tests.support.charges import books_are_clean
from tests.support.fixtures import ApiClient
from tests.support.funds import available, held
from tests.support.outgoing_payments import resolve
from tests.support.refunds import approve, asked, paid, told

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("every_event", "patient_with_the_rail"),
]
FEE = Decimal(25)


class TestTheRail:
    """What the rail does with the return. Unknown is never failed."""

    def settle(self, refund: Refund, seconds: int = 4000, times: int = 3) -> Refund:
        """Lets time pass, and the scanner ask."""
        with time_machine.travel(clock.now(), tick=False) as traveller:
            for _ in range(times):
                traveller.shift(seconds)
                engine.process_due(now=clock.now())
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
        assert store.executions(refund.pk) == 1
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
        assert "refund.rejected" not in [kind for kind, _ in told(order)]  # no operator rejected it
        assert refund_requests.refundable(order) == 50_025

    def test_in_doubt_the_money_stays_held(
        self, api: ApiClient, merchant: Merchant, funds: None
    ) -> None:
        order = paid(api, "pending")
        refund = self.settle(approve(asked(api, order)), seconds=90_000)
        assert (refund.status, refund.needs_operator) == ("PROCESSING", True)
        assert held(merchant) == 50_025
        assert refund_requests.refundable(order) == 0
        assert "refund.completed" not in [kind for kind, _ in told(order)]

    def test_what_came_back_is_the_merchants_again(
        self, api: ApiClient, merchant: Merchant, funds: None
    ) -> None:
        order = paid(api, "returned-later")
        refund = approve(asked(api, order))
        assert refund.status == "COMPLETED"
        with time_machine.travel(clock.now() + timedelta(seconds=5)):
            from payments.simulator import control

            control.wake()
        refund.refresh_from_db()
        order.refresh_from_db()
        assert (refund.status, order.refunded_amount) == ("REFUNDED", 0)
        assert (available(merchant), held(merchant)) == (150_000, 0)
        assert refund_requests.refundable(order) == 50_025
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
            resolve(engine, refund, "COMPLETED")
        assert {"refund.completed", "payment.refunded"} <= {kind for kind, _ in told(order)}
        order.refresh_from_db()
        assert order.refunded_amount == 50_025
