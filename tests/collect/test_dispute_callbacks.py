"""What the rail says of disputes over HTTP: signed, and about a charge of ours, or nothing changes.

Words about another product open no dispute, and an unknown rail is a 404.
"""

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from payments.collect.models import Dispute, Order
from payments.collect.services.charges.charge_updates import UnknownCharge
from payments.collect.services.disputes import dispute_updates
from payments.core import clock
from payments.simulator import disputes as rail
from payments.simulator import messages
from payments.simulator.callbacks import signed_headers
from tests.support.charges import create, start
from tests.support.disputes import kinds, tell, update
from tests.support.fixtures import ApiClient

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("every_event")]


class TestTheCallback:
    def post(self, body: bytes, headers: dict[str, str] | None = None) -> int:
        given = signed_headers(body, clock.now()) if headers is None else headers
        response = Client().post(
            "/callbacks/dispute/simulator", body, content_type="application/json", headers=given
        )
        return response.status_code

    def test_unsigned_dispute_callback_is_refused(self, order: Order) -> None:
        assert self.post(messages.body_of(update(order)), {}) == 401
        assert not Dispute.objects.exists()

    @pytest.mark.parametrize(
        ("changes", "status"),
        [
            ({"charge_reference": "chg_00000000000000000000000000"}, 404),
            ({"charge_reference": "nonsense"}, 404),
            ({"currency": "USDT"}, 400),
            ({"amount": Decimal("0.001")}, 400),
            ({"amount": Decimal(0)}, 401),
            ({"reference": ""}, 401),
            ({"reference": "a\x00b"}, 401),
        ],
    )
    def test_senseless_dispute_callback_changes_nothing(
        self, order: Order, changes: dict[str, Any], status: int
    ) -> None:
        assert rail.send_callback(update(order, **changes)) == status
        assert not Dispute.objects.exists()

    def test_dispute_of_an_unpaid_order_is_kept_and_waits(self, api: ApiClient) -> None:
        """The report is recorded, and an operator looks; the merchant has nothing to do with it."""
        order = create(api)
        start(order)
        dispute = tell(order)
        assert (dispute.amount, dispute.held, dispute.needs_operator) == (0, 0, True)
        assert kinds(order) == []

    def test_update_of_another_provider_is_not_about_our_charge(self, order: Order) -> None:
        with pytest.raises(UnknownCharge):
            dispute_updates.apply_dispute_update(
                provider="acme", update=update(order), now=clock.now()
            )
        assert not Dispute.objects.exists()

    def test_callback_about_a_refund_opens_no_dispute(self, api: ApiClient, order: Order) -> None:
        body = messages.body_of(update(order)).replace(b'"dispute"', b'"refund"')
        assert self.post(body) == 401
        ours = messages.body_of(update(order))
        for path in ("payin", "payout", "refund"):
            response = Client().post(
                f"/callbacks/{path}/simulator",
                ours,
                content_type="application/json",
                headers=signed_headers(ours, clock.now()),
            )
            assert response.status_code == 401

    def test_dispute_callback_of_an_unknown_rail_is_not_found(self, order: Order) -> None:
        response = Client().post("/callbacks/dispute/acme", b"{}", content_type="application/json")
        assert response.status_code == 404
