"""Invitations of people who have an account: only its owner accepts, by logging in."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice

from merchants import members
from merchants.models import Membership, Merchant
from payments.console import roles, second_factor
from tests.admin.conftest import Console, url
from tests.support.console_login import code, log_in, wrong_code
from tests.support.invitations import EMAIL, accept, invited
from tests.support.merchant_staff import PASSWORD, browser_of, person_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_mail")]


@pytest.fixture
def boss(merchant: Merchant) -> Console:
    """Café Andino's administrator."""
    return browser_of(person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR))


def test_existing_account_is_not_taken_over_by_a_link(
    boss: Console, merchant: Merchant, stranger: Merchant
) -> None:
    """The owner of the account logs in first; another person with the link gets nothing."""
    lucia = person_of(stranger, "lucia")
    User.objects.filter(pk=lucia.pk).update(email=EMAIL)
    link = invited(boss, merchant)
    hash_before = User.objects.get(pk=lucia.pk).password
    assert accept(link).status_code == 400  # a new password is no field of this page
    wrong = Client().post(link, {"username": "lucia", "password": "guessed-it"})
    assert wrong.status_code == 400
    assert User.objects.get(pk=lucia.pk).password == hash_before
    assert members.scope_of(lucia) == {stranger.pk}
    assert Client().post(link, {"username": "lucia", "password": PASSWORD}).status_code == 302
    assert members.scope_of(lucia) == {merchant.pk, stranger.pk}


def test_account_of_another_address_does_not_accept(
    boss: Console, merchant: Merchant, stranger: Merchant
) -> None:
    link = invited(boss, merchant)
    other = person_of(stranger, "tere")
    answer = browser_of(other).post(link)
    assert answer.status_code == 400
    assert members.scope_of(other) == {stranger.pk}
    assert Client().get(link).status_code == 200


def test_operator_does_not_become_a_person_of_a_merchant(
    boss: Console, merchant: Merchant, ana: User
) -> None:
    User.objects.filter(pk=ana.pk).update(email=EMAIL)
    link = invited(boss, merchant)
    form = {"username": "ana", "password": "Volcán-Galeras-4276"}
    assert Client().post(link, form).status_code == 400
    assert members.scope_of(ana) is None


@pytest.mark.parametrize("wanted", [roles.MERCHANT_ADMINISTRATOR, roles.MERCHANT_APPROVER])
def test_invitation_gives_no_more_at_a_merchant_that_did_not_invite(
    boss: Console, merchant: Merchant, stranger: Merchant, wanted: str
) -> None:
    """Roles are of the account: another merchant's administrator would raise them everywhere."""
    lucia = person_of(stranger, "lucia")
    User.objects.filter(pk=lucia.pk).update(email=EMAIL)
    link = invited(boss, merchant, wanted)
    answer = Client().post(link, {"username": "lucia", "password": PASSWORD})
    assert answer.status_code == 400
    assert members.roles_of(lucia) == {roles.MERCHANT_STAFF}
    assert members.scope_of(lucia) == {stranger.pk}


def test_person_who_left_comes_back_with_their_own_password(
    boss: Console, merchant: Merchant
) -> None:
    lucia = person_of(merchant, "lucia")
    User.objects.filter(pk=lucia.pk).update(email=EMAIL)
    members.remove_member(membership=Membership.objects.get(user=lucia), actor="ana", reason="Left")
    assert log_in(Client(), "lucia", PASSWORD).status_code == 200
    link = invited(boss, merchant, roles.MERCHANT_PREPARER)
    browser = Console()
    assert browser.post(link, {"username": "lucia", "password": PASSWORD}).status_code == 302
    assert browser.page("index").status_code == 200
    assert members.roles_of(lucia) == {roles.MERCHANT_PREPARER}


@pytest.mark.parametrize("has_left", [False, True])
def test_owner_of_an_account_enters_the_code_before_the_invitation_is_accepted(
    boss: Console, merchant: Merchant, stranger: Merchant, has_left: bool
) -> None:
    """The password alone accepts nothing, wherever the person works now."""
    lucia = person_of(stranger, "lucia")
    User.objects.filter(pk=lucia.pk).update(email=EMAIL)
    key = TOTPDevice.objects.create(user=lucia, name="app", confirmed=True).bin_key
    if has_left:
        membership = Membership.objects.get(user=lucia)
        members.remove_member(membership=membership, actor="ana", reason="Left")
    before, link, browser = members.scope_of(lucia), invited(boss, merchant), Console()
    form = {"username": "lucia", "password": PASSWORD}
    assert browser.post(link, form).headers["Location"] == link
    asked = browser.get(link).headers["Location"]
    assert asked.startswith(url("code"))
    browser.post(link)
    assert browser.post(asked, {"code": wrong_code(key)}).status_code == 400
    browser.post(link)
    assert members.scope_of(lucia) == before
    second_factor.end_waits(lucia)
    assert browser.post(asked, {"code": code(key)}).headers["Location"] == link
    assert merchant.name in browser.get(link).content.decode()
    assert members.scope_of(lucia) == before
    assert browser.post(link).headers["Location"] == url("index")
    assert members.scope_of(lucia) == before | {merchant.pk}
    assert browser.page("index").status_code == 200


def test_who_left_gets_no_other_page_of_the_login(boss: Console, merchant: Merchant) -> None:
    lucia = person_of(merchant, "lucia")
    User.objects.filter(pk=lucia.pk).update(email=EMAIL)
    key = TOTPDevice.objects.create(user=lucia, name="app", confirmed=True).bin_key
    members.remove_member(membership=Membership.objects.get(user=lucia), actor="ana", reason="Left")
    link, browser = invited(boss, merchant), Console()
    browser.post(link, {"username": "lucia", "password": PASSWORD})
    browser.post(browser.get(link).headers["Location"], {"code": code(key)})
    for name in ("device", "first_password", "access", "index"):
        assert browser.get(url(name)).headers["Location"].startswith(url("login")), name


def test_wrong_passwords_at_a_link_lock_out(
    boss: Console, merchant: Merchant, settings: Any
) -> None:
    lucia = person_of(merchant, "lucia")
    User.objects.filter(pk=lucia.pk).update(email=EMAIL)
    members.remove_member(membership=Membership.objects.get(user=lucia), actor="ana", reason="Left")
    link, browser = invited(boss, merchant), Client()
    for _ in range(settings.AXES_FAILURE_LIMIT):
        answer = browser.post(link, {"username": "lucia", "password": "guessed-it"})
    assert answer.status_code == 429
    locked = browser.post(link, {"username": "lucia", "password": PASSWORD})
    assert locked.status_code == 429
    assert not Membership.objects.filter(user=lucia).exists()
