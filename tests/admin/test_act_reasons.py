"""Who has to say why: operators always, people of a merchant where another person decides by it."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from merchants.models import Membership, Merchant
from merchants.team.models import AccessRequest
from payments.console.roles import (
    MERCHANT_ADMINISTRATOR,
    MERCHANT_APPROVER,
    MERCHANT_PREPARER,
    MERCHANT_STAFF,
)
from tests.admin.conftest import Console
from tests.support.merchant_staff import browser_of, person_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss(merchant: Merchant) -> Console:
    return browser_of(person_of(merchant, "gabriel", MERCHANT_ADMINISTRATOR))


@pytest.fixture
def lucia(merchant: Merchant) -> User:
    return person_of(merchant, "lucia", MERCHANT_PREPARER)


def membership(user: User) -> int:
    return Membership.objects.get(user=user).pk


def test_administrator_needs_no_reason_for_the_own_team_but_for_an_approver(
    boss: Console, lucia: User
) -> None:
    def change(*names: str) -> Any:
        page = "merchants_membership_change_roles"
        return boss.submit(page, membership(lucia), roles=names, reason="")

    assert change(MERCHANT_STAFF).status_code == 302
    assert change(MERCHANT_STAFF, MERCHANT_APPROVER).status_code == 400
    assert not AccessRequest.objects.exists()


def test_operator_gives_a_reason_for_each_act_on_a_merchant(
    console: Console, merchant: Merchant, lucia: User
) -> None:
    acts = {
        "merchants_membership_change_roles": membership(lucia),
        "merchants_merchant_invite_person": merchant.pk,
        "merchants_merchant_choose_events": merchant.pk,
        "merchants_merchant_set_retry": merchant.pk,
        "merchants_merchant_set_receipt_mail": merchant.pk,
        "merchants_merchant_set_brand": merchant.pk,
        "merchants_merchant_set_document": merchant.pk,
    }
    for name, record in acts.items():
        form = {"roles": MERCHANT_STAFF, "name": "Ana", "email": "ana@shop.example", "reason": ""}
        answer = console.submit(name, record, **form)
        assert answer.status_code == 400, name
        assert "reason" in answer.context["form"].errors, name
