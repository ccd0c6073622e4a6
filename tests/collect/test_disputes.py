"""Disputes and chargebacks: what is at stake is held, and the balance never falls below zero."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from merchants.models import Merchant
from payments.collect.models import Charge, Dispute, Order
from payments.collect.services import disputes, refunds
from payments.collect.services.errors import (
    AmountAboveClaim,
    AmountAboveRefundable,
    DisputeClosed,
    OrderNotDisputable,
)
from payments.collect.services.outcomes import UnknownCharge
from payments.core import clock
from payments.core.models import AuditEntry
from payments.ledger import recipes
from payments.ledger import services as ledger
from payments.ledger.models import Posting
from payments.outgoing.errors import NotAllowed
from payments.providers.ports import DisputeKind, DisputeState, DisputeUpdate
from payments.providers.simulator import disputes as rail
from payments.providers.simulator.callbacks import signed_headers
from tests.collect.refund_stories import AFTER, approve, ask, asked, paid, told
from tests.collect.stories import available, books_are_clean, create, start
from tests.faults.judge import judge
from tests.fixtures import ApiClient

pytestmark = pytest.mark.django_db
DUE = clock.now().replace(microsecond=0) + timedelta(days=10)


@pytest.fixture(autouse=True)
def _every_event(merchant: Merchant, settings: Any) -> None:
    settings.DOORBELL = False
    merchant.event_kinds = list(AFTER)
    merchant.save()


@pytest.fixture
def order(api: ApiClient) -> Order:
    """Paid: 50,025 by the payer, 50,000 in the balance."""
    return paid(api)


def give(merchant: Merchant, amount: int) -> None:
    recipes.sandbox_credited(
        merchant_id=merchant.pk,
        currency="COPM",
        amount=Decimal(amount),
        reference=f"gift-{amount}",
        now=clock.now(),
    )


def spend(merchant: Merchant, amount: int) -> None:
    """Money that has left by some other way."""
    ledger.post(
        kind="test",
        subject_id="po_1",
        dedupe=f"spent-{amount}",
        lines=[
            ledger.Line(ledger.available(merchant.pk, "COPM"), Decimal(-amount)),
            ledger.Line(ledger.clearing("BANK", "COPM"), Decimal(amount)),
        ],
        now=clock.now(),
    )


def update(order: Order, state: str = "OPEN", kind: str = "DISPUTE", **changes: Any) -> Any:
    values: dict[str, Any] = {
        "reference": "case-7",
        "charge_reference": Charge.objects.get(order=order).pk,
        "kind": DisputeKind(kind),
        "state": DisputeState(state),
        "amount": Decimal(50_025),
        "currency": "COP",
        "reason": "The payer knows nothing of it",
        "evidence_due_at": DUE,
        "occurred_at": clock.now(),
    }
    return DisputeUpdate(**{**values, **changes})


def tell(order: Order, *args: Any, **changes: Any) -> Dispute:
    """The rail says it, with its signature."""
    assert rail.tell(update(order, *args, **changes)) == 200
    return Dispute.objects.get(provider_reference=changes.get("reference", "case-7"))


def balances(merchant: Merchant) -> tuple[Decimal, Decimal]:
    found = ledger.balances(merchant.pk)["COPM"]
    return found["available"], found["held"]


def system(kind: str) -> Decimal:
    rows = Posting.objects.filter(account__kind=kind, account__currency="COPM")
    return sum(rows.values_list("amount", flat=True), Decimal(0))


def kinds(order: Order) -> list[str]:
    after_payment = ("payment.completed", "payment.confirmed")
    return sorted(kind for kind, _ in told(order) if kind not in after_payment)


def test_it_works(merchant: Merchant, order: Order) -> None:
    give(merchant, 25)
    dispute = tell(order)

    assert (dispute.status, dispute.kind, dispute.held) == ("OPEN", "DISPUTE", 50_025)
    assert balances(merchant) == (0, 50_025)
    (data,) = [data for kind, data in told(order) if kind == "payment.disputed"]
    assert (data["id"], data["disputeId"], data["disputedAmount"]) == (order.pk, dispute.pk, 50025)
    assert data["reason"] == "The payer knows nothing of it"
    assert data["evidenceDueAt"] == clock.iso(DUE)
    assert data["openedAt"] == clock.iso(dispute.opened_at)

    tell(order, "WON")
    dispute.refresh_from_db()
    assert (dispute.status, dispute.shortfall) == ("WON", 0)
    assert dispute.closed_at is not None
    assert balances(merchant) == (50_025, 0)
    assert kinds(order) == ["payment.disputed"]
    assert books_are_clean()


def test_lost_the_money_is_gone_and_the_merchant_is_told(merchant: Merchant, order: Order) -> None:
    give(merchant, 25)
    tell(order)
    cleared = system("clearing")
    dispute = tell(order, "LOST")

    assert (dispute.status, dispute.shortfall) == ("LOST", 0)
    assert balances(merchant) == (0, 0)
    assert system("clearing") == cleared + 50_025
    assert system("losses") == 0
    assert kinds(order) == ["payment.chargeback", "payment.disputed"]
    assert books_are_clean()


def test_a_chargeback_is_told_once(order: Order) -> None:
    tell(order, kind="CHARGEBACK")
    tell(order, "LOST", kind="CHARGEBACK")
    assert kinds(order) == ["payment.chargeback"]


def test_a_dispute_becomes_a_chargeback(order: Order) -> None:
    tell(order)
    dispute = tell(order, kind="CHARGEBACK")
    assert dispute.kind == "CHARGEBACK"
    tell(order)  # late news of the question
    tell(order, "LOST")
    dispute.refresh_from_db()
    assert (dispute.kind, dispute.status) == ("CHARGEBACK", "LOST")
    assert kinds(order) == ["payment.chargeback", "payment.disputed"]


def test_a_chargeback_after_the_decision_is_a_contradiction(
    merchant: Merchant, order: Order
) -> None:
    tell(order)
    tell(order, "WON")
    before = balances(merchant)
    dispute = tell(order, kind="CHARGEBACK")
    assert (dispute.status, dispute.kind, dispute.needs_operator) == ("WON", "DISPUTE", True)
    assert balances(merchant) == before
    assert kinds(order) == ["payment.disputed"]


def test_what_was_said_before_a_loss_is_no_contradiction(order: Order) -> None:
    tell(order)
    tell(order, "LOST")
    assert not tell(order, kind="CHARGEBACK").needs_operator
    assert kinds(order) == ["payment.chargeback", "payment.disputed"]


def test_a_later_limit_for_evidence_is_kept(order: Order) -> None:
    tell(order)
    longer = DUE + timedelta(days=5)
    assert tell(order, evidence_due_at=longer).evidence_due_at == longer
    # What the rail said before comes late.
    before = clock.now() - timedelta(hours=1)
    assert tell(order, occurred_at=before).evidence_due_at == longer
    assert tell(order, evidence_due_at=None).evidence_due_at == longer


def test_one_reference_on_two_orders_is_two_disputes(
    api: ApiClient, stranger_api: ApiClient, stranger: Merchant, merchant: Merchant, order: Order
) -> None:
    """The rail must not use it twice, and no claim is lost when it does."""
    theirs = paid(stranger_api)
    first = tell(order)
    assert rail.tell(update(theirs)) == 200
    second = Dispute.objects.exclude(pk=first.pk).get()
    assert (second.order, second.held, second.needs_operator) == (theirs, 50_000, True)
    first.refresh_from_db()
    assert not first.needs_operator
    assert rail.tell(update(theirs, "LOST")) == 200
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.status, second.status) == ("OPEN", "LOST")
    judge([merchant.pk, stranger.pk])


def test_repeats_change_nothing(merchant: Merchant, order: Order) -> None:
    for _ in range(3):
        tell(order)
    for _ in range(3):
        tell(order, "LOST")
    tell(order)
    assert Dispute.objects.count() == 1
    assert kinds(order) == ["payment.chargeback", "payment.disputed"]
    assert books_are_clean()


def test_the_end_may_be_the_first_that_is_heard(merchant: Merchant, order: Order) -> None:
    dispute = tell(order, "LOST", kind="CHARGEBACK")
    assert (dispute.status, dispute.held, dispute.shortfall) == ("LOST", 50_000, 25)
    assert balances(merchant) == (0, 0)
    assert system("losses") == -25
    assert books_are_clean()


@pytest.mark.parametrize(
    ("spent", "comes", "held", "shortfall", "left"),
    [
        (0, 0, 50_000, 25, 0),  # our fee is missing, and nothing comes
        (30_000, 0, 20_000, 30_025, 0),
        (50_000, 0, 0, 50_025, 0),
        (50_000, 10_000, 0, 40_025, 0),
        (30_000, 100_000, 20_000, 0, 69_975),
    ],
)
def test_the_balance_gives_what_it_has_and_the_service_bears_the_rest(
    merchant: Merchant,
    order: Order,
    spent: int,
    comes: int,
    held: int,
    shortfall: int,
    left: int,
) -> None:
    if spent:
        spend(merchant, spent)
    dispute = tell(order)
    assert dispute.held == held
    assert balances(merchant) == (50_000 - spent - held, held)
    if comes:
        give(merchant, comes)
    dispute = tell(order, "LOST")
    assert dispute.shortfall == shortfall
    assert system("losses") == -shortfall
    assert balances(merchant) == (left, 0)
    assert books_are_clean()


def test_won_with_nothing_held_moves_nothing(merchant: Merchant, order: Order) -> None:
    spend(merchant, 50_000)
    tell(order)
    assert tell(order, "WON").status == "WON"
    assert balances(merchant) == (0, 0)


class TestTogetherWithRefunds:
    @pytest.fixture(autouse=True)
    def _funds(self, merchant: Merchant) -> None:
        give(merchant, 200_000)

    def test_what_is_contested_is_not_refunded(self, api: ApiClient, order: Order) -> None:
        tell(order, amount=Decimal(30_000))
        answer = ask(api, order, amount=20_026)
        assert answer.body["error"]["details"]["max"] == 20025
        assert ask(api, order, "r-2", amount=20_025).status_code == 201

    def test_a_won_dispute_leaves_all_to_refund(self, api: ApiClient, order: Order) -> None:
        tell(order)
        assert ask(api, order, amount=1).body["error"]["details"]["max"] == 0
        tell(order, "WON")
        assert ask(api, order, "r-2").body["data"]["amount"] == 50025

    def test_a_lost_dispute_leaves_nothing(self, api: ApiClient, order: Order) -> None:
        tell(order)
        tell(order, "LOST")
        assert ask(api, order, amount=1).body["error"]["details"]["max"] == 0

    def test_a_claim_for_more_than_is_left_is_no_debt_of_the_merchant(
        self, api: ApiClient, merchant: Merchant, order: Order
    ) -> None:
        approve(asked(api, order, amount=40_000))
        before, _ = balances(merchant)
        dispute = tell(order)
        assert (dispute.claimed, dispute.amount, dispute.held) == (50_025, 10_025, 10_025)
        assert dispute.needs_operator
        tell(order, "LOST")
        dispute.refresh_from_db()
        assert dispute.shortfall == 40_000
        assert balances(merchant) == (before - 10_025, 0)
        assert refunds.refundable(order) == 0
        assert books_are_clean()


class TestByHand:
    def open(self, order: Order, amount: int = 50_025, kind: str = "DISPUTE") -> Dispute:
        return disputes.open_by_hand(
            order=order,
            kind=kind,
            amount=Decimal(amount),
            reason="a letter of the bank",
            evidence_due_at=None,
            actor="ana",
            now=clock.now(),
        )

    def decide(self, dispute: Dispute, outcome: str, actor: str = "beto", **changes: Any) -> None:
        disputes.decide_by_hand(
            dispute=dispute,
            outcome=outcome,
            actor=actor,
            proof="letter 12",
            reason="as written",
            now=clock.now(),
            **changes,
        )

    def test_an_operator_opens_and_decides(self, merchant: Merchant, order: Order) -> None:
        first, second = self.open(order, 20_000), self.open(order, 10_000)
        assert first.provider_reference is second.provider_reference is None
        assert balances(merchant) == (20_000, 30_000)
        self.decide(first, "LOST")
        self.decide(second, "WON")
        assert balances(merchant) == (30_000, 0)
        acts = AuditEntry.objects.filter(subject_id=first.pk).values_list("action", flat=True)
        assert set(acts) == {"dispute.opened", "dispute.decided"}
        with pytest.raises(DisputeClosed):
            self.decide(first, "WON")
        assert books_are_clean()

    def test_one_alone_cannot_open_and_lose(self, merchant: Merchant, order: Order) -> None:
        dispute = self.open(order, 20_000)
        with pytest.raises(NotAllowed):
            self.decide(dispute, "LOST", "ana")
        assert balances(merchant) == (30_000, 20_000)
        self.decide(dispute, "WON", "ana")  # gives back only
        self.decide(self.open(order, 10_000), "LOST", "beto")
        assert balances(merchant) == (40_000, 0)

    def test_the_bank_took_a_part_only(self, merchant: Merchant, order: Order) -> None:
        """The rail names another amount at the end, and an operator books what it took."""
        give(merchant, 25)
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
        assert balances(merchant) == (30_025, 0)
        assert (system("clearing"), system("losses")) == (cleared + 20_000, 0)
        assert refunds.refundable(order) == 30_025
        # The rail repeats itself: that is what is on the books.
        assert not tell(order, "LOST", amount=Decimal(20_000)).needs_operator
        judge([merchant.pk])

    def test_won_and_then_the_bank_took_it(self, merchant: Merchant, order: Order) -> None:
        give(merchant, 25)
        tell(order)
        tell(order, "WON")
        dispute = tell(order, "LOST")
        before, cleared = balances(merchant), system("clearing")
        assert dispute.needs_operator
        found = {"dispute": dispute, "actor": "ana", "reason": "statement", "proof": "page 3"}
        with pytest.raises(AmountAboveClaim):
            disputes.acknowledge(**found, is_loss=True, amount=Decimal(50_026), now=clock.now())
        disputes.acknowledge(**found, is_loss=True, amount=Decimal(20_000), now=clock.now())
        dispute.refresh_from_db()
        assert (dispute.status, dispute.shortfall) == ("WON", 20_000)
        assert balances(merchant) == before
        assert (system("losses"), system("clearing")) == (-20_000, cleared + 20_000)
        assert refunds.refundable(order) == 30_025  # the payer has the rest already
        assert tell(order, "LOST").needs_operator
        with pytest.raises(NotAllowed):
            disputes.acknowledge(**found, is_loss=True, now=clock.now())
        judge([merchant.pk])

    def test_there_is_no_loss_of_what_was_lost_by_the_merchant(self, order: Order) -> None:
        tell(order, "LOST")
        dispute = tell(order, "WON")
        with pytest.raises(NotAllowed):
            disputes.acknowledge(
                dispute=dispute, actor="ana", reason="statement", is_loss=True, now=clock.now()
            )
        dispute.refresh_from_db()
        assert dispute.needs_operator

    def test_the_rail_tells_what_an_operator_opened(self, merchant: Merchant, order: Order) -> None:
        """It is one case, booked once."""
        give(merchant, 25)
        first = self.open(order)
        cleared = system("clearing")
        assert tell(order, kind="CHARGEBACK").pk == first.pk
        dispute = tell(order, "LOST", kind="CHARGEBACK")
        assert (dispute.status, dispute.evidence_due_at) == ("LOST", DUE)
        assert Dispute.objects.count() == 1
        assert (system("clearing"), system("losses")) == (cleared + 50_025, 0)
        assert kinds(order) == ["payment.chargeback", "payment.disputed"]
        judge([merchant.pk])

    def test_another_amount_is_another_case(self, order: Order) -> None:
        self.open(order, 20_000)
        tell(order, amount=Decimal(30_000))
        assert Dispute.objects.count() == 2

    def test_not_for_more_than_is_left(self, order: Order) -> None:
        self.open(order, 40_000)
        with pytest.raises(AmountAboveRefundable):
            self.open(order, 10_026)

    def test_not_of_an_unpaid_order(self, api: ApiClient) -> None:
        with pytest.raises(OrderNotDisputable):
            self.open(create(api))

    def test_evidence_is_kept_until_the_decision(self, order: Order) -> None:
        dispute = self.open(order)
        for text in ("the receipt", "the waybill"):
            disputes.add_evidence(
                dispute=dispute, text=text, actor="ana", reason="by mail", now=clock.now()
            )
        dispute.refresh_from_db()
        first, second = dispute.evidence.splitlines()
        assert first.endswith("ana: the receipt")
        assert second.endswith("ana: the waybill")
        self.decide(dispute, "WON")
        with pytest.raises(DisputeClosed):
            disputes.add_evidence(
                dispute=dispute, text="late", actor="ana", reason="by mail", now=clock.now()
            )

    def test_the_rail_contradicts_and_an_operator_looks(
        self, merchant: Merchant, order: Order
    ) -> None:
        tell(order)
        dispute = tell(order, "WON")
        before = balances(merchant)
        dispute = tell(order, "LOST")
        assert (dispute.status, dispute.needs_operator) == ("WON", True)
        assert balances(merchant) == before
        disputes.acknowledge(dispute=dispute, actor="ana", reason="their mistake", now=clock.now())
        dispute.refresh_from_db()
        assert not dispute.needs_operator
        with pytest.raises(DisputeClosed):
            disputes.acknowledge(dispute=dispute, actor="ana", reason="again", now=clock.now())

    def test_another_amount_of_the_same_case_moves_nothing(self, order: Order) -> None:
        tell(order)
        dispute = tell(order, "LOST", amount=Decimal(50_024))
        assert (dispute.status, dispute.needs_operator) == ("OPEN", True)


class TestTheCallback:
    def post(self, body: bytes, headers: dict[str, str] | None = None) -> int:
        given = signed_headers(body, clock.now()) if headers is None else headers
        response = Client().post(
            "/callbacks/dispute/simulator", body, content_type="application/json", headers=given
        )
        return response.status_code

    def test_unsigned_is_nothing(self, order: Order) -> None:
        assert self.post(rail.body_of(update(order)), {}) == 401
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
    def test_what_makes_no_sense_changes_nothing(
        self, order: Order, changes: dict[str, Any], status: int
    ) -> None:
        assert rail.tell(update(order, **changes)) == status
        assert not Dispute.objects.exists()

    def test_of_an_unpaid_order(self, api: ApiClient) -> None:
        """The rail is heard, and somebody looks; the merchant has nothing to do with it."""
        order = create(api)
        start(order)
        dispute = tell(order)
        assert (dispute.amount, dispute.held, dispute.needs_operator) == (0, 0, True)
        assert kinds(order) == []

    def test_another_providers_words_are_not_about_our_charge(self, order: Order) -> None:
        with pytest.raises(UnknownCharge):
            disputes.apply_update(provider="acme", update=update(order), now=clock.now())
        assert not Dispute.objects.exists()

    def test_words_about_a_refund_open_no_dispute(self, api: ApiClient, order: Order) -> None:
        body = rail.body_of(update(order)).replace(b'"dispute"', b'"refund"')
        assert self.post(body) == 401
        ours = rail.body_of(update(order))
        for path in ("payin", "payout", "refund"):
            response = Client().post(
                f"/callbacks/{path}/simulator",
                ours,
                content_type="application/json",
                headers=signed_headers(ours, clock.now()),
            )
            assert response.status_code == 401

    def test_an_unknown_rail(self, order: Order) -> None:
        response = Client().post("/callbacks/dispute/acme", b"{}", content_type="application/json")
        assert response.status_code == 404


def test_available_is_what_can_be_spent(merchant: Merchant, order: Order) -> None:
    tell(order, amount=Decimal(10_000))
    assert available(merchant) == 40_000
