"""Disputes in the hands of operators: opened from a letter, decided by two, evidence kept.

What the rail says of the same case later is booked once, or waits for an operator to look.
"""

from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from merchants.models import Merchant
from payments.collect.models import Dispute, Order
from payments.collect.services.disputes import dispute_decisions
from payments.collect.services.errors import (
    AmountAboveClaim,
    AmountAboveRefundable,
    DisputeClosed,
    OrderNotDisputable,
)
from payments.collect.services.refunds import refund_requests
from payments.core import clock
from payments.core.errors import NotAllowed
from payments.core.models import AuditEntry
from tests.support.charges import books_are_clean, create
from tests.support.disputes import DUE, kinds, system, tell
from tests.support.fixtures import ApiClient
from tests.support.funds import balance, fund
from tests.support.invariants import check_invariants
from tests.support.refunds import approve, asked

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("every_event")]


class TestByHand:
    def open(self, order: Order, amount: int = 50_025, kind: str = "DISPUTE") -> Dispute:
        return dispute_decisions.open_by_operator(
            order=order,
            claim=dispute_decisions.NewDispute(
                kind=kind, amount=Decimal(amount), reason="a letter of the bank"
            ),
            actor="ana",
            now=clock.now(),
        )

    def decide(self, dispute: Dispute, outcome: str, actor: str = "beto", **changes: Any) -> None:
        dispute_decisions.record_decision(
            dispute=dispute,
            decision=dispute_decisions.BankDecision(
                outcome=outcome, proof="letter 12", reason="as written", **changes
            ),
            actor=actor,
            now=clock.now(),
        )

    def test_operators_open_disputes_and_record_decisions(
        self, merchant: Merchant, order: Order
    ) -> None:
        first, second = self.open(order, 20_000), self.open(order, 10_000)
        assert first.provider_reference is second.provider_reference is None
        assert balance(merchant) == (20_000, 30_000)
        self.decide(first, "LOST")
        self.decide(second, "WON")
        assert balance(merchant) == (30_000, 0)
        acts = AuditEntry.objects.filter(subject_id=first.pk).values_list("action", flat=True)
        assert set(acts) == {"dispute.opened", "dispute.decided"}
        with pytest.raises(DisputeClosed):
            self.decide(first, "WON")
        assert books_are_clean()

    def test_operator_who_opened_a_dispute_cannot_record_that_it_is_lost(
        self, merchant: Merchant, order: Order
    ) -> None:
        dispute = self.open(order, 20_000)
        with pytest.raises(NotAllowed):
            self.decide(dispute, "LOST", "ana")
        assert balance(merchant) == (30_000, 20_000)
        self.decide(dispute, "WON", "ana")  # gives back only
        self.decide(self.open(order, 10_000), "LOST", "beto")
        assert balance(merchant) == (40_000, 0)

    def test_bank_that_took_only_a_part_leaves_the_rest_to_the_merchant(
        self, merchant: Merchant, order: Order
    ) -> None:
        """The rail names another amount at the end, and an operator books what it took."""
        fund(merchant, 25)
        tell(order)
        dispute = tell(order, "LOST", amount=Decimal(20_000))
        assert (dispute.status, dispute.needs_operator) == ("OPEN", True)
        cleared = system("clearing")
        for wrong in (Decimal(0), Decimal(50_026)):
            with pytest.raises(AmountAboveClaim):
                self.decide(dispute, "LOST", amount=wrong)
        with pytest.raises(NotAllowed):
            self.decide(dispute, "WON", amount=Decimal(20_000))
        self.decide(dispute, "LOST", amount=Decimal(20_000))
        dispute.refresh_from_db()
        assert (dispute.status, dispute.claimed, dispute.needs_operator) == ("LOST", 20_000, False)
        assert (dispute.held, dispute.shortfall) == (20_000, 0)
        assert balance(merchant) == (30_025, 0)
        assert (system("clearing"), system("losses")) == (cleared + 20_000, 0)
        assert refund_requests.refundable(order) == 30_025
        # The rail repeats itself: that is what is on the books.
        assert not tell(order, "LOST", amount=Decimal(20_000)).needs_operator
        check_invariants([merchant.pk])

    def test_what_the_bank_took_is_never_more_of_the_merchant_than_its_part(
        self, api: ApiClient, merchant: Merchant, order: Order, funds: None
    ) -> None:
        """30,000 went back before: of the claim only the rest is the merchant's."""
        approve(asked(api, order, amount=30_000))
        dispute = tell(order)
        assert (dispute.claimed, dispute.amount) == (50_025, 20_025)
        before = sum(balance(merchant))
        self.decide(dispute, "LOST", amount=Decimal(40_000))
        dispute.refresh_from_db()
        assert (dispute.claimed, dispute.amount, dispute.shortfall) == (40_000, 20_025, 19_975)
        assert (sum(balance(merchant)), system("losses")) == (before - 20_025, -19_975)
        check_invariants([merchant.pk])

    def test_loss_of_a_won_dispute_is_borne_by_the_service_once(
        self, merchant: Merchant, order: Order
    ) -> None:
        fund(merchant, 25)
        tell(order)
        tell(order, "WON")
        dispute = tell(order, "LOST")
        before, cleared = balance(merchant), system("clearing")
        assert dispute.needs_operator
        book = partial(dispute_decisions.acknowledge, dispute=dispute, actor="ana", now=clock.now())
        loss = dispute_decisions.Finding(reason="statement", proof="page 3", is_loss=True)
        with pytest.raises(AmountAboveClaim):
            book(finding=replace(loss, amount=Decimal(50_026)))
        book(finding=replace(loss, amount=Decimal(20_000)))
        dispute.refresh_from_db()
        assert (dispute.status, dispute.shortfall) == ("WON", 20_000)
        assert balance(merchant) == before
        assert (system("losses"), system("clearing")) == (-20_000, cleared + 20_000)
        assert refund_requests.refundable(order) == 30_025  # the payer has the rest already
        assert tell(order, "LOST").needs_operator
        with pytest.raises(NotAllowed):
            book(finding=loss)
        check_invariants([merchant.pk])

    def test_there_is_no_loss_of_what_was_lost_by_the_merchant(self, order: Order) -> None:
        tell(order, "LOST")
        dispute = tell(order, "WON")
        with pytest.raises(NotAllowed):
            dispute_decisions.acknowledge(
                dispute=dispute,
                finding=dispute_decisions.Finding(reason="statement", is_loss=True),
                actor="ana",
                now=clock.now(),
            )
        dispute.refresh_from_db()
        assert dispute.needs_operator

    def test_dispute_that_an_operator_opened_and_the_rail_reports_is_one_case(
        self, merchant: Merchant, order: Order
    ) -> None:
        """It is one case, booked once."""
        fund(merchant, 25)
        first = self.open(order)
        cleared = system("clearing")
        assert tell(order, kind="CHARGEBACK").pk == first.pk
        dispute = tell(order, "LOST", kind="CHARGEBACK")
        assert (dispute.status, dispute.evidence_due_at) == ("LOST", DUE)
        assert Dispute.objects.count() == 1
        assert (system("clearing"), system("losses")) == (cleared + 50_025, 0)
        assert kinds(order) == ["payment.chargeback", "payment.disputed"]
        check_invariants([merchant.pk])

    def test_another_amount_is_another_case(self, order: Order) -> None:
        self.open(order, 20_000)
        tell(order, amount=Decimal(30_000))
        assert Dispute.objects.count() == 2

    def test_dispute_is_not_opened_for_more_than_is_refundable(self, order: Order) -> None:
        self.open(order, 40_000)
        with pytest.raises(AmountAboveRefundable):
            self.open(order, 10_026)

    def test_dispute_of_an_unpaid_order_is_refused(self, api: ApiClient) -> None:
        with pytest.raises(OrderNotDisputable):
            self.open(create(api))

    def test_evidence_is_kept_until_the_decision(self, order: Order) -> None:
        dispute = self.open(order)
        for text in ("the receipt", "the waybill"):
            dispute_decisions.add_evidence(
                dispute=dispute, text=text, actor="ana", reason="by mail", now=clock.now()
            )
        dispute.refresh_from_db()
        first, second = dispute.evidence.splitlines()
        assert first.endswith("ana: the receipt")
        assert second.endswith("ana: the waybill")
        self.decide(dispute, "WON")
        with pytest.raises(DisputeClosed):
            dispute_decisions.add_evidence(
                dispute=dispute, text="late", actor="ana", reason="by mail", now=clock.now()
            )

    def test_contradiction_of_the_rail_waits_for_an_operator(
        self, merchant: Merchant, order: Order
    ) -> None:
        tell(order)
        dispute = tell(order, "WON")
        before = balance(merchant)
        dispute = tell(order, "LOST")
        assert (dispute.status, dispute.needs_operator) == ("WON", True)
        assert balance(merchant) == before
        dispute_decisions.acknowledge(
            dispute=dispute,
            finding=dispute_decisions.Finding(reason="their mistake"),
            actor="ana",
            now=clock.now(),
        )
        dispute.refresh_from_db()
        assert not dispute.needs_operator
        with pytest.raises(DisputeClosed):
            dispute_decisions.acknowledge(
                dispute=dispute,
                finding=dispute_decisions.Finding(reason="again"),
                actor="ana",
                now=clock.now(),
            )

    def test_another_amount_of_the_same_case_moves_nothing(self, order: Order) -> None:
        tell(order)
        dispute = tell(order, "LOST", amount=Decimal(50_024))
        assert (dispute.status, dispute.needs_operator) == ("OPEN", True)
