"""What becomes of a top-up: the rail's answers and returns. Unknown is never failed.

Doubts are in test_doubts.py, what the rail says later in test_callbacks.py.
"""

from datetime import timedelta

import pytest
import time_machine

from merchants.models import Merchant
from payments.core import clock
from payments.ledger import services as ledger
from payments.ledger.models import Entry
from payments.simulator import control, store
from payments.topup.models import TopUp
from payments.topup.services.engine import engine
from tests.support import topups
from tests.support.fixtures import ApiClient
from tests.support.funds import balance
from tests.support.outgoing_payments import resolve
from tests.support.topups import BACK, GONE, HELD, bought, buy, live, read, say

pytestmark = pytest.mark.usefixtures("no_waiting")


def entries(topup: TopUp) -> list[str]:
    rows = Entry.objects.filter(subject_id=topup.pk).order_by("created_at")
    return list(rows.values_list("kind", flat=True))


@pytest.mark.parametrize(
    ("phone", "at_once", "end", "executions"),
    [
        (topups.CLEAN, "completed", "completed", 1),
        (topups.REFUSED, "failed", "failed", 0),
        (topups.SLOW, "processing", "completed", 1),
        (topups.LOST_AFTER, "processing", "completed", 1),
        (topups.LOST_BEFORE, "processing", "completed", 1),
        (topups.ERROR_AFTER, "processing", "completed", 1),
        (topups.QUERY_AWAY, "processing", "completed", 1),
        (topups.COMPLETED_LATER, "processing", "completed", 1),
        (topups.FAILED_LATER, "processing", "failed", 0),
        (topups.UNAVAILABLE, "processing", "completed", 1),
        (topups.PENDING, "processing", "processing", 0),
    ],
)
def test_each_behaviour_of_a_rail_comes_to_one_end(
    api: ApiClient, merchant: Merchant, phone: str, at_once: str, end: str, executions: int
) -> None:
    response = buy(api, key="k-1", phone=phone)
    assert response.status_code == 201
    assert response.body["data"]["status"] == at_once
    topup = TopUp.objects.get()
    assert balance(merchant) == {"completed": GONE, "failed": BACK, "processing": HELD}[at_once]

    live(seconds=180)

    assert read(api, topup.pk)["status"] == end
    assert store.executions(topup.pk) == executions
    assert len(store.outgoing.by_payment_id(topup.pk)) <= 1
    assert balance(merchant) == {"completed": GONE, "failed": BACK, "processing": HELD}[end]
    # The key answers what became of it, and buys nothing more.
    again = buy(api, key="k-1", phone=phone)
    assert (again.status_code, again.body["data"]) == (201, read(api, topup.pk))
    assert again.headers["Idempotent-Replayed"] == "true"
    assert store.executions(topup.pk) == executions
    assert not ledger.verify().problems


class TestAnswer:
    def test_while_it_is_processing(self, api: ApiClient) -> None:
        data = buy(api, phone=topups.SLOW).body["data"]
        assert (data["status"], data["ticket"]) == ("processing", None)
        assert (data["completedAt"], data["failureReason"]) == (None, None)
        assert (data["amountCop"], data["feeCop"], data["totalCop"]) == (20000, 0, 20000)

        live(seconds=60)
        done = read(api, data["id"])
        assert done["status"] == "completed"
        assert done["ticket"]["issuedAt"] == done["completedAt"] != done["createdAt"]
        assert done["ticket"]["authorization"]
        assert done["reference"] == data["reference"]

    def test_when_the_rail_refuses(self, api: ApiClient, merchant: Merchant) -> None:
        response = buy(api, phone=topups.REFUSED)
        data = response.body["data"]
        assert (response.status_code, data["status"]) == (201, "failed")
        assert (data["failureReason"], data["ticket"]) == ("NUMBER_NOT_FOUND", None)
        assert data["completedAt"] is None
        topup = TopUp.objects.get()
        assert entries(topup) == ["topup_reserved", "topup_released"]
        assert topup.next_action_at is None
        assert balance(merchant) == BACK

    def test_when_it_came_back(self, api: ApiClient, merchant: Merchant) -> None:
        with time_machine.travel(clock.now() - timedelta(hours=1)):
            topup = bought(api, phone=topups.RETURNED)
            completed = read(api, topup.pk)
        assert completed["status"] == "completed"
        control.wake()

        data = read(api, topup.pk)
        assert (data["status"], data["ticket"]) == ("refunded", None)
        assert data["completedAt"] == completed["completedAt"]
        assert data["failureReason"] == "REFUSED_BY_PROVIDER"
        assert entries(topup) == ["topup_reserved", "topup_completed", "topup_returned"]
        assert balance(merchant) == BACK
        assert not ledger.verify().problems

    def test_amount_and_fee_come_back_together(self, api: ApiClient, merchant: Merchant) -> None:
        from payments.topup.models import TopUpTerms

        TopUpTerms.objects.update(fee_flat=500)
        topup = bought(api, amountCop=10_000)
        assert balance(merchant) == (989_500, 0)
        say(topup, "RETURNED", reason="REFUSED_BY_PROVIDER")
        assert (topup.status, balance(merchant)) == ("REFUNDED", BACK)

    def test_what_a_person_wrote_is_not_told(self, api: ApiClient) -> None:
        topup = bought(api, phone=topups.PENDING)
        words = {"proof": "letter 5", "reason": "the rail's clerk said so"}
        resolve(engine, topup, "FAILED", **words, now=clock.now() + timedelta(minutes=5))
        data = read(api, topup.pk)
        assert (data["status"], data["failureReason"]) == ("failed", "DECIDED_BY_OPERATOR")
        assert "letter" not in str(data)
