"""What becomes of a top-up: the rail's answers, doubts, returns. Unknown is never failed."""

import time
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.test import Client

from merchants.models import Merchant
from payments.core import clock
from payments.core.models import Transition
from payments.ledger import services as ledger
from payments.ledger.models import Entry
from payments.outgoing import resolutions
from payments.outgoing.errors import NotAllowed
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
    waiting,
)
from payments.providers.simulator.outgoing_magic import Product
from payments.providers.simulator.topup import SimulatorTopup
from payments.topup import tasks
from payments.topup.models import TopUp
from payments.topup.services import topups
from payments.topup.services.engine import engine
from tests.fixtures import ApiClient
from tests.topup import stories
from tests.topup.stories import balance, bought, buy, live, read

HELD = (980_000, 20_000)
GONE = (980_000, 0)
BACK = (1_000_000, 0)


@pytest.fixture(autouse=True)
def _no_waiting() -> Iterator[None]:
    """A rail that does not answer is given up at once: the clock of these tests is not the wall."""
    waiting.released.set()
    yield
    waiting.released.clear()


def entries(topup: TopUp) -> list[str]:
    return list(Entry.objects.filter(subject_id=topup.pk).values_list("kind", flat=True))


def say(topup: TopUp, state: str, **changes: Any) -> None:
    update = OutgoingUpdate(
        reference=topup.provider_reference,
        provider_id="simto_1",
        state=OutgoingState(state),
        occurred_at=clock.now(),
        **changes,
    )
    engine.apply_update(provider=topup.provider, update=update, now=clock.now())
    topup.refresh_from_db()


@pytest.mark.parametrize(
    ("phone", "at_once", "end", "executions"),
    [
        (stories.CLEAN, "completed", "completed", 1),
        (stories.REFUSED, "failed", "failed", 0),
        (stories.SLOW, "processing", "completed", 1),
        (stories.LOST_AFTER, "processing", "completed", 1),
        (stories.LOST_BEFORE, "processing", "completed", 1),
        (stories.ERROR_AFTER, "processing", "completed", 1),
        (stories.QUERY_AWAY, "processing", "completed", 1),
        (stories.COMPLETED_LATER, "processing", "completed", 1),
        (stories.FAILED_LATER, "processing", "failed", 0),
        (stories.UNAVAILABLE, "processing", "completed", 1),
        (stories.PENDING, "processing", "processing", 0),
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
    assert outgoing_books.executions(topup.pk) == executions
    assert len(outgoing_books.by_payment_id(topup.pk)) <= 1
    assert balance(merchant) == {"completed": GONE, "failed": BACK, "processing": HELD}[end]
    # The key answers what became of it, and buys nothing more.
    again = buy(api, key="k-1", phone=phone)
    assert (again.status_code, again.body["data"]) == (201, read(api, topup.pk))
    assert again.headers["Idempotent-Replayed"] == "true"
    assert outgoing_books.executions(topup.pk) == executions
    assert not ledger.verify().problems


class TestAnswer:
    def test_while_it_is_processing(self, api: ApiClient) -> None:
        data = buy(api, phone=stories.SLOW).body["data"]
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
        response = buy(api, phone=stories.REFUSED)
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
            topup = bought(api, phone=stories.RETURNED)
            completed = read(api, topup.pk)
        assert completed["status"] == "completed"
        outgoing_control.wake()

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
        topup = bought(api, phone=stories.PENDING)
        resolutions.resolve(
            engine=engine,
            payment=topup,
            outcome="FAILED",
            actor="ana",
            proof="letter 5",
            reason="the rail's clerk said so",
            now=clock.now() + timedelta(minutes=5),
        )
        data = read(api, topup.pk)
        assert (data["status"], data["failureReason"]) == ("failed", "DECIDED_BY_OPERATOR")
        assert "letter" not in str(data)


class TestDoubt:
    def test_a_request_waits_no_longer_than_its_budget(
        self, api: ApiClient, merchant: Merchant, settings: Any
    ) -> None:
        settings.OUTGOING_BUDGET_SECONDS = 0.5
        waiting.released.clear()
        started = time.monotonic()
        response = buy(api, phone=stories.SLOW)
        passed = time.monotonic() - started

        assert response.body["data"]["status"] == "processing"
        assert 0.3 < passed < 2
        assert balance(merchant) == HELD

    def test_the_call_gets_what_is_left_of_it(
        self, api: ApiClient, monkeypatch: pytest.MonkeyPatch, settings: Any
    ) -> None:
        heard = []

        def send(port: Any, request: Any, timeout: float) -> OutgoingUpdate:
            heard.append(timeout)
            raise ProviderTimeout("gone")

        monkeypatch.setattr(SimulatorTopup, "send", send)
        buy(api)
        assert settings.OUTGOING_BUDGET_SECONDS == 10
        assert 8 < heard[0] <= 10

    def test_who_waited_too_long_for_the_balance_leaves_it_to_the_scanner(
        self, api: ApiClient, merchant: Merchant, settings: Any
    ) -> None:
        settings.OUTGOING_BUDGET_SECONDS = 0
        topup = bought(api)
        assert (topup.status, balance(merchant)) == ("PROCESSING", HELD)
        assert books.calls(topup.provider_reference, "send") == 0

        live(seconds=60)
        assert read(api, topup.pk)["status"] == "completed"
        assert outgoing_books.executions(topup.pk) == 1

    def test_a_request_that_dies_after_reserving_is_finished_by_the_scanner(
        self, api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as broken:

            def die(*_: Any, **__: Any) -> None:
                raise RuntimeError("killed")

            broken.setattr(topups.engine, "call", die)
            assert buy(api, key="k-1").status_code == 500
        assert balance(merchant) == HELD
        assert buy(api, key="k-1").body["data"]["status"] == "processing"

        live(seconds=60)
        assert buy(api, key="k-1").body["data"]["status"] == "completed"
        assert balance(merchant) == GONE

    def test_a_call_is_not_repeated_while_it_may_be_under_way(self, api: ApiClient) -> None:
        topup = bought(api, phone=stories.LOST_BEFORE)
        for seconds in (5, 10, 20):
            topup.refresh_from_db()
            engine.ask(payment=topup, now=topup.sent_at + timedelta(seconds=seconds))
        assert books.calls(topup.provider_reference, "send") == 1

        engine.ask(payment=topup, now=topup.sent_at + timedelta(seconds=30))
        assert books.calls(topup.provider_reference, "send") == 2
        assert outgoing_books.executions(topup.pk) == 1

    def test_after_a_day_an_operator_looks_too(self, api: ApiClient, merchant: Merchant) -> None:
        topup = bought(api, phone=stories.PENDING)
        live(seconds=26 * 3600, step_seconds=1800)
        topup.refresh_from_db()
        assert (topup.status, topup.needs_operator) == ("PROCESSING", True)
        assert balance(merchant) == HELD

    def test_nobody_decides_while_the_call_may_be_under_way(self, api: ApiClient) -> None:
        topup = bought(api, phone=stories.PENDING)
        with pytest.raises(NotAllowed):
            resolutions.resolve(
                engine=engine,
                payment=topup,
                outcome="FAILED",
                actor="ana",
                proof="p",
                reason="r",
                now=clock.now(),
            )

    def test_the_circuit_opens_for_what_is_new(
        self, api: ApiClient, merchant: Merchant, settings: Any
    ) -> None:
        for _ in range(settings.PROVIDER_BREAKER_FAILURES):
            assert buy(api, phone=stories.LOST_AFTER).status_code == 201
        assert breaker.is_open("topup:simulator")
        before = balance(merchant)
        assert buy(api).status_code == 503
        assert balance(merchant) == before
        # Payouts have a circuit of their own.
        assert not breaker.is_open("payout:simulator")

    def test_the_scanner_is_a_task(self, api: ApiClient) -> None:
        topup = bought(api, phone=stories.LOST_AFTER)
        with time_machine.travel(clock.now() + timedelta(seconds=6)):
            tasks.act_due()
        assert read(api, topup.pk)["status"] == "completed"
        tasks.send_topup(topup.pk)
        assert books.calls(topup.provider_reference, "send") == 1


class TestWhatTheRailSays:
    def test_repeats_change_nothing(self, api: ApiClient, merchant: Merchant) -> None:
        topup = bought(api, phone=stories.PENDING)
        for _ in range(20):
            say(topup, "COMPLETED", authorization="123456")
        assert (topup.authorization, balance(merchant)) == ("123456", GONE)
        for _ in range(20):
            say(topup, "RETURNED", reason="REFUSED_BY_PROVIDER")
        assert (topup.status, balance(merchant)) == ("REFUNDED", BACK)
        say(topup, "COMPLETED")
        assert (topup.status, topup.needs_operator) == ("REFUNDED", False)

    @pytest.mark.parametrize(("first", "then"), [("COMPLETED", "FAILED"), ("FAILED", "COMPLETED")])
    def test_a_contradiction_waits_for_an_operator(
        self, api: ApiClient, merchant: Merchant, first: str, then: str
    ) -> None:
        topup = bought(api, phone=stories.PENDING)
        say(topup, first)
        before = balance(merchant)
        say(topup, then)
        assert (topup.status, topup.needs_operator) == (first, True)
        assert balance(merchant) == before

    def test_another_amount_waits_for_an_operator(self, api: ApiClient, merchant: Merchant) -> None:
        topup = bought(api, phone=stories.PENDING)
        say(topup, "COMPLETED", amount=Decimal("19999.99"))
        assert (topup.status, topup.needs_operator) == ("PROCESSING", True)
        assert balance(merchant) == HELD

    def test_an_answer_about_another_topup_ends_nobodys(
        self, api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        other = bought(api, phone=stories.PENDING)

        def confused(port: Any, request: Any, timeout: float) -> OutgoingUpdate:
            return OutgoingUpdate(
                reference=other.provider_reference,
                provider_id="simto_1",
                state=OutgoingState.COMPLETED,
                occurred_at=clock.now(),
            )

        monkeypatch.setattr(SimulatorTopup, "send", confused)
        assert buy(api).body["data"]["status"] == "processing"
        other.refresh_from_db()
        assert other.status == "PROCESSING"

    def test_a_refused_repetition_releases_nothing_that_arrived(
        self, api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        answers = iter([ProviderTimeout("slow"), ProviderRefused("INVALID_REQUEST", "duplicate")])
        states = iter([OutgoingState.UNKNOWN, OutgoingState.COMPLETED])

        def send(port: Any, request: Any, timeout: float) -> OutgoingUpdate:
            raise next(answers)

        def query(port: Any, reference: str) -> OutgoingUpdate:
            return OutgoingUpdate(
                reference=reference, provider_id="x", state=next(states), occurred_at=clock.now()
            )

        monkeypatch.setattr(SimulatorTopup, "send", send)
        monkeypatch.setattr(SimulatorTopup, "query", query)
        topup = bought(api)
        later = topup.sent_at + timedelta(seconds=30)
        engine.ask(payment=topup, now=later)
        topup.refresh_from_db()
        assert (topup.status, balance(merchant)) == ("COMPLETED", GONE)

    def test_who_moved_it_is_told(self, api: ApiClient) -> None:
        topup = bought(api)
        moves = Transition.objects.filter(subject_id=topup.pk)
        assert [(move.to_state, move.actor) for move in moves] == [("COMPLETED", "simulator")]


class TestCallbacks:
    def tell(self, body: bytes, headers: dict[str, str], provider: str = "simulator") -> int:
        response = Client(raise_request_exception=False).post(
            f"/callbacks/topup/{provider}", body, content_type="application/json", headers=headers
        )
        assert response.headers["Content-Type"] == "application/json"
        return response.status_code

    def said(self, topup: TopUp, product: Product = Product.TOPUP) -> bytes:
        update = OutgoingUpdate(
            reference=topup.provider_reference,
            provider_id="simto_1",
            state=OutgoingState.COMPLETED,
            occurred_at=clock.now(),
            amount=topup.amount,
            authorization="123456",
        )
        return outgoing_callbacks.body_of(update, product)

    def test_signed(self, api: ApiClient, merchant: Merchant) -> None:
        topup = bought(api, phone=stories.PENDING)
        body = self.said(topup)
        headers = callbacks.signed_headers(body, clock.now())
        assert [self.tell(body, headers) for _ in range(64)] == [200] * 64
        data = read(api, topup.pk)
        assert (data["status"], data["ticket"]["authorization"]) == ("completed", "123456")
        assert balance(merchant) == GONE
        assert not ledger.verify().problems

    def test_forged(self, api: ApiClient) -> None:
        topup = bought(api, phone=stories.PENDING)
        body = self.said(topup)
        assert self.tell(body, {}) == 401
        headers = callbacks.signed_headers(body, clock.now())
        assert self.tell(body + b" ", headers) == 401
        old = callbacks.signed_headers(body, clock.now() - timedelta(minutes=6))
        assert self.tell(body, old) == 401
        assert read(api, topup.pk)["status"] == "processing"

    def test_about_another_product(self, api: ApiClient) -> None:
        topup = bought(api, phone=stories.PENDING)
        for product in (Product.PAYOUT, Product.BILL):
            body = self.said(topup, product)
            assert self.tell(body, callbacks.signed_headers(body, clock.now())) == 401
        assert read(api, topup.pk)["status"] == "processing"

    def test_of_a_topup_or_provider_that_nobody_knows(self, api: ApiClient) -> None:
        topup = bought(api, phone=stories.PENDING)
        body = self.said(topup)
        headers = callbacks.signed_headers(body, clock.now())
        assert self.tell(body, headers, "nobody") == 404
        unknown = body.replace(topup.provider_reference.encode(), b"tor_" + b"0" * 26)
        assert self.tell(unknown, callbacks.signed_headers(unknown, clock.now())) == 404
