"""People who act at the same instant about payouts by hand, in real threads."""

from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User

from merchants.models import Merchant
from payments.core.errors import NotAllowed
from payments.ledger import services as ledger
from payments.ledger.services import InsufficientBalance
from payments.payout.models import Payout, TeamApproval, TeamDecision
from payments.payout.services import approvals, by_hand
from payments.payout.services.by_hand import RepeatsPayout
from tests.support.concurrency import run_concurrently
from tests.support.funds import balance, fund
from tests.support.hand_payouts import approver, ask, hand_payout, preparer
from tests.support.payouts import NOW

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _funds(merchant: Merchant, settings: Any) -> None:
    settings.DOORBELL = False
    fund(merchant, 1_000_000)


@pytest.fixture
def pilar(merchant: Merchant) -> User:
    return preparer(merchant)


@pytest.fixture
def andres(merchant: Merchant) -> User:
    return approver(merchant)


def send(merchant: Merchant, user: User, **changes: Any) -> Payout:
    new = hand_payout(merchant, **changes)
    return by_hand.ask(new=new, user=user, now=NOW())[0]


def approve(payout: Payout, user: User) -> bool:
    return approvals.approve_for_team(payout=payout, user=user, reason="Checked", now=NOW())


def test_eight_clicks_on_one_page_are_one_payout(
    merchant: Merchant, pilar: User, andres: User
) -> None:
    clicks = [partial(send, merchant, pilar, token="page-1")] * 8
    made = run_concurrently(clicks)
    assert {getattr(one, "pk", one) for one in made} == {Payout.objects.get().pk}
    assert TeamApproval.objects.count() == 1
    assert balance(merchant) == (897_500, 102_500)


def test_four_pages_with_the_same_payout_make_one(
    merchant: Merchant, pilar: User, andres: User
) -> None:
    acts = [partial(send, merchant, pilar, token=f"page-{number}") for number in range(4)]
    made = run_concurrently(acts)
    assert sorted(type(one) is RepeatsPayout for one in made) == [False, True, True, True]
    assert Payout.objects.count() == 1
    assert balance(merchant) == (897_500, 102_500)


def test_balance_for_one_of_two_payouts_pays_one(
    merchant: Merchant, pilar: User, andres: User
) -> None:
    acts = [
        partial(send, merchant, pilar, amount=600_000, account_number=f"1000000000{number}")
        for number in range(2)
    ]
    made = run_concurrently(acts)
    assert sorted(type(one) is InsufficientBalance for one in made) == [False, True]
    assert balance(merchant) == (397_500, 602_500)
    assert TeamApproval.objects.count() == 1
    assert not ledger.verify().problems


def test_two_approvals_at_once_count_once(merchant: Merchant, pilar: User, andres: User) -> None:
    berta = approver(merchant, "berta")
    payout = ask(merchant, pilar)
    results = run_concurrently([partial(approve, payout, who) for who in (andres, berta)])
    assert sorted(type(one) is NotAllowed for one in results) == [False, True]
    assert TeamDecision.objects.count() == 1


@pytest.mark.parametrize("attempt", range(3))
def test_approval_and_withdrawal_at_once_have_one_result(
    merchant: Merchant, pilar: User, andres: User, attempt: int
) -> None:
    payout = ask(merchant, pilar)
    withdraw = partial(
        approvals.withdraw, payout=payout, user=pilar, reason="By mistake", now=NOW()
    )
    results = run_concurrently([partial(approve, payout, andres), withdraw])
    assert sorted(type(one) is NotAllowed for one in results) == [False, True]
    payout.refresh_from_db()
    approval = TeamApproval.objects.get()
    if payout.status == "FAILED":
        assert (approval.status, balance(merchant)) == ("WITHDRAWN", (1_000_000, 0))
    else:
        assert (approval.status, payout.is_held_back) == ("APPROVED", False)
        assert balance(merchant) == (897_500, 102_500)
