"""Payouts made by hand wait for a second person of the merchant's own team."""

from copy import copy
from dataclasses import replace
from decimal import Decimal

import pytest
from django.contrib.auth.models import User

from merchants.models import Merchant
from payments.core.errors import NotAllowed
from payments.core.models import AuditEntry
from payments.payout.models import Payout, TeamApproval
from payments.payout.services import approval_rules, approvals, by_hand, repeats
from payments.payout.services.approval_rules import NewPolicy, Tier, WrongRule
from payments.payout.services.engine import engine
from payments.simulator import store
from tests.support.fixtures import ApiClient
from tests.support.funds import balance
from tests.support.hand_payouts import approver, ask, hand_payout, preparer
from tests.support.merchant_staff import person_of
from tests.support.payouts import NOW, advance, create

pytestmark = pytest.mark.usefixtures("funds")


@pytest.fixture
def pilar(merchant: Merchant) -> User:
    return preparer(merchant)


@pytest.fixture
def andres(merchant: Merchant) -> User:
    return approver(merchant)


def approve(payout: Payout, user: User) -> bool:
    return approvals.approve_for_team(payout=payout, user=user, reason="Checked", now=NOW())


def status_after_scan(payout: Payout) -> str:
    engine.process_due(now=NOW())
    payout.refresh_from_db()
    return payout.status


class TestSecondPerson:
    def test_payout_by_hand_waits_with_its_money_held(
        self, merchant: Merchant, pilar: User, andres: User
    ) -> None:
        payout = ask(merchant, pilar)
        advance(minutes=2)
        payout.refresh_from_db()
        flags = (payout.status, payout.needs_team_approval, payout.needs_approval)
        assert flags == ("PENDING", True, False)
        assert balance(merchant) == (897_500, 102_500)
        assert store.executions(payout.pk) == 0

    def test_approval_of_a_colleague_sends_it(
        self, merchant: Merchant, pilar: User, andres: User
    ) -> None:
        payout = ask(merchant, pilar)
        assert approve(payout, andres)
        assert status_after_scan(payout) == "PROCESSING"
        row = AuditEntry.objects.get(action="payout.team_approved")
        assert (row.actor, row.subject_id) == ("andres", payout.pk)
        assert TeamApproval.objects.get(pk=payout.pk).status == "APPROVED"

    def test_team_of_an_account_that_is_not_active_sends_nothing(
        self, merchant: Merchant, pilar: User, andres: User
    ) -> None:
        payout = ask(merchant, pilar)
        Merchant.objects.filter(pk=merchant.pk).update(is_active=False)
        with pytest.raises(NotAllowed, match="may not make payouts now"):
            approve(payout, andres)
        assert status_after_scan(payout) == "PENDING"
        assert store.executions(payout.pk) == 0
        approvals.reject_for_team(payout=payout, user=andres, reason="Not ours", now=NOW())
        assert balance(merchant) == (1_000_000, 0)

    def test_person_who_asked_does_not_approve(self, merchant: Merchant, andres: User) -> None:
        approver(merchant, "berta")
        payout = ask(merchant, andres)
        with pytest.raises(NotAllowed, match="asked for this"):
            approve(payout, andres)
        payout.refresh_from_db()
        assert payout.needs_team_approval

    def test_preparer_does_not_approve(self, merchant: Merchant, pilar: User, andres: User) -> None:
        approver(merchant, "berta")
        payout = ask(merchant, andres)
        with pytest.raises(NotAllowed, match="Only an approver"):
            approve(payout, pilar)

    def test_approver_of_another_merchant_does_not_approve(
        self, merchant: Merchant, stranger: Merchant, pilar: User, andres: User
    ) -> None:
        payout = ask(merchant, pilar)
        with pytest.raises(NotAllowed, match="Only an approver"):
            approve(payout, approver(stranger, "ajeno"))

    def test_two_accounts_with_one_mailbox_are_one_person(
        self, merchant: Merchant, pilar: User, andres: User
    ) -> None:
        payout = ask(merchant, pilar)
        User.objects.filter(pk=andres.pk).update(email="PILAR+dos@comercio.example")
        andres.refresh_from_db()
        with pytest.raises(NotAllowed, match="no second person"):
            approve(payout, andres)

    def test_person_who_made_the_account_of_the_preparer_does_not_approve(
        self, merchant: Merchant, andres: User
    ) -> None:
        made = person_of(merchant, "paco", "Merchant payments", actor="andres")
        approver(merchant, "berta")
        payout = ask(merchant, made)
        with pytest.raises(NotAllowed, match="created an account"):
            approve(payout, andres)

    def test_rejected_payout_gives_the_money_back(
        self, merchant: Merchant, pilar: User, andres: User
    ) -> None:
        payout = ask(merchant, pilar)
        approvals.reject_for_team(payout=payout, user=andres, reason="Wrong", now=NOW())
        payout.refresh_from_db()
        assert (payout.status, payout.needs_team_approval) == ("FAILED", False)
        assert balance(merchant) == (1_000_000, 0)
        with pytest.raises(NotAllowed):
            approve(payout, andres)

    def test_person_who_asked_withdraws_it(
        self, merchant: Merchant, pilar: User, andres: User
    ) -> None:
        payout = ask(merchant, pilar)
        with pytest.raises(NotAllowed, match="may withdraw"):
            approvals.withdraw(payout=payout, user=andres, reason="No", now=NOW())
        approvals.withdraw(payout=payout, user=pilar, reason="Twice", now=NOW())
        payout.refresh_from_db()
        assert payout.status == "FAILED"
        assert balance(merchant) == (1_000_000, 0)

    def test_person_who_asked_withdraws_it_while_only_an_operator_is_missing(
        self, merchant: Merchant, pilar: User, andres: User
    ) -> None:
        Merchant.objects.filter(pk=merchant.pk).update(payout_approval_above=50_000)
        payout = ask(merchant, pilar)
        assert approve(payout, andres)
        payout.refresh_from_db()
        assert (payout.needs_team_approval, payout.needs_approval) == (False, True)
        other = preparer(merchant, "paula")
        with pytest.raises(NotAllowed, match="Only the person who asked for it, or an approver"):
            approvals.withdraw(payout=payout, user=other, reason="No", now=NOW())
        approvals.withdraw(payout=payout, user=pilar, reason="Twice", now=NOW())
        assert status_after_scan(payout) == "FAILED"
        assert balance(merchant) == (1_000_000, 0)
        with pytest.raises(NotAllowed, match="does not wait for approval"):
            approvals.approve(payout=payout, actor="olga", reason="Late", now=NOW())

    def test_sent_payout_is_not_withdrawn(
        self, merchant: Merchant, pilar: User, andres: User
    ) -> None:
        payout = ask(merchant, pilar)
        assert approve(payout, andres)
        with pytest.raises(NotAllowed, match="does not wait for approval"):
            approvals.withdraw(payout=payout, user=pilar, reason="Late", now=NOW())


class TestOperators:
    def test_operator_approves_where_the_team_has_no_second_person(
        self, merchant: Merchant, pilar: User
    ) -> None:
        payout = ask(merchant, pilar)
        assert (payout.needs_team_approval, payout.needs_approval) == (False, True)
        approvals.approve(payout=payout, actor="ana2", reason="By phone", now=NOW())
        assert status_after_scan(payout) == "PROCESSING"

    def test_operator_does_not_replace_a_team_that_can_decide(
        self, merchant: Merchant, pilar: User, andres: User
    ) -> None:
        payout = ask(merchant, pilar)
        with pytest.raises(NotAllowed):
            approvals.approve(payout=payout, actor="ana2", reason="By phone", now=NOW())

    def test_operator_approves_after_the_only_approver_has_left(
        self, merchant: Merchant, pilar: User, andres: User
    ) -> None:
        payout = ask(merchant, pilar)
        andres.is_active = False
        andres.save()
        assert approvals.waits_for_operator(payout)
        approvals.approve(payout=payout, actor="ana2", reason="By phone", now=NOW())
        payout.refresh_from_db()
        assert not payout.is_held_back
        assert TeamApproval.objects.get(pk=payout.pk).status == "APPROVED"

    @pytest.mark.parametrize("team_first", [True, False])
    def test_large_payout_needs_the_team_and_an_operator(
        self, merchant: Merchant, pilar: User, andres: User, team_first: bool
    ) -> None:
        Merchant.objects.update(payout_approval_above=50_000, payout_approval_set_by="boss")
        payout = ask(merchant, pilar)
        acts = [
            lambda: approve(payout, andres),
            lambda: approvals.approve(payout=payout, actor="op", reason="Seen", now=NOW()),
        ]
        first, second = acts if team_first else reversed(acts)
        first()
        assert status_after_scan(payout) == "PENDING"
        second()
        assert status_after_scan(payout) == "PROCESSING"

    def test_api_payouts_do_not_wait_for_the_team(self, merchant: Merchant, andres: User) -> None:
        assert not create(ApiClient(merchant)).is_held_back


class TestRules:
    @pytest.fixture
    def berta(self, merchant: Merchant) -> User:
        return approver(merchant, "berta")

    def set_rules(self, merchant: Merchant, by: User, confirmed_by: User, *tiers: Tier) -> None:
        new = NewPolicy(merchant=merchant, tiers=tiers, reason="Agreed")
        policy = approval_rules.propose(new=new, user=by, now=NOW())
        approval_rules.confirm(policy=policy, user=confirmed_by, reason="Yes", now=NOW())

    def test_rules_count_only_after_another_person_confirmed_them(
        self, merchant: Merchant, pilar: User, andres: User, berta: User
    ) -> None:
        new = NewPolicy(merchant=merchant, tiers=[Tier(people=0)], reason="Small team")
        policy = approval_rules.propose(new=new, user=andres, now=NOW())
        assert ask(merchant, pilar).needs_team_approval
        with pytest.raises(NotAllowed, match="asked for this"):
            approval_rules.confirm(policy=policy, user=andres, reason="Mine", now=NOW())
        approval_rules.confirm(policy=policy, user=berta, reason="Yes", now=NOW())
        assert not ask(merchant, pilar, 120_000).is_held_back

    def test_amounts_above_a_tier_need_two_people(
        self, merchant: Merchant, pilar: User, andres: User, berta: User
    ) -> None:
        camilo = approver(merchant, "camilo")
        tiers = (Tier(people=0), Tier(above=Decimal(50_000), people=2))
        self.set_rules(merchant, camilo, andres, *tiers)
        assert not ask(merchant, pilar, 50_000).is_held_back
        payout = ask(merchant, pilar, 50_001)
        with pytest.raises(NotAllowed, match="set the rule"):
            approve(payout, camilo)
        assert not approve(payout, andres)
        with pytest.raises(NotAllowed, match="already"):
            approve(payout, andres)
        assert approve(payout, berta)

    def test_person_who_set_the_rules_does_not_approve_with_another_account(
        self, merchant: Merchant, pilar: User, andres: User, berta: User
    ) -> None:
        camilo = approver(merchant, "camilo")
        self.set_rules(merchant, camilo, andres, Tier(people=1))
        User.objects.filter(pk=berta.pk).update(email="Camilo+2@comercio.example")
        berta.refresh_from_db()
        payout = ask(merchant, pilar)
        with pytest.raises(NotAllowed, match="set the rule"):
            approve(payout, berta)
        assert approve(payout, andres)

    def test_two_approvers_with_one_mailbox_are_one_person(
        self, merchant: Merchant, pilar: User, andres: User, berta: User
    ) -> None:
        camilo = approver(merchant, "camilo")
        self.set_rules(merchant, pilar, camilo, Tier(people=2))
        User.objects.filter(pk=berta.pk).update(email="Andres+2@comercio.example")
        diana = preparer(merchant, "diana")
        payout = ask(merchant, diana)
        assert not payout.needs_approval
        assert not approve(payout, andres)
        with pytest.raises(NotAllowed, match="already"):
            approve(payout, User.objects.get(pk=berta.pk))
        User.objects.filter(pk=camilo.pk).update(is_active=False)
        assert approvals.waits_for_operator(payout)
        assert ask(merchant, diana, 70_000).needs_approval

    def test_named_person_alone_approves(
        self, merchant: Merchant, pilar: User, andres: User, berta: User
    ) -> None:
        self.set_rules(merchant, pilar, andres, Tier(person="berta"))
        camilo = preparer(merchant, "camilo")
        payout = ask(merchant, camilo)
        with pytest.raises(NotAllowed, match="berta"):
            approve(payout, andres)
        assert approve(payout, berta)

    def test_two_people_of_whom_the_team_has_one_are_one_and_an_operator(
        self, merchant: Merchant, pilar: User, andres: User
    ) -> None:
        self.set_rules(merchant, pilar, andres, Tier(people=2))
        camilo = preparer(merchant, "camilo")
        payout = ask(merchant, camilo)
        assert (payout.needs_team_approval, payout.needs_approval) == (True, True)

    @pytest.mark.parametrize(
        "tiers",
        [
            [Tier(above=Decimal(1)), Tier(above=Decimal(1), people=2)],
            [Tier(above=Decimal(-1))],
            [Tier(people=3)],
            [Tier(person="pilar")],
        ],
    )
    def test_rules_that_make_no_sense_are_refused(
        self, merchant: Merchant, pilar: User, tiers: list[Tier]
    ) -> None:
        new = NewPolicy(merchant=merchant, tiers=tiers, reason="?")
        with pytest.raises(WrongRule):
            approval_rules.propose(new=new, user=pilar, now=NOW())


class TestOnce:
    def test_one_page_makes_one_payout(self, merchant: Merchant, pilar: User, andres: User) -> None:
        first = ask(merchant, pilar, token="page-1")
        assert ask(merchant, pilar, token="page-1") == first
        assert Payout.objects.count() == 1

    def test_same_payout_from_another_page_is_asked_about(
        self, merchant: Merchant, pilar: User, andres: User
    ) -> None:
        first = ask(merchant, pilar)
        with pytest.raises(by_hand.RepeatsPayout) as refused:
            ask(merchant, pilar)
        assert refused.value.details == {"payoutId": first.pk}
        again = replace(hand_payout(merchant), repeats=first.pk)
        assert not by_hand.ask(new=again, user=pilar, now=NOW())[1]
        assert balance(merchant) == (795_000, 205_000)

    def test_same_account_of_another_type_waits_for_the_same_lock(self) -> None:
        savings = Payout(network="BANK", bank_id="bancolombia", account_number="12345678901")
        savings.account_type = "SAVINGS"
        checking = copy(savings)
        checking.account_type = "CHECKING"
        other = copy(savings)
        other.account_number = "12345678902"
        assert repeats.digest("m", savings) == repeats.digest("m", checking)
        assert repeats.digest("m", savings) != repeats.digest("m", other)

    def test_changed_fee_is_shown_before_it_is_paid(self, merchant: Merchant, pilar: User) -> None:
        new = replace(hand_payout(merchant), fee=Decimal(900))
        with pytest.raises(by_hand.PriceChanged):
            by_hand.ask(new=new, user=pilar, now=NOW())
        assert balance(merchant) == (1_000_000, 0)
