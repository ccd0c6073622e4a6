"""What people decide about a payout: approval before it is sent, resolution after.

No person approves what they asked for, and nothing is given back while a call may be under way.
"""

from datetime import timedelta

import pytest

from merchants.models import Merchant
from payments.core.errors import NotAllowed
from payments.core.models import AuditEntry, Transition
from payments.ledger import services as ledger
from payments.payout.models import Payout
from payments.payout.services import approvals
from payments.payout.services.engine import engine
from payments.simulator import store
from tests.support.fixtures import ApiClient
from tests.support.funds import balance
from tests.support.outgoing_payments import resolve
from tests.support.payouts import NOW, advance, create

pytestmark = pytest.mark.usefixtures("funds")


class TestApproval:
    @pytest.fixture
    def waiting(self, api: ApiClient, merchant: Merchant) -> Payout:
        Merchant.objects.update(payout_approval_above=50_000, payout_approval_set_by="boss")
        return create(api)

    def test_below_the_threshold_nothing_waits(self, api: ApiClient) -> None:
        Merchant.objects.update(payout_approval_above=100_000)
        assert not create(api).needs_approval

    def test_payout_waits_for_approval_with_its_money_held(
        self, waiting: Payout, merchant: Merchant
    ) -> None:
        advance(minutes=2)
        waiting.refresh_from_db()
        assert (waiting.status, waiting.needs_approval) == ("PENDING", True)
        assert balance(merchant) == (897_500, 102_500)
        assert store.executions(waiting.pk) == 0

    def test_a_second_person_lets_it_go(self, waiting: Payout) -> None:
        approvals.approve(payout=waiting, actor="ana", reason="checked", now=NOW())
        engine.process_due(now=NOW())

        waiting.refresh_from_db()
        assert waiting.status == "PROCESSING"
        assert AuditEntry.objects.get(action="payout.approved").actor == "ana"
        with pytest.raises(NotAllowed):
            approvals.approve(payout=waiting, actor="ana", reason="again", now=NOW())

    def test_author_of_the_rule_cannot(self, waiting: Payout) -> None:
        for decide in (approvals.approve, approvals.reject):
            with pytest.raises(NotAllowed):
                decide(payout=waiting, actor="boss", reason="mine", now=NOW())

    def test_issuer_of_the_key_that_asked_cannot(self, waiting: Payout) -> None:
        with pytest.raises(NotAllowed):
            approvals.approve(payout=waiting, actor="tests", reason="mine", now=NOW())

    def test_a_rejection_gives_the_money_back(self, waiting: Payout, merchant: Merchant) -> None:
        approvals.reject(payout=waiting, actor="ana", reason="unknown", now=NOW())
        waiting.refresh_from_db()
        assert waiting.status == "FAILED"
        assert balance(merchant) == (1_000_000, 0)
        assert not ledger.verify().problems


class TestResolution:
    @pytest.mark.parametrize(
        ("outcome", "available"),
        [("COMPLETED", 897_500), ("FAILED", 1_000_000), ("REFUNDED", 1_000_000)],
    )
    def test_operator_resolves_a_doubtful_payout_by_hand(
        self, api: ApiClient, merchant: Merchant, outcome: str, available: int
    ) -> None:
        payout = create(api)
        engine.process_due(now=NOW())
        later = NOW() + timedelta(minutes=1)
        resolve(engine, payout, outcome, proof="T-1", now=later)
        payout.refresh_from_db()
        assert payout.status == outcome
        assert balance(merchant) == (available, 0)
        assert Transition.objects.filter(subject_id=payout.pk).latest("id").actor == "ana"
        assert AuditEntry.objects.get(action="payout.resolved").details["proof"] == "T-1"
        assert not ledger.verify().problems

    @pytest.mark.parametrize("outcome", ["FAILED", "REFUNDED"])
    def test_nothing_is_given_back_while_a_call_may_be_under_way(
        self, api: ApiClient, merchant: Merchant, outcome: str
    ) -> None:
        payout = create(api)
        engine.process_due(now=NOW())
        with pytest.raises(NotAllowed):
            resolve(engine, payout, outcome)
        assert balance(merchant) == (897_500, 102_500)

    def test_not_before_it_was_handed_over(self, api: ApiClient) -> None:
        payout = create(api)
        for outcome in ("COMPLETED", "FAILED", "REFUNDED", "PROCESSING", "PENDING"):
            with pytest.raises(NotAllowed):
                resolve(engine, payout, outcome)
