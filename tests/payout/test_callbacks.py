"""What the rail says of a payout by itself: repeats, contradictions, and callbacks over HTTP.

Only what is signed and about this payout moves it, and it moves once.
"""

from datetime import timedelta
from decimal import Decimal
from functools import partial

import pytest

from merchants.models import Merchant
from payments.ledger import services as ledger
from payments.payout.models import Payout
from payments.payout.services.engine import engine
from payments.providers.ports import OutgoingState, OutgoingUpdate
from payments.simulator import callbacks, control, messages
from payments.simulator.magic import OutgoingProduct
from tests.support.fixtures import ApiClient
from tests.support.funds import balance
from tests.support.outgoing_payments import call_back
from tests.support.payouts import NOW, create, say

pytestmark = pytest.mark.usefixtures("funds")
tell = partial(call_back, OutgoingProduct.PAYOUT)


class TestWhatTheRailSays:
    def test_repeated_callbacks_change_nothing(self, api: ApiClient, merchant: Merchant) -> None:
        payout = create(api)
        engine.process_due(now=NOW())
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
        engine.process_due(now=NOW())
        say(payout, first)
        before = balance(merchant)
        say(payout, then)

        assert payout.status == first
        assert payout.needs_operator
        assert balance(merchant) == before

    def test_another_amount_waits_for_an_operator(self, api: ApiClient) -> None:
        payout = create(api)
        engine.process_due(now=NOW())
        say(payout, "COMPLETED", amount=Decimal("99999.99"))

        assert payout.status == "PROCESSING"
        assert payout.needs_operator

    def test_text_that_no_column_takes_does_not_keep_a_payout_open(self, api: ApiClient) -> None:
        payout = create(api)
        engine.process_due(now=NOW())
        text = "a\x00b"
        say(payout, "COMPLETED", authorization=text, learned={"transactionId": text})

        assert payout.status == "COMPLETED"
        assert payout.provider_state == {"transactionId": "ab"}


class TestCallbacks:
    def signed(self, payout: Payout) -> tuple[bytes, dict[str, str]]:
        record = control.refresh_outgoing(payout.provider_reference)
        update = record.update
        body = messages.body_of(
            OutgoingUpdate(
                reference=update.reference,
                provider_id=update.provider_id,
                state=OutgoingState.COMPLETED,
                occurred_at=NOW(),
                amount=payout.amount,
            ),
            OutgoingProduct.PAYOUT,
        )
        return body, callbacks.signed_headers(body, NOW())

    def test_signed_callback_of_the_provider_is_accepted(self, api: ApiClient) -> None:
        payout = create(api)
        engine.process_due(now=NOW())
        body, headers = self.signed(payout)

        assert [tell(body, headers) for _ in range(64)] == [200] * 64
        payout.refresh_from_db()
        assert payout.status == "COMPLETED"
        assert not ledger.verify().problems

    def test_forged_callback_is_401_and_changes_nothing(self, api: ApiClient) -> None:
        payout = create(api)
        engine.process_due(now=NOW())
        body, headers = self.signed(payout)

        assert tell(body.replace(b"COMPLETED", b"FAILED"), headers) == 401
        assert tell(body, {}) == 401
        assert tell(body, headers, provider="acme") == 404
        old = callbacks.signed_headers(body, NOW() - timedelta(minutes=6))
        assert tell(body, old) == 401
        payout.refresh_from_db()
        assert payout.status == "PROCESSING"

    def test_callback_about_no_payout_of_ours_is_taken(self, api: ApiClient) -> None:
        payout = create(api)
        engine.process_due(now=NOW())
        body, _ = self.signed(payout)
        body = body.replace(payout.provider_reference.encode(), b"por_" + b"0" * 26)

        assert tell(body, callbacks.signed_headers(body, NOW())) == 200
