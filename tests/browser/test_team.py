"""From an invitation to the first key: a colleague comes in by a link and calls the API.

Also the pages of the team as people see them: on a phone and a large screen, light and dark.
"""

import re
from base64 import b32decode
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from playwright.sync_api import BrowserContext, Page, expect

from merchants.models import ApiKey, Merchant
from merchants.team.models import AccessRequest, Invitation
from payments.console import roles
from tests.browser.conftest import PHONE, picture
from tests.browser.test_console_desk import LAPTOP, THEME
from tests.support import page_checks
from tests.support.console_login import PASSWORD as OPERATOR_PASSWORD
from tests.support.console_login import code
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import PASSWORD, person_of

pytestmark = pytest.mark.slow

LARGE = {"width": 1440, "height": 900}
EMAIL = "lucia@cafeandino.example"
OWN = "Cocuy-Ritacuba-5410"
Open = Callable[..., Page]


@pytest.fixture
def open_page(
    open_browser: Callable[..., BrowserContext], server: str, settings: Any, merchant: Merchant
) -> Open:
    """A browser; with a name, that person is logged in."""
    settings.EMAIL_BACKEND = ""  # the console shows the link
    cache.clear()

    def open_page(
        name: str = "", password: str = PASSWORD, language: str = "en", **options: Any
    ) -> Page:
        forgive = "the server responded with a status of 4"
        context = open_browser(is_payers=False, forgive=forgive, **options)
        context.add_cookies([{"name": "django_language", "value": language, "url": server}])
        page = context.new_page()
        if name:
            page.goto(f"{server}/admin/")
            page.locator("[name=username]").fill(name)
            page.locator("[name=password]").fill(password)
            page.locator("[name=password]").press("Enter")
            page.wait_for_url(f"{server}/admin/")
        return page

    return open_page


def look(page: Page, name: str) -> None:
    picture(page, f"team-{name}")
    found = page_checks.violations(page)
    assert {entry.partition(":")[0] for entry in found} - THEME == set(), found
    assert page_checks.overflow(page) <= 0, name


def send(page: Page, label: str) -> None:
    page.get_by_role("button", name=label, exact=True).click()


def invite(page: Page, server: str, merchant: Merchant) -> str:
    """Gabriel invites Lucía; returns the link that is shown once."""
    page.goto(f"{server}/admin/merchants/membership/")
    page.get_by_role("link", name="Invite a person").first.click()
    page.wait_for_url("**/invite_person/**")
    page.locator("[name=name]").fill("Lucía Paz")
    page.locator("[name=email]").fill(EMAIL)
    for role in (roles.MERCHANT_ADMINISTRATOR, roles.MERCHANT_APPROVER):
        page.locator(f"[name=roles][value='{role}']").check()
    page.locator("[name=reason]").fill("She builds our shop")
    look(page, "invite")
    send(page, "Invite")
    link = page.locator("code", has_text="/admin/invitation/")
    expect(link).to_be_visible()
    look(page, "link")
    return link.inner_text()


def test_invited_colleague_comes_in_and_makes_the_first_call_with_an_own_key(
    open_page: Open, server: str, merchant: Merchant, settings: Any
) -> None:
    person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR)
    boss = open_page("gabriel", viewport=LAPTOP)
    link = invite(boss, server, merchant)
    settings.CONSOLE_SECOND_FACTOR = True
    # Lucía, on her own machine.
    desk = open_page(viewport=LAPTOP)
    desk.goto(link)
    expect(desk.get_by_text(merchant.name).first).to_be_visible()
    look(desk, "invitation")
    desk.locator("[name=new_password1]").fill("12345678")
    desk.locator("[name=new_password2]").fill("12345678")
    with desk.expect_navigation():
        send(desk, "Accept the invitation")
    look(desk, "invitation-weak")
    desk.locator("[name=new_password1]").fill(OWN)
    desk.locator("[name=new_password2]").fill(OWN)
    send(desk, "Accept the invitation")
    desk.wait_for_url("**/admin/device/**")
    key = b32decode(re.sub(r"\s", "", desk.locator("ol code").text_content() or ""))
    desk.locator("[name=code]").fill(code(key))
    desk.get_by_role("button", name="Set up").click()
    desk.get_by_role("link", name="I have stored them").click()
    desk.wait_for_url(f"{server}/admin/")
    # The key.
    desk.goto(f"{server}/admin/merchants/apikey/")
    desk.get_by_role("link", name="New API key").first.click()
    desk.wait_for_url("**/new_key/**")
    desk.locator("[name=label]").fill("Online shop")
    desk.locator("[name=reason]").fill("First key of the shop")
    look(desk, "new-key")
    send(desk, "Issue key")
    expect(desk.locator("dd code")).to_have_count(2)
    desk.wait_for_load_state()
    public, hidden = desk.locator("dd code").all_inner_texts()
    answer = ApiClient(None, **{"X-Api-Key": public, "X-Api-Secret": hidden}).post(
        "/collect", order_body(reference="PRIMERA-1")
    )
    assert answer.status_code == 201, answer.content
    assert ApiKey.objects.get(public_key=public).label == "Online shop"
    # The link is used up, and the role of approver waits.
    desk.goto(link)
    look(desk, "used")
    waiting = AccessRequest.objects.get()
    assert (waiting.kind, waiting.requested_by) == ("APPROVER", "gabriel")
    assert Invitation.objects.get().accepted_by.username == EMAIL


@pytest.mark.parametrize(
    ("name", "language", "options"),
    [
        ("phone", "es", {"viewport": PHONE, "has_touch": True, "is_mobile": True}),
        ("dark", "es", {"viewport": LAPTOP, "color_scheme": "dark"}),
        ("large", "en", {"viewport": LARGE}),
    ],
)
def test_pages_of_the_team_fit_every_screen(
    open_page: Open,
    server: str,
    merchant: Merchant,
    name: str,
    language: str,
    options: dict[str, Any],
) -> None:
    person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR)
    person_of(merchant, "lucia", roles.MERCHANT_PREPARER, also=(roles.MERCHANT_STAFF,))
    link = invite(open_page("gabriel", viewport=LAPTOP), server, merchant)
    desk = open_page("gabriel", language=language, **options)
    member = merchant.memberships.latest("pk")
    account = f"{server}/admin/merchants/merchant/{merchant.pk}"
    desk.goto(f"{account}/new_key/")
    desk.locator("[name=label]").fill("Nómina")
    desk.locator("[name=pays]").check()
    desk.locator("[name=reason]").fill("Pagos de nómina")
    desk.locator("form button[type=submit]").last.click()
    desk.wait_for_url("**/team/accessrequest/**")
    look(desk, f"{name}-request")
    for page, address in {
        "team": f"{server}/admin/merchants/membership/",
        "person": f"{server}/admin/merchants/membership/{member.pk}/change/",
        "roles": f"{server}/admin/merchants/membership/{member.pk}/change_roles/",
        "invite": f"{account}/invite_person/",
        "invitations": f"{server}/admin/team/invitation/",
        "requests": f"{server}/admin/team/accessrequest/",
        "keys": f"{server}/admin/merchants/apikey/",
        "events": f"{account}/choose_events/",
    }.items():
        desk.goto(address)
        look(desk, f"{name}-{page}")
    guest = open_page(language=language, **options)
    guest.goto(link)
    look(guest, f"{name}-invitation")
    guest.goto(f"{server}/admin/invitation/unknown/")
    look(guest, f"{name}-unknown")


def test_operator_invites_an_operator(open_page: Open, server: str) -> None:
    User.objects.create_superuser("ana", "ana@pasarela.example", OPERATOR_PASSWORD)
    desk = open_page("ana", OPERATOR_PASSWORD, viewport=LAPTOP)
    desk.goto(f"{server}/admin/auth/user/")
    look(desk, "operators")
    desk.get_by_role("link", name="Invite an operator").first.click()
    desk.locator("[name=name]").fill("Dora Gil")
    desk.locator("[name=email]").fill("dora@pasarela.example")
    desk.locator(f"[name=roles][value='{roles.SUPPORT}']").check()
    desk.locator("[name=reason]").fill("New colleague")
    look(desk, "invite-operator")
    send(desk, "Invite")
    shown = desk.locator("code", has_text="/admin/invitation/")
    expect(shown).to_be_visible()
    desk.wait_for_load_state()
    link = shown.inner_text()
    guest = open_page(viewport=LAPTOP)
    guest.goto(link)
    guest.locator("[name=new_password1]").fill(OWN)
    guest.locator("[name=new_password2]").fill(OWN)
    send(guest, "Accept the invitation")
    guest.wait_for_url(f"{server}/admin/")
    desk.goto(f"{server}/admin/auth/user/{_dora()}/change/")
    look(desk, "operator")


def _dora() -> int:
    return Invitation.objects.get(email="dora@pasarela.example").accepted_by_id
