"""Refunds and unmatched funds while the payer's bank asks for the same money: no claim is paid
twice, and the merchant keeps nothing that the bank took.
"""

from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from merchants.models import Merchant
from payments.collect.models import Charge, Dispute, Order, Refund, UnmatchedFunds
from payments.collect.services.disputes import dispute_decisions
from payments.collect.services.errors import FundsContested
from payments.collect.services.refunds import refund_requests
from payments.collect.services.refunds.refund_engine import engine
from payments.collect.services.resolution import unmatched_resolution
from payments.core import clock
from payments.core.errors import NotAllowed
from payments.providers.ports import DisputeKind, DisputeState, DisputeUpdate
from payments.simulator import disputes as rail
from tests.collect.test_unmatched import apply_to, credit, late
from tests.support.charges import create, say, start
from tests.support.disputes import spend, system
from tests.support.fixtures import ApiClient
from tests.support.funds import balance, fund
from tests.support.invariants import check_invariants
from tests.support.outgoing_payments import resolve
from tests.support.refunds import AFTER, approve, ask, asked, paid, reject, told

pytestmark = pytest.mark.django_db
ALL = Decimal(50_025)


@pytest.fixture(autouse=True)
def _every_event(merchant: Merchant, settings: Any) -> None:
    settings.DOORBELL = False
    merchant.event_kinds = list(AFTER)
    merchant.save()


@pytest.fixture
def order(api: ApiClient, merchant: Merchant) -> Order:
    """Paid, and more than that in the balance."""
    fund(merchant, 100_000)
    return paid(api)


def tell(charge: Charge, state: str = "OPEN", amount: Any = ALL, case: str = "case-7") -> Dispute:
    """The rail says it of that very charge."""
    update = DisputeUpdate(
        reference=case,
        charge_reference=charge.pk,
        kind=DisputeKind.CHARGEBACK,
        state=DisputeState(state),
        amount=Decimal(amount),
        currency="COP",
        reason="unknown to me",
        occurred_at=clock.now(),
    )
    assert rail.send_callback(update) == 200
    return Dispute.objects.get(provider_reference=case)


def charge_of(order: Order) -> Charge:
    return Charge.objects.get(order=order)


def comes_back(refund: Refund, outcome: str = "REFUNDED") -> None:
    resolve(engine, refund, outcome, actor="beto")


def nothing_is_left(order: Order, merchant: Merchant) -> None:
    """The payer has it from the bank, the merchant has lost it, and there is no more."""
    dispute = Dispute.objects.get(order=order)
    assert (dispute.status, dispute.amount, dispute.shortfall) == ("LOST", ALL, 0)
    assert balance(merchant) == (150_000 - ALL, 0)
    assert system("losses") == 0
    assert refund_requests.refundable(order) == 0
    assert Refund.objects.taking(order).count() == 0
    check_invariants([merchant.pk])


class TestARefundInFlight:
    def test_refund_rejected_while_the_bank_claims_its_money(
        self, api: ApiClient, merchant: Merchant, order: Order
    ) -> None:
        refund = asked(api, order)
        dispute = tell(charge_of(order))
        assert (dispute.amount, dispute.held) == (0, 0)
        reject(refund)
        dispute.refresh_from_db()
        assert (dispute.amount, dispute.held) == (ALL, ALL)  # what came free is held at once
        assert ask(api, order, "again").body["error"]["details"]["max"] == 0
        tell(charge_of(order), "LOST")
        nothing_is_left(order, merchant)

    def test_refund_rejected_after_the_bank_took_its_money(
        self, api: ApiClient, merchant: Merchant, order: Order
    ) -> None:
        spend(merchant, 99_975)  # the refund holds all that there is
        refund = asked(api, order)
        dispute = tell(charge_of(order), "LOST")
        assert (dispute.shortfall, system("losses")) == (ALL, -ALL)
        reject(refund)
        dispute.refresh_from_db()
        assert (dispute.amount, dispute.shortfall) == (ALL, 0)
        assert (balance(merchant), system("losses")) == ((0, 0), 0)

    def test_refund_comes_back_while_the_bank_claims_its_money(
        self, api: ApiClient, merchant: Merchant, order: Order
    ) -> None:
        refund = approve(asked(api, order))
        tell(charge_of(order))
        comes_back(refund)
        tell(charge_of(order), "LOST")
        nothing_is_left(order, merchant)

    def test_refund_comes_back_after_the_bank_took_its_money(
        self, api: ApiClient, merchant: Merchant, order: Order
    ) -> None:
        refund = approve(asked(api, order))
        tell(charge_of(order), "LOST")
        assert system("losses") == -ALL
        comes_back(refund)
        nothing_is_left(order, merchant)

    def test_refund_is_not_approved_while_the_bank_claims_its_money(
        self, api: ApiClient, merchant: Merchant, order: Order
    ) -> None:
        refund = asked(api, order)
        tell(charge_of(order))
        with pytest.raises(NotAllowed):
            approve(refund)
        tell(charge_of(order), "WON")
        assert approve(refund).status == "COMPLETED"
        check_invariants([merchant.pk])

    def test_refund_is_not_approved_after_the_bank_took_its_money(
        self, api: ApiClient, merchant: Merchant, order: Order
    ) -> None:
        refund = asked(api, order)
        tell(charge_of(order), "LOST")
        with pytest.raises(NotAllowed):
            approve(refund)
        reject(refund)
        nothing_is_left(order, merchant)

    def test_refund_beside_what_the_bank_took_is_approved(
        self, api: ApiClient, merchant: Merchant, order: Order
    ) -> None:
        refund = asked(api, order, amount=20_025)
        tell(charge_of(order), "LOST", amount=30_000)
        assert approve(refund).status == "COMPLETED"
        check_invariants([merchant.pk])

    def test_each_refund_that_comes_back_makes_good_its_part(
        self, api: ApiClient, merchant: Merchant, order: Order
    ) -> None:
        parts = [approve(asked(api, order, f"r-{n}", amount=n)) for n in (20_000, 30_025)]
        tell(charge_of(order), "LOST")
        for left, refund in zip((30_025, 0), parts, strict=True):
            comes_back(refund)
            assert Dispute.objects.get().shortfall == left
        nothing_is_left(order, merchant)


def test_a_won_dispute_leaves_its_money_to_the_other(merchant: Merchant, order: Order) -> None:
    charge = charge_of(order)
    tell(charge, amount=30_000, case="case-1")
    second = tell(charge, "LOST", case="case-2")
    assert (second.amount, second.shortfall) == (20_025, 30_000)
    tell(charge, "WON", amount=30_000, case="case-1")
    second.refresh_from_db()
    assert (second.amount, second.shortfall) == (ALL, 0)
    assert (balance(merchant), system("losses")) == ((150_000 - ALL, 0), 0)
    check_invariants([merchant.pk])


class TestMoneyThatPaidNothing:
    """A claim is against the money of one charge, and not against the order that it was for."""

    @pytest.fixture
    def second(self, order: Order) -> Charge:
        """Pays the same order again: the money lies in suspense."""
        first = charge_of(order)
        charge = Charge.objects.create(
            order=order,
            method="PSE",
            flow="REDIRECT",
            provider=first.provider,
            currency="COP",
            amount=first.amount,
            covers=first.covers,
            payer=first.payer,
            status="PENDING",
            created_at=clock.now(),
        )
        say(charge, "SUCCEEDED", charge.amount)
        return charge

    def test_claim_against_a_second_success_is_paid_from_suspense(
        self, merchant: Merchant, order: Order, second: Charge
    ) -> None:
        dispute = tell(second)
        assert (dispute.amount, dispute.held, dispute.needs_operator) == (0, 0, True)
        funds = UnmatchedFunds.objects.get()
        with pytest.raises(FundsContested):
            credit(funds)
        assert refund_requests.refundable(order) == ALL
        dispute = tell(second, "LOST")
        funds.refresh_from_db()
        assert (dispute.suspended, dispute.shortfall) == (ALL, 0)
        assert (funds.status, funds.proof) == ("RETURNED", f"{dispute.pk} case-7")
        assert (balance(merchant), system("suspense"), system("losses")) == ((150_000, 0), 0, 0)
        assert "payment.chargeback" not in [kind for kind, _ in told(order)]
        check_invariants([merchant.pk])

    def test_money_of_a_won_dispute_stays_unmatched(
        self, merchant: Merchant, second: Charge
    ) -> None:
        tell(second)
        assert tell(second, "WON").held == 0
        credit(UnmatchedFunds.objects.get())
        check_invariants([merchant.pk])

    def test_loss_of_a_won_dispute_is_booked_once(self, merchant: Merchant, second: Charge) -> None:
        """What lay in suspense covers it, and nothing of the second time is our loss."""
        tell(second)
        tell(second, "WON")
        for _ in range(2):
            dispute = tell(second, "LOST")
            assert dispute.needs_operator
            book = partial(
                dispute_decisions.acknowledge,
                dispute=dispute,
                finding=dispute_decisions.Finding(reason="statement", is_loss=True),
                actor="ana",
                now=clock.now(),
            )
            if dispute.suspended:
                with pytest.raises(NotAllowed):
                    book()
            else:
                book()
            dispute.refresh_from_db()
            assert (dispute.suspended, dispute.shortfall) == (ALL, 0)
        assert (balance(merchant), system("suspense"), system("losses")) == ((150_000, 0), 0, 0)
        check_invariants([merchant.pk])

    def test_excess_of_applied_money_covers_the_claim(
        self, api: ApiClient, merchant: Merchant, order: Order
    ) -> None:
        funds, other = late(api), create(api, amount=30_000)
        apply_to(funds, other)
        rest = UnmatchedFunds.objects.get(status="OPEN")
        assert (rest.amount, rest.charge.origin) == (20_010, funds.charge)
        dispute = tell(funds.charge, "LOST")
        assert (dispute.order, dispute.amount) == (other, 30_015)
        assert (dispute.suspended, dispute.shortfall, system("losses")) == (20_010, 0, 0)
        check_invariants([merchant.pk])

    def test_claim_against_applied_money_is_of_the_order_it_paid(
        self, api: ApiClient, merchant: Merchant, order: Order
    ) -> None:
        funds, other = late(api), create(api)
        apply_to(funds, other)
        dispute = tell(funds.charge)
        assert (dispute.order, dispute.amount, dispute.held) == (other, ALL, ALL)
        assert "payment.chargeback" in [kind for kind, _ in told(other)]
        other.refresh_from_db()
        assert refund_requests.refundable(other) == 0
        tell(funds.charge, "LOST")
        assert balance(merchant) == (200_000 - ALL, 0)
        check_invariants([merchant.pk])

    def test_dispute_opened_before_the_application_stays_one_case(
        self, api: ApiClient, merchant: Merchant, order: Order
    ) -> None:
        funds, other = late(api), create(api)
        tell(funds.charge)
        with pytest.raises(FundsContested):
            apply_to(funds, other)
        tell(funds.charge, "WON")
        apply_to(UnmatchedFunds.objects.get(pk=funds.pk), other)
        dispute = tell(funds.charge, "LOST")
        assert (dispute.order, dispute.status, dispute.needs_operator) == (funds.order, "WON", True)
        check_invariants([merchant.pk])

    def test_claim_against_credited_money_waits_for_an_operator(
        self, api: ApiClient, merchant: Merchant, order: Order
    ) -> None:
        funds = late(api)
        credit(funds)
        before = balance(merchant)
        dispute = tell(funds.charge)
        assert (dispute.order, dispute.amount, dispute.needs_operator) == (funds.order, 0, True)
        dispute = tell(funds.charge, "LOST")
        assert (dispute.shortfall, dispute.needs_operator) == (ALL, True)
        assert balance(merchant) == before
        check_invariants([merchant.pk])

    def test_excess_of_a_payment_is_not_claimed_from_the_merchant(
        self, api: ApiClient, order: Order
    ) -> None:
        bought = create(api)
        charge = start(bought, "BANK_TRANSFER")
        say(charge, "SUCCEEDED", 80_000)
        dispute = tell(charge, amount=80_000)
        assert (dispute.amount, dispute.needs_operator) == (ALL, True)
        dispute = tell(charge, "LOST", amount=80_000)
        assert (dispute.suspended, dispute.shortfall) == (29_975, 0)

    def test_money_returned_by_an_operator_and_taken_by_the_bank_is_our_loss(
        self, api: ApiClient, merchant: Merchant, order: Order
    ) -> None:
        funds = late(api)
        unmatched_resolution.return_to_payer(
            funds=funds, proof="slip 9", actor="ana", reason="asked for", now=clock.now()
        )
        dispute = tell(funds.charge, "LOST")
        assert (dispute.suspended, dispute.shortfall) == (0, ALL)
        check_invariants([merchant.pk])
