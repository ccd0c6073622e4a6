"""What becomes of a payout: the rail's answers, doubts, people. Unknown is never failed."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from merchants.models import Merchant
from payments.core import clock
from payments.core.models import AuditEntry, Transition
from payments.ledger import services as ledger
from payments.outgoing import resolutions
from payments.outgoing.errors import NotAllowed
from payments.payout.models import Payout, PayoutSwitch
from payments.payout.services import approvals
from payments.payout.services.engine import engine
from payments.providers import breaker
from payments.providers.ports import (
    OutgoingState,
    OutgoingUpdate,
    ProviderRefused,
    ProviderTimeout,
)
from payments.providers.simulator import (
    books,
    callbacks,
    outgoing_books,
    outgoing_callbacks,
    outgoing_control,
)
from payments.providers.simulator.outgoing_magic import Product
from payments.providers.simulator.payout import SimulatorPayout
from tests.factories import payout_body
from tests.fixtures import ApiClient
from tests.payout.test_payouts import balance, credit, send

NOW = clock.now


@pytest.fixture(autouse=True)
def funds(merchant: Merchant) -> None:
    credit(merchant, "COPM", 1_000_000)


def create(api: ApiClient, document: str = "79123456", **changes: Any) -> Payout:
    response = send(api, payout_body(recipientDocNumber=document, **changes))
    assert response.status_code == 201, response.content
    return Payout.objects.get(pk=response.body["data"]["payoutId"])


def advance(minutes: float = 10, step_seconds: int = 5) -> datetime:
    """Lets the engine work through the next minutes."""
    start = NOW()
    for seconds in range(0, int(minutes * 60) + 1, step_seconds):
        engine.act_due(now=start + timedelta(seconds=seconds))
    return start


def say(payout: Payout, state: str, **changes: Any) -> None:
    update = OutgoingUpdate(
        reference=payout.provider_reference,
        provider_id="simpo_1",
        state=OutgoingState(state),
        occurred_at=NOW(),
        **changes,
    )
    engine.apply_update(provider=payout.provider, update=update, now=NOW())
    payout.refresh_from_db()


@pytest.mark.parametrize(
    ("document", "end", "executions"),
    [
        ("9999001001", "COMPLETED", 1),
        ("9999001002", "FAILED", 0),
        ("9999001004", "COMPLETED", 1),
        ("9999001005", "COMPLETED", 1),
        ("9999001006", "COMPLETED", 1),
        ("9999001007", "COMPLETED", 1),
        ("9999001011", "COMPLETED", 1),
    ],
)
def test_each_behaviour_of_a_rail_comes_to_one_end(
    api: ApiClient, merchant: Merchant, document: str, end: str, executions: int
) -> None:
    payout = create(api, document)
    advance(minutes=12)

    payout.refresh_from_db()
    assert payout.status == end
    assert outgoing_books.executions(payout.pk) == executions
    assert balance(merchant) == ((897_500 if executions else 1_000_000), 0)
    assert not ledger.verify().problems


def test_a_doubt_holds_the_money(api: ApiClient, merchant: Merchant) -> None:
    payout = create(api, "9999001004")
    engine.act_due(now=NOW())

    payout.refresh_from_db()
    assert payout.status == "PROCESSING"
    assert balance(merchant) == (897_500, 102_500)


def test_while_payouts_are_switched_off_nothing_is_sent(api: ApiClient, merchant: Merchant) -> None:
    payout = create(api, "9999001001")
    PayoutSwitch.objects.update(is_enabled=False)
    advance(minutes=1)
    payout.refresh_from_db()
    assert (payout.status, balance(merchant)) == ("PENDING", (897_500, 102_500))

    PayoutSwitch.objects.update(is_enabled=True)
    engine.act_due(now=NOW() + timedelta(minutes=3))
    payout.refresh_from_db()
    assert payout.status == "COMPLETED"


def test_a_call_is_not_repeated_while_it_may_be_under_way(api: ApiClient) -> None:
    payout = create(api, "9999001005")
    start = NOW()
    engine.act_due(now=start)
    for seconds in (5, 10, 20):
        payout.refresh_from_db()
        engine.ask(payment=payout, now=start + timedelta(seconds=seconds))
    assert books.calls(payout.provider_reference, "send") == 1

    engine.ask(payment=payout, now=start + timedelta(seconds=30))
    assert books.calls(payout.provider_reference, "send") == 2


def test_the_circuit_opens_when_only_sending_is_broken(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(port: Any, request: Any, timeout: float) -> OutgoingUpdate:
        raise ProviderTimeout("gone")

    monkeypatch.setattr(SimulatorPayout, "send", away)
    for _ in range(6):
        create(api, amount=1000)
        engine.act_due(now=NOW())
        engine.act_due(now=NOW() + timedelta(minutes=1))
        if breaker.is_open("payout:simulator"):
            break
    assert send(api, payout_body(amount=1000)).status_code == 503


def test_a_refund_by_hand_that_the_rail_contradicts_waits_for_an_operator(
    api: ApiClient, merchant: Merchant
) -> None:
    payout = create(api)
    engine.act_due(now=NOW())
    later = NOW() + timedelta(minutes=1)
    resolutions.resolve(
        engine=engine,
        payment=payout,
        outcome="REFUNDED",
        actor="ana",
        proof="p",
        reason="r",
        now=later,
    )
    say(payout, "COMPLETED")
    assert (payout.status, payout.needs_operator) == ("REFUNDED", True)


def test_after_a_day_an_operator_looks_too_and_the_rail_is_asked_on(
    api: ApiClient, merchant: Merchant
) -> None:
    payout = create(api)
    engine.act_due(now=NOW())
    for hours in range(1, 27):
        engine.act_due(now=NOW() + timedelta(hours=hours))

    payout.refresh_from_db()
    assert payout.status == "PROCESSING"
    assert payout.needs_operator
    assert payout.next_action_at > NOW() + timedelta(hours=25)
    assert balance(merchant) == (897_500, 102_500)


def test_a_second_call_that_is_refused_as_a_duplicate_releases_nothing(
    api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first call arrived late; the rail refuses its repetition instead of repeating itself."""
    payout = create(api)
    answers = iter([ProviderTimeout("slow"), ProviderRefused("INVALID_REQUEST", "duplicate")])
    states = iter([OutgoingState.UNKNOWN, OutgoingState.COMPLETED])

    def call(port: Any, request: Any, timeout: float) -> OutgoingUpdate:
        raise next(answers)

    def query(port: Any, reference: str) -> OutgoingUpdate:
        return OutgoingUpdate(
            reference=reference, provider_id="x", state=next(states), occurred_at=NOW()
        )

    monkeypatch.setattr(SimulatorPayout, "send", call)
    monkeypatch.setattr(SimulatorPayout, "query", query)
    advance(minutes=1)

    payout.refresh_from_db()
    assert payout.status == "COMPLETED"
    assert balance(merchant) == (897_500, 0)


class TestWhatTheRailSays:
    def test_repeats_change_nothing(self, api: ApiClient, merchant: Merchant) -> None:
        payout = create(api)
        engine.act_due(now=NOW())
        for _ in range(20):
            say(payout, "COMPLETED")
        assert balance(merchant) == (897_500, 0)
        for _ in range(20):
            say(payout, "RETURNED")
        assert (payout.status, balance(merchant)) == ("REFUNDED", (1_000_000, 0))
        say(payout, "COMPLETED")
        assert payout.status == "REFUNDED"
        assert not payout.needs_operator

    @pytest.mark.parametrize(("first", "then"), [("COMPLETED", "FAILED"), ("FAILED", "COMPLETED")])
    def test_a_contradiction_waits_for_an_operator(
        self, api: ApiClient, merchant: Merchant, first: str, then: str
    ) -> None:
        payout = create(api)
        engine.act_due(now=NOW())
        say(payout, first)
        before = balance(merchant)
        say(payout, then)

        assert payout.status == first
        assert payout.needs_operator
        assert balance(merchant) == before

    def test_another_amount_waits_for_an_operator(self, api: ApiClient) -> None:
        payout = create(api)
        engine.act_due(now=NOW())
        say(payout, "COMPLETED", amount=Decimal("99999.99"))

        assert payout.status == "PROCESSING"
        assert payout.needs_operator


class TestCallbacks:
    def tell(self, body: bytes, headers: dict[str, str], provider: str = "simulator") -> int:
        response = Client(raise_request_exception=False).post(
            f"/callbacks/payout/{provider}", body, content_type="application/json", headers=headers
        )
        assert response.headers["Content-Type"] == "application/json"
        return response.status_code

    def signed(self, payout: Payout) -> tuple[bytes, dict[str, str]]:
        record = outgoing_control.look(payout.provider_reference)
        update = outgoing_control.update_of(record)
        body = outgoing_callbacks.body_of(
            OutgoingUpdate(
                reference=update.reference,
                provider_id=update.provider_id,
                state=OutgoingState.COMPLETED,
                occurred_at=NOW(),
                amount=payout.amount,
            ),
            Product.PAYOUT,
        )
        return body, callbacks.signed_headers(body, NOW())

    def test_signed(self, api: ApiClient) -> None:
        payout = create(api)
        engine.act_due(now=NOW())
        body, headers = self.signed(payout)

        assert [self.tell(body, headers) for _ in range(64)] == [200] * 64
        payout.refresh_from_db()
        assert payout.status == "COMPLETED"
        assert not ledger.verify().problems

    def test_forged(self, api: ApiClient) -> None:
        payout = create(api)
        engine.act_due(now=NOW())
        body, headers = self.signed(payout)

        assert self.tell(body.replace(b"COMPLETED", b"FAILED"), headers) == 401
        assert self.tell(body, {}) == 401
        assert self.tell(body, headers, provider="acme") == 404
        old = callbacks.signed_headers(body, NOW() - timedelta(minutes=6))
        assert self.tell(body, old) == 401
        payout.refresh_from_db()
        assert payout.status == "PROCESSING"

    def test_of_a_payout_that_nobody_knows(self, api: ApiClient) -> None:
        payout = create(api)
        engine.act_due(now=NOW())
        body, _ = self.signed(payout)
        body = body.replace(payout.provider_reference.encode(), b"por_" + b"0" * 26)

        assert self.tell(body, callbacks.signed_headers(body, NOW())) == 404


class TestApproval:
    @pytest.fixture
    def waiting(self, api: ApiClient, merchant: Merchant) -> Payout:
        Merchant.objects.update(payout_approval_above=50_000, payout_approval_set_by="boss")
        return create(api)

    def test_below_the_threshold_nothing_waits(self, api: ApiClient) -> None:
        Merchant.objects.update(payout_approval_above=100_000)
        assert not create(api).needs_approval

    def test_it_waits_with_its_money_held(self, waiting: Payout, merchant: Merchant) -> None:
        advance(minutes=2)
        waiting.refresh_from_db()
        assert (waiting.status, waiting.needs_approval) == ("PENDING", True)
        assert balance(merchant) == (897_500, 102_500)
        assert outgoing_books.executions(waiting.pk) == 0

    def test_a_second_person_lets_it_go(self, waiting: Payout) -> None:
        approvals.approve(payout=waiting, actor="ana", reason="checked", now=NOW())
        engine.act_due(now=NOW())

        waiting.refresh_from_db()
        assert waiting.status == "PROCESSING"
        assert AuditEntry.objects.get(action="payout.approved").actor == "ana"
        with pytest.raises(NotAllowed):
            approvals.approve(payout=waiting, actor="ana", reason="again", now=NOW())

    def test_whoever_set_the_rule_cannot(self, waiting: Payout) -> None:
        for decide in (approvals.approve, approvals.reject):
            with pytest.raises(NotAllowed):
                decide(payout=waiting, actor="boss", reason="mine", now=NOW())

    def test_whoever_issued_the_key_that_asked_cannot(self, waiting: Payout) -> None:
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
    def test_by_hand(
        self, api: ApiClient, merchant: Merchant, outcome: str, available: int
    ) -> None:
        payout = create(api)
        engine.act_due(now=NOW())
        later = NOW() + timedelta(minutes=1)
        resolutions.resolve(
            engine=engine,
            payment=payout,
            outcome=outcome,
            actor="ana",
            proof="T-1",
            reason="seen",
            now=later,
        )
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
        engine.act_due(now=NOW())
        with pytest.raises(NotAllowed):
            resolutions.resolve(
                engine=engine,
                payment=payout,
                outcome=outcome,
                actor="a",
                proof="p",
                reason="r",
                now=NOW(),
            )
        assert balance(merchant) == (897_500, 102_500)

    def test_not_before_it_was_handed_over(self, api: ApiClient) -> None:
        payout = create(api)
        for outcome in ("COMPLETED", "FAILED", "REFUNDED", "PROCESSING", "PENDING"):
            with pytest.raises(NotAllowed):
                resolutions.resolve(
                    engine=engine,
                    payment=payout,
                    outcome=outcome,
                    actor="a",
                    proof="p",
                    reason="r",
                    now=NOW(),
                )
