"""Invitations: a link that is valid once, and a password that only the invited person knows."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client

from merchants import members
from merchants.models import Membership, Merchant
from merchants.team.forms import OF_BOTH
from merchants.team.models import AccessRequest, Invitation
from payments.console import four_eyes, roles
from payments.core import clock
from payments.core.models import AuditEntry
from payments.mail import outbox
from payments.mail.models import Mail
from tests.admin.conftest import REASON, Console, person, url
from tests.support.console_login import log_in
from tests.support.invitations import EMAIL, OWN, accept, invite, invited, link_of
from tests.support.merchant_staff import browser_of, person_of, said

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_mail")]


@pytest.fixture
def boss(merchant: Merchant) -> Console:
    """Café Andino's administrator."""
    return browser_of(person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR))


def test_invited_person_sets_their_own_password_and_is_in(
    boss: Console, merchant: Merchant
) -> None:
    link = invited(boss, merchant, roles.MERCHANT_STAFF, roles.MERCHANT_PREPARER)
    browser = Console()
    page = browser.get(link).content.decode()
    assert "Lucía Paz" in page
    assert merchant.name in page
    assert not User.objects.filter(email=EMAIL).exists()  # looking changes nothing
    answer = accept(link, browser=browser)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/admin/")
    assert browser.page("index").status_code == 200
    lucia = User.objects.get(email=EMAIL)
    assert members.roles_of(lucia) == {roles.MERCHANT_STAFF, roles.MERCHANT_PREPARER}
    assert members.scope_of(lucia) == {merchant.pk}
    assert log_in(Client(), EMAIL, OWN).status_code == 302
    told = AuditEntry.objects.get(action="invitation.accepted")
    assert (told.actor, told.details["invited_by"]) == (EMAIL, "gabriel")


def test_second_factor_is_set_up_right_after_the_password(
    boss: Console, merchant: Merchant, settings: Any
) -> None:
    link = invited(boss, merchant)
    settings.CONSOLE_SECOND_FACTOR = True
    browser = Console()
    accept(link, browser=browser)
    assert browser.page("index").headers["Location"].startswith("/admin/device/")


def test_a_link_is_used_once(boss: Console, merchant: Merchant) -> None:
    link = invited(boss, merchant)
    assert accept(link).status_code == 302
    again = accept(link, "Another-Password-77")
    assert again.status_code == 410
    assert said("This invitation was already used") in (again.content.decode())
    assert log_in(Client(), EMAIL, OWN).status_code == 302
    assert User.objects.filter(email=EMAIL).count() == 1


def test_a_link_expires_after_72_hours(boss: Console, merchant: Merchant) -> None:
    link = invited(boss, merchant)
    with time_machine.travel(clock.now() + timedelta(hours=71, minutes=59)):
        assert Client().get(link).status_code == 200
    with time_machine.travel(clock.now() + timedelta(hours=72, minutes=1)):
        assert accept(link).status_code == 410
    assert not User.objects.filter(email=EMAIL).exists()


def test_a_revoked_link_opens_nothing(boss: Console, merchant: Merchant) -> None:
    link = invited(boss, merchant)
    invitation = Invitation.objects.get()
    assert boss.submit("team_invitation_revoke", invitation.pk).status_code == 302
    answer = accept(link)
    assert answer.status_code == 410
    assert EMAIL not in answer.content.decode()
    assert not User.objects.filter(email=EMAIL).exists()


def test_a_new_link_ends_the_earlier_one(boss: Console, merchant: Merchant) -> None:
    first = invited(boss, merchant)
    ended = Invitation.objects.get()
    second = link_of(boss.submit("team_invitation_renew", ended.pk))
    assert accept(first).status_code == 410
    assert accept(second).status_code == 302
    told = AuditEntry.objects.get(action="invitation.revoked")
    assert (told.actor, told.subject_id, told.reason) == ("gabriel", ended.pk, REASON)


def test_an_unknown_link_says_nothing_of_accounts(boss: Console, merchant: Merchant) -> None:
    invited(boss, merchant)
    answer = accept("/admin/invitation/abc/")
    assert answer.status_code == 404
    assert EMAIL not in answer.content.decode()


def test_the_link_is_stored_nowhere(boss: Console, merchant: Merchant) -> None:
    secret = invited(boss, merchant).split("/")[-2]
    rows = [str(row) for row in Invitation.objects.values()]
    rows += [str(row) for row in AuditEntry.objects.values()]
    assert not any(secret in row for row in rows)
    page = boss.page("team_invitation_changelist").content.decode()
    assert EMAIL in page
    assert secret not in page


def test_a_weak_password_is_refused_and_the_link_stays_valid(
    boss: Console, merchant: Merchant
) -> None:
    link = invited(boss, merchant)
    refused = accept(link, "12345678")
    assert refused.status_code == 400
    # Below the field in which it was chosen.
    errors = refused.context["form"].errors
    assert set(errors) == {"new_password1"}
    assert len(errors["new_password1"]) == 1  # one sentence, and it says what to do
    assert not User.objects.filter(email=EMAIL).exists()
    assert accept(link).status_code == 302


def test_an_invitation_ends_with_the_rights_of_who_made_it(
    boss: Console, merchant: Merchant
) -> None:
    link = invited(boss, merchant)
    gabriel = User.objects.get(username="gabriel")
    members.remove_member(
        membership=Membership.objects.get(user=gabriel), actor="ana", reason="Left"
    )
    assert accept(link).status_code == 410
    assert not User.objects.filter(email=EMAIL).exists()


def test_links_are_limited_for_each_address(
    boss: Console, merchant: Merchant, settings: Any
) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "invitation": "2/h"}
    link = invited(boss, merchant)
    answers = [Client().get("/admin/invitation/guess/").status_code for _ in range(3)]
    assert answers == [404, 404, 429]
    assert accept(link).status_code == 429


def test_invitations_of_one_person_are_limited(
    boss: Console, merchant: Merchant, settings: Any
) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "team": "1/h"}
    invited(boss, merchant)
    answer = invite(boss, merchant, roles.MERCHANT_STAFF, email="otra@cafeandino.example")
    assert answer.status_code == 400
    assert Invitation.objects.count() == 1


def test_administrators_invite_only_to_their_own_merchant(
    boss: Console, merchant: Merchant, stranger: Merchant
) -> None:
    link = invited(browser_of(person_of(stranger, "tere", roles.MERCHANT_ADMINISTRATOR)), stranger)
    theirs = Invitation.objects.get()
    assert invite(boss, stranger, roles.MERCHANT_STAFF).status_code in (302, 404)
    for act in ("revoke", "renew", "change"):
        answer = boss.page(f"team_invitation_{act}", theirs.pk)
        assert answer.status_code in (302, 404), act
    assert EMAIL not in boss.page("team_invitation_changelist").content.decode()
    assert Invitation.objects.count() == 1
    assert Client().get(link).status_code == 200


@pytest.mark.parametrize(
    "role", [roles.MERCHANT_STAFF, roles.MERCHANT_PREPARER, roles.MERCHANT_APPROVER]
)
def test_only_administrators_of_a_merchant_invite(merchant: Merchant, role: str) -> None:
    browser = browser_of(person_of(merchant, "tere", role))
    assert invite(browser, merchant, roles.MERCHANT_STAFF).status_code in (403, 404)
    assert browser.page("team_invitation_changelist").status_code == 403
    assert not Invitation.objects.exists()


def test_roles_of_operators_are_not_in_an_invitation_to_a_merchant(
    boss: Console, merchant: Merchant
) -> None:
    assert invite(boss, merchant, roles.FINANCE).status_code == 400
    assert invite(boss, merchant).status_code == 400
    assert not Invitation.objects.exists()


def test_the_role_of_approver_waits_for_a_second_person(boss: Console, merchant: Merchant) -> None:
    accept(invited(boss, merchant, roles.MERCHANT_APPROVER))
    lucia = User.objects.get(email=EMAIL)
    assert members.roles_of(lucia) == {roles.MERCHANT_STAFF}
    waiting = AccessRequest.objects.get()
    assert (waiting.kind, waiting.status, waiting.user) == ("APPROVER", "WAITING", lucia)
    assert waiting.requested_by == "gabriel"


def test_who_invited_is_behind_the_account(boss: Console, merchant: Merchant) -> None:
    """The inviting person may have opened the link, so they are never its second person."""
    accept(invited(boss, merchant))
    assert four_eyes.is_behind("gabriel", {EMAIL})
    assert not four_eyes.is_behind(EMAIL, {"gabriel"})


def test_link_goes_by_mail_and_the_inviting_person_does_not_see_it(
    boss: Console, merchant: Merchant, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    answer = invite(boss, merchant, roles.MERCHANT_STAFF)
    assert answer.status_code == 302
    mail = Mail.objects.get()
    assert (mail.to, mail.merchant_id, mail.is_secret) == (EMAIL, merchant.pk, True)
    assert merchant.name in mail.subject
    found = re.search(r"/admin/invitation/[\w-]+/", mail.text)
    assert found
    assert found[0] in mail.html
    page = boss.get(answer.headers["Location"]).content.decode()
    assert EMAIL in page
    assert found[0] not in page
    assert accept(found[0]).status_code == 302
    mail.refresh_from_db()
    assert (mail.status, mail.text, mail.html) == ("NOT_NEEDED", "", "")


@pytest.mark.parametrize("end", ["team_invitation_revoke", "team_invitation_renew"])
def test_mail_of_an_ended_invitation_keeps_no_link(
    boss: Console, merchant: Merchant, end: str
) -> None:
    invited(boss, merchant)
    mail, invitation = Mail.objects.get(), Invitation.objects.get()
    assert mail.text
    assert boss.submit(end, invitation.pk).status_code in (200, 302)
    mail.refresh_from_db()
    assert (mail.status, mail.text, mail.html) == ("NOT_SENT", "", "")


# Operators.


def invite_operator(browser: Console, *names: str, **changes: Any) -> Any:
    form = {"name": "Dora Gil", "email": "dora@pasarela.example", "roles": list(names), **changes}
    return browser.submit("team_invitation_invite_operator", **form)


@pytest.mark.parametrize("role", sorted(roles.OF_OPERATORS))
def test_operator_is_invited_and_the_role_gives_access(console: Console, role: str) -> None:
    link = link_of(invite_operator(console, role))
    browser = Console()
    assert accept(link, browser=browser).status_code == 302
    assert browser.page("index").status_code == 200
    dora = User.objects.get(email="dora@pasarela.example")
    assert dora.is_staff
    assert set(dora.groups.values_list("name", flat=True)) == {role}


def test_administrators_invite_operators_who_hold_no_more_than_they_may_give() -> None:
    chief = person("ines", roles.ADMINISTRATOR)
    assert invite_operator(chief, roles.FINANCE).status_code == 400
    assert invite_operator(chief, roles.APPROVER).status_code == 400
    assert link_of(invite_operator(chief, roles.VIEWER))


def test_roles_that_are_apart_are_not_in_one_invitation(console: Console) -> None:
    assert invite_operator(console, roles.ADMINISTRATOR, roles.APPROVER).status_code == 400
    assert not Invitation.objects.exists()


def test_operator_with_an_account_is_not_invited_again(console: Console, ana: User) -> None:
    assert invite_operator(console, roles.VIEWER, email=ana.email).status_code == 400


@pytest.mark.parametrize("role", [roles.VIEWER, roles.SUPPORT, roles.FINANCE, roles.APPROVER])
def test_other_operators_invite_no_person(merchant: Merchant, role: str) -> None:
    browser = person("eva", role)
    assert invite_operator(browser, roles.VIEWER).status_code == 403
    assert invite(browser, merchant, roles.MERCHANT_STAFF).status_code == 403


def test_superuser_gives_the_role_of_approver_alone_and_it_is_recorded(
    console: Console, merchant: Merchant
) -> None:
    """A superuser may let money out alone in any case; who gave and who has it stays known."""
    accept(invited(console, merchant, roles.MERCHANT_APPROVER))
    lucia = User.objects.get(email=EMAIL)
    assert roles.MERCHANT_APPROVER in members.roles_of(lucia)
    given = AccessRequest.objects.get()
    assert (given.status, given.requested_by, given.decided_by) == ("DONE", "ana", "ana")
    told = AuditEntry.objects.get(action="member.roles_changed")
    assert (told.actor, told.details["given"]) == ("ana", [roles.MERCHANT_APPROVER])


def test_reason_of_an_invitation_is_kept(boss: Console, merchant: Merchant) -> None:
    invited(boss, merchant)
    told = AuditEntry.objects.get(action="invitation.made")
    assert (told.actor, told.reason, told.details["email"]) == ("gabriel", REASON, EMAIL)


def test_operator_is_invited_from_the_list_of_operators_and_stays_there(console: Console) -> None:
    start = console.page("auth_user_invite")
    assert start.status_code == 302
    page = console.get(start.url)
    operators = url("auth_user_changelist")
    assert [crumb.address for crumb in page.context["crumbs"]] == [operators]
    assert page.context["back_url"] == operators
    assert page.context["form"]["roles"].help_text == OF_BOTH
    own = console.page("team_invitation_invite_operator")
    assert [crumb.address for crumb in own.context["crumbs"]] == [url("team_invitation_changelist")]


def test_mail_of_development_is_not_called_sent(console: Console, settings: Any) -> None:
    settings.EMAIL_BACKEND = outbox.LOG_BACKEND
    made = invite_operator(console, roles.VIEWER).content.decode()
    told = said(
        "The e-mail is only in the log of development and under Mails: pass the link on to %s "
        "yourself. It works once."
    )
    assert told.partition("%s")[0] in made
    Mail.objects.update(status=Mail.Status.SENT)
    listed = console.page("mail_mail_changelist").content.decode()
    assert said("In the log of development") in listed
