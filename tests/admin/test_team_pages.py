"""What the pages of a team, its keys and its webhooks say, and where their forms stand."""

import re
from typing import Any
from urllib.parse import unquote

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache

from merchants.models import Membership, Merchant
from merchants.team.models import AccessRequest
from payments.console.roles import (
    MERCHANT_ADMINISTRATOR,
    MERCHANT_APPROVER,
    MERCHANT_PREPARER,
    SUPPORT,
)
from payments.core import clock
from payments.core.models import AuditEntry
from payments.mail import outbox
from tests.admin.conftest import Console, person, url
from tests.support.invitations import EMAIL, accept, invite, invited
from tests.support.merchant_staff import browser_of, person_of, said
from webhooks import endpoints

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_mail")]


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    cache.clear()


@pytest.fixture
def boss(merchant: Merchant) -> Console:
    return browser_of(person_of(merchant, "gabriel", MERCHANT_ADMINISTRATOR))


def crumbs(answer: Any) -> list[str]:
    heading = re.search(r"<h1.*?</h1>", answer.content.decode(), re.DOTALL)
    assert heading is not None
    return re.findall(r'href="([^"]+)"', heading[0])


@pytest.mark.parametrize(
    ("form", "menu"),
    [
        ("invite_person", "merchants_membership"),
        ("new_key", "merchants_apikey"),
        ("choose_events", "webhooks_endpoint"),
        ("set_webhook", "webhooks_endpoint"),
    ],
)
def test_form_stands_below_the_list_that_it_belongs_to(
    boss: Console, merchant: Merchant, form: str, menu: str
) -> None:
    answer = boss.page(f"merchants_merchant_{form}", merchant.pk)
    assert crumbs(answer) == [url(f"{menu}_changelist")]
    entries = [item for group in answer.context["sidebar_navigation"] for item in group["items"]]
    assert [str(item["link"]) for item in entries if item["active"]] == crumbs(answer)
    assert answer.content.decode().count("<h1") == 1


def test_form_of_operators_stands_below_the_merchant(console: Console, merchant: Merchant) -> None:
    answer = console.page("merchants_merchant_invite_person", merchant.pk)
    of_merchant = url("merchants_merchant_change", merchant.pk)
    assert crumbs(answer) == [url("merchants_merchant_changelist"), of_merchant]


def test_link_says_that_no_mail_was_sent_and_how_to_pass_it_on(
    boss: Console, merchant: Merchant
) -> None:
    page = invite(boss, merchant, MERCHANT_PREPARER).content.decode()
    assert (
        said("No e-mail was sent: pass the link on to %s yourself. It works once.") % ("Lucía Paz")
        in page
    )
    assert said("Merchant payments") in page
    outside = re.findall(r'href="(https://wa\.me/[^"]+|mailto:[^"]+)"', page)
    assert len(outside) == 2
    assert all("/admin/invitation/" in unquote(address) for address in outside)
    assert EMAIL in unquote(outside[1])


def test_form_says_whether_mail_brings_the_link(
    boss: Console, merchant: Merchant, settings: Any
) -> None:
    by_hand = said(
        "This service sends no e-mail: the next page shows you a link to pass on. With it the "
        "person chooses a password of their own. You can revoke the link until it is used."
    )
    by_mail = said(
        "We send the person a link by e-mail. With it they choose a password of their own. You "
        "can revoke the link until it is used."
    )
    name = ("merchants_merchant_invite_person", merchant.pk)
    assert str(boss.page(*name).context["confirmed"].explanation) == by_hand
    settings.EMAIL_BACKEND = outbox.LOG_BACKEND
    in_log = said(
        "In development the e-mail is only written to the log and listed under Mails: the next "
        "page shows you a link to pass on. With it the person chooses a password of their own. "
        "You can revoke the link until it is used."
    )
    assert str(boss.page(*name).context["confirmed"].explanation) == in_log
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert str(boss.page(*name).context["confirmed"].explanation) == by_mail


def test_person_of_the_team_is_shown_by_name_with_what_the_roles_allow(
    boss: Console, merchant: Merchant
) -> None:
    lucia = person_of(merchant, "lucia", MERCHANT_PREPARER)
    User.objects.filter(pk=lucia.pk).update(first_name="Lucía Paz")
    page = boss.page("merchants_membership_change", Membership.objects.get(user=lucia).pk)
    assert str(page.context["record_head"]["amount"]) == "Lucía Paz"
    html = page.content.decode()
    assert lucia.email in html
    assert said("also prepares payouts") in html
    assert f"@ {merchant.name}" not in html
    listed = boss.page("merchants_membership_changelist").content.decode()
    assert said("(you)") in listed
    assert said("Not set up") in listed


def test_person_who_requested_withdraws_it(boss: Console, merchant: Merchant) -> None:
    boss.submit("merchants_merchant_new_key", merchant.pk, label="Nómina", pays="on")
    waiting = AccessRequest.objects.get()
    page = boss.page("team_accessrequest_change", waiting.pk).content.decode()
    assert url("team_accessrequest_withdraw", waiting.pk) in page
    other = browser_of(person_of(merchant, "tere", MERCHANT_ADMINISTRATOR))
    assert other.submit("team_accessrequest_withdraw", waiting.pk).status_code == 400
    waiting.refresh_from_db()
    assert waiting.status == "WAITING"
    assert boss.submit("team_accessrequest_withdraw", waiting.pk).status_code == 302
    waiting.refresh_from_db()
    assert (waiting.status, waiting.is_withdrawn) == ("REJECTED", True)
    told = AuditEntry.objects.get(action="access.withdrawn")
    assert (told.actor, told.subject_id) == ("gabriel", waiting.pk)


def test_approved_key_waits_on_the_home_of_who_requested_it(
    boss: Console, merchant: Merchant, settings: Any
) -> None:
    settings.LANGUAGE_CODE = "en"
    boss.submit("merchants_merchant_new_key", merchant.pk, label="Nómina", pays="on")
    waiting, told = AccessRequest.objects.get(), "Your key was approved: collect it"
    address = url("team_accessrequest_change", waiting.pk)
    assert told not in boss.page("index").content.decode()
    second = browser_of(person_of(merchant, "paula", MERCHANT_APPROVER))
    assert second.submit("team_accessrequest_approve", waiting.pk).status_code == 302
    home = boss.page("index").content.decode()
    assert told in home
    assert f'href="{address}"' in home
    other = browser_of(person_of(merchant, "tere", MERCHANT_ADMINISTRATOR))
    assert told not in other.page("index").content.decode()
    boss.submit("team_accessrequest_collect", waiting.pk)
    assert told not in boss.page("index").content.decode()


def test_request_for_a_key_waits_on_the_first_page_of_an_approver_and_of_no_other(
    boss: Console, merchant: Merchant
) -> None:
    boss.submit("merchants_merchant_new_key", merchant.pk, label="Nómina", pays="on")
    waiting = AccessRequest.objects.get()
    page = url("team_accessrequest_change", waiting.pk)
    andres = browser_of(person_of(merchant, "andres", MERCHANT_APPROVER))
    home = andres.get("/admin/").content.decode()
    assert f'href="{page}"' in home
    assert "Nómina" in home
    staff = browser_of(person_of(merchant, "lucia"))
    for other in (boss, staff):
        assert f'href="{page}"' not in other.get("/admin/").content.decode()


def test_key_for_payouts_needs_a_reason_and_other_keys_do_not(
    boss: Console, merchant: Merchant
) -> None:
    form = {"label": "Nómina", "reason": ""}
    name = ("merchants_merchant_new_key", merchant.pk)
    assert boss.submit(*name, **form, pays="on").status_code == 400
    assert boss.submit(*name, **form).status_code == 200
    assert not AccessRequest.objects.exists()


def test_events_that_are_always_sent_are_ticked_and_locked(
    boss: Console, merchant: Merchant
) -> None:
    page = boss.page("merchants_merchant_choose_events", merchant.pk).content.decode()
    locked = re.findall(r"<input[^>]* checked disabled>[^/]*<code[^>]*>([\w.]+)<", page)
    assert locked == ["payment.completed", "payment.failed"]


def test_timeline_of_an_endpoint_says_that_it_was_switched_off(
    boss: Console, merchant: Merchant
) -> None:
    new = endpoints.NewEndpoint(url="https://tienda.example/x", kinds=["payment.completed"])
    made, _replayed = endpoints.create_endpoint(
        merchant=merchant, new=new, actor="gabriel", now=clock.now()
    )
    assert made.endpoint is not None
    boss.submit("webhooks_endpoint_switch_off", made.endpoint.pk, reason="")
    page = boss.page("webhooks_endpoint_change", made.endpoint.pk).content.decode()
    assert said("Switched the endpoint off") in page


def test_operator_has_one_name(console: Console) -> None:
    person("dora", SUPPORT)
    dora = User.objects.get(username="dora")
    User.objects.filter(pk=dora.pk).update(first_name="Dora", last_name="Gil")
    page = console.page("auth_user_change", dora.pk)
    form = page.context["adminform"].form
    assert form["name"].value() == "Dora Gil"
    assert said("helps payers and merchants, moves no money") in page.content.decode()
    given = {"name": "Dora  Gil Paz", "email": "", "is_active": "on"}
    groups = list(dora.groups.values_list("pk", flat=True))
    answer = console.post(url("auth_user_change", dora.pk), {**given, "groups": groups})
    assert answer.status_code == 302
    dora.refresh_from_db()
    assert (dora.first_name, dora.last_name) == ("Dora Gil Paz", "")


def test_role_of_approver_waits_in_sight_with_its_reason(
    boss: Console, merchant: Merchant, settings: Any
) -> None:
    settings.LANGUAGE_CODE = "en"
    form = boss.page("merchants_merchant_invite_person", merchant.pk).content.decode()
    assert "Reason: the second person decides by it" in form
    link = invited(boss, merchant, MERCHANT_APPROVER, reason="She signs the payroll")
    browser = Console()
    accept(link, browser=browser)
    asked = AccessRequest.objects.get()
    assert asked.reason == "She signs the payroll"
    pages = {
        "record": boss.page("team_accessrequest_change", asked.pk),
        "team": boss.page("merchants_membership_changelist"),
        "asker": boss.page("index"),
        "person": browser.page("index"),
    }
    shown = {name: page.content.decode() for name, page in pages.items()}
    for part in ("She signs the payroll", "Lucía Paz · lucia@", "gabriel"):
        assert part in shown["record"], part
    assert "inv_" not in shown["record"]
    assert "Merchant approver: waits for a second person" in shown["team"]
    assert "of Lucía Paz waits for a second person" in shown["asker"]
    assert "counts once a second person has agreed" in shown["person"]
    andres = browser_of(person_of(merchant, "andres", MERCHANT_APPROVER))
    decision = andres.page("team_accessrequest_approve", asked.pk).content.decode()
    assert "She signs the payroll" in decision
    assert andres.submit("team_accessrequest_approve", asked.pk).status_code == 302
    assert "waits for a second person" not in boss.page("index").content.decode()
    # As an earlier release wrote it.
    AccessRequest.objects.update(reason="invitation inv_01m8")
    assert "inv_01m8" not in boss.page("team_accessrequest_change", asked.pk).content.decode()
