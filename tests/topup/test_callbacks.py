"""What the rail says of a top-up by itself: repeats, contradictions, and callbacks over HTTP.

Only what is signed and about this top-up moves it, and it moves once.
"""

from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from merchants.models import Merchant
from payments.core import clock
from payments.core.models import Transition
from payments.ledger import services as ledger
from payments.providers.ports import (
    Known,
    OutgoingState,
    OutgoingUpdate,
    ProviderRefused,
    ProviderTimeout,
)
from payments.simulator import callbacks, messages
from payments.simulator.magic import OutgoingProduct
from payments.simulator.outgoing import SimulatorTopup
from payments.topup.models import TopUp
from payments.topup.services.engine import engine
from tests.support import topups
from tests.support.fixtures import ApiClient
from tests.support.funds import balance
from tests.support.outgoing_payments import call_back
from tests.support.topups import BACK, GONE, HELD, bought, buy, read, say

pytestmark = pytest.mark.usefixtures("no_waiting")
tell = partial(call_back, OutgoingProduct.TOPUP)


class TestWhatTheRailSays:
    def test_repeated_callbacks_change_nothing(self, api: ApiClient, merchant: Merchant) -> None:
        topup = bought(api, phone=topups.PENDING)
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
        topup = bought(api, phone=topups.PENDING)
        say(topup, first)
        before = balance(merchant)
        say(topup, then)
        assert (topup.status, topup.needs_operator) == (first, True)
        assert balance(merchant) == before

    def test_another_amount_waits_for_an_operator(self, api: ApiClient, merchant: Merchant) -> None:
        topup = bought(api, phone=topups.PENDING)
        say(topup, "COMPLETED", amount=Decimal("19999.99"))
        assert (topup.status, topup.needs_operator) == ("PROCESSING", True)
        assert balance(merchant) == HELD

    def test_an_answer_about_another_topup_ends_nobodys(
        self, api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        other = bought(api, phone=topups.PENDING)

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

        def query(port: Any, known: Known) -> OutgoingUpdate:
            return OutgoingUpdate(
                reference=known.reference,
                provider_id="x",
                state=next(states),
                occurred_at=clock.now(),
            )

        monkeypatch.setattr(SimulatorTopup, "send", send)
        monkeypatch.setattr(SimulatorTopup, "query", query)
        topup = bought(api)
        later = topup.sent_at + timedelta(seconds=30)
        engine.query(payment=topup, now=later)
        topup.refresh_from_db()
        assert (topup.status, balance(merchant)) == ("COMPLETED", GONE)

    def test_who_moved_it_is_told(self, api: ApiClient) -> None:
        topup = bought(api)
        moves = Transition.objects.filter(subject_id=topup.pk)
        assert [(move.to_state, move.actor) for move in moves] == [("COMPLETED", "simulator")]


class TestCallbacks:
    def said(self, topup: TopUp, product: OutgoingProduct = OutgoingProduct.TOPUP) -> bytes:
        update = OutgoingUpdate(
            reference=topup.provider_reference,
            provider_id="simto_1",
            state=OutgoingState.COMPLETED,
            occurred_at=clock.now(),
            amount=topup.amount,
            authorization="123456",
        )
        return messages.body_of(update, product)

    def test_signed_callback_of_the_provider_is_accepted(
        self, api: ApiClient, merchant: Merchant
    ) -> None:
        topup = bought(api, phone=topups.PENDING)
        body = self.said(topup)
        headers = callbacks.signed_headers(body, clock.now())
        assert [tell(body, headers) for _ in range(64)] == [200] * 64
        data = read(api, topup.pk)
        assert (data["status"], data["ticket"]["authorization"]) == ("completed", "123456")
        assert balance(merchant) == GONE
        assert not ledger.verify().problems

    def test_forged_callback_is_401_and_changes_nothing(self, api: ApiClient) -> None:
        topup = bought(api, phone=topups.PENDING)
        body = self.said(topup)
        assert tell(body, {}) == 401
        headers = callbacks.signed_headers(body, clock.now())
        assert tell(body + b" ", headers) == 401
        old = callbacks.signed_headers(body, clock.now() - timedelta(minutes=6))
        assert tell(body, old) == 401
        assert read(api, topup.pk)["status"] == "processing"

    def test_callback_about_another_product_is_404(self, api: ApiClient) -> None:
        topup = bought(api, phone=topups.PENDING)
        for product in (OutgoingProduct.PAYOUT, OutgoingProduct.BILL):
            body = self.said(topup, product)
            assert tell(body, callbacks.signed_headers(body, clock.now())) == 401
        assert read(api, topup.pk)["status"] == "processing"

    def test_callback_of_an_unknown_provider_is_404_and_one_about_no_topup_is_taken(
        self, api: ApiClient
    ) -> None:
        topup = bought(api, phone=topups.PENDING)
        body = self.said(topup)
        headers = callbacks.signed_headers(body, clock.now())
        assert tell(body, headers, "unknown") == 404
        unknown = body.replace(topup.provider_reference.encode(), b"tor_" + b"0" * 26)
        assert tell(unknown, callbacks.signed_headers(unknown, clock.now())) == 200
