"""The site of users of merchants has what pages declare for them, and nothing else.

What its pages show is proven in test_tenancy.py; here, what there is at all, and who is led to it.
"""

import re
from typing import Any

import pytest
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_urlconf, resolve

from merchants import members
from merchants.models import Membership, Merchant
from payments.collect.models import UnmatchedFunds
from payments.console import merchant_pages, roles, tenancy
from payments.console.models import Export
from tests.admin.conftest import Build, Console, url
from tests.admin.test_tenancy import CLOSED, OPEN, fill, patterns
from tests.support.factories import MerchantFactory
from tests.support.merchant_staff import browser_of, person_of

pytestmark = pytest.mark.django_db

# The addresses of the site, below /admin/. A new one is added here knowingly, or the test fails.
OF_SITE = """
    access/  access/codes/  access/sessions/  autocomplete/  code/  device/  first-password/
    invitation/<token>/  jsi18n/  login/  logout/  password_change/  password_change/done/  search/
    saved/add/  saved/<pk>/change/  saved/<pk>/delete/
"""
LIST_AND_RECORD = ("", "<object_id>/change/")
OF_PAGES = {
    "payout/approvalpolicy": """
        propose/ <object_id>/confirm_rules/ <object_id>/refuse/ <object_id>/take_back/
    """,
    "payout/beneficiary": """
        add_beneficiary/ export/ <object_id>/archive/ <object_id>/edit/
        <object_id>/pay_beneficiary/ <object_id>/restore/ <object_id>/reveal/
    """,
    "withdrawals/bankaccount": """
        enter/ <object_id>/certificate/ <object_id>/reveal/ <object_id>/withdraw/
    """,
    "api/apicall": "",
    "bills/billpayment": "export/ <object_id>/reveal/",
    "collect/charge": "export/ <object_id>/reveal/",
    "collect/dispute": "export/ <object_id>/file_added/ <object_id>/file/<file_id>/",
    "collect/order": "analytics/ export/ <object_id>/reveal/ <object_id>/refund_order/",
    "collect/refund": "export/",
    "console/export": "<object_id>/state/ <object_id>/download/ <object_id>/cancel/",
    "ledger/account": "balance/",
    "merchants/apikey": "new_key/ <object_id>/rename/ <object_id>/revoke/",
    "merchants/membership": """
        invite/ invitations/ <object_id>/change_roles/ <object_id>/remove/
    """,
    "links/paymentlink": """
        export/ new_link/ <object_id>/edit_link/ <object_id>/pause_link/ <object_id>/resume_link/
        <object_id>/end_link/ <object_id>/see_orders/
    """,
    "merchants/merchant": """
        <object_id>/deliveries/ <object_id>/failed_deliveries/ <object_id>/orders/
        <object_id>/links/
        <object_id>/payouts/ <object_id>/topups/ <object_id>/bills/ <object_id>/balances/
        <object_id>/send_test/ <object_id>/resend_range/ <object_id>/set_webhook/
        <object_id>/set_brand/ <object_id>/regenerate_secret/ <object_id>/choose_events/
        <object_id>/invite_person/ <object_id>/new_key/ <object_id>/set_retry/
        <object_id>/set_strict/ <object_id>/set_legal_data/
        <object_id>/set_receipt_mail/ <object_id>/webhook_endpoints/ <object_id>/rotate_secret/
        <object_id>/set_document/
    """,
    "payout_batches/batchline": "",
    "payout_batches/payoutbatch": """
        upload/ template_csv/ template_xlsx/ <object_id>/mend/ <object_id>/send/
        <object_id>/approve/ <object_id>/reject/ <object_id>/discard/ <object_id>/pause/
        <object_id>/resume/ <object_id>/cancel/ <object_id>/errors_csv/
        <object_id>/errors_xlsx/ <object_id>/result_csv/ <object_id>/result_xlsx/
    """,
    "payout/payout": """
        export/ read_qr/ pay/ <object_id>/reveal/ <object_id>/approve_team/
        <object_id>/reject_team/ <object_id>/withdraw/ <object_id>/receipt.pdf
    """,
    "settlement/settlement": """
        export/ statement/ period/ <object_id>/period_of/ <object_id>/statement_page/
        <object_id>/statement_csv/
    """,
    "team/accessrequest": """
        <object_id>/approve/ <object_id>/reject/ <object_id>/collect/ <object_id>/withdraw/
    """,
    "team/invitation": "invite_colleague/ <object_id>/renew/ <object_id>/revoke/",
    "topup/topup": "export/ <object_id>/reveal/",
    "webhooks/delivery": """
        export/ resend/ test/<merchant_id>/ range/<merchant_id>/ <object_id>/resend/
        <object_id>/live/ <object_id>/set_url/ <object_id>/change_endpoint/
    """,
    "webhooks/endpoint": """
        new_endpoint/ new/<merchant_id>/ <object_id>/edit/ <object_id>/switch_on/
        <object_id>/switch_off/ <object_id>/rotate_secret/ <object_id>/send_test/
        <object_id>/resend_range/ <object_id>/deliveries/ <object_id>/remove/
    """,
    "webhooks/event": "<object_id>/resend/",
}


def merchant_site() -> Any:
    return admin.site.of_merchants


@pytest.fixture
def lucia(db: None) -> User:
    """An administrator of Café Andino."""
    return person_of(MerchantFactory(), "lucia", roles.MERCHANT_ADMINISTRATOR)


@pytest.fixture
def browser(lucia: User) -> Console:
    return browser_of(lucia)


def served_by(answer: Any) -> str:
    """The list of addresses by which the request was led."""
    return str(getattr(answer.wsgi_request, "urlconf", settings.ROOT_URLCONF))


def test_the_addresses_of_the_site_are_these_and_no_others() -> None:
    apps = "|".join(dict.fromkeys(page.partition("/")[0] for page in OF_PAGES))
    found = {route for _name, route, _parameters in patterns(merchant_site().get_urls())}
    lists = {route for route in found if "app_label" in route}
    assert {frozenset(re.findall(r"\w+", route)) for route in lists} == {
        frozenset({"P", "app_label", *apps.split("|")})
    }
    pages = {
        f"{page}/{route}"
        for page, own in OF_PAGES.items()
        for route in (*LIST_AND_RECORD, *own.split())
    }
    catch_all = "(?P<url>.*)$"
    assert found - lists == {"", catch_all, *OF_SITE.split(), *pages}


def test_its_pages_are_those_that_declare_whose_their_rows_are() -> None:
    registered = {model._meta.label_lower for model in merchant_site()._registry}
    assert registered == {*OPEN, "console.export"}
    for model, page in merchant_site()._registry.items():
        operators = type(admin.site._registry[model])
        assert type(page).__mro__[1:3] == (merchant_pages.MerchantPage, operators), model
        assert page.admin_site is merchant_site()


def test_an_operators_page_that_declares_nothing_is_absent(
    browser: Console, monkeypatch: pytest.MonkeyPatch, build_merchant_site: Build
) -> None:
    declared = type(admin.site._registry[UnmatchedFunds])
    assert browser.get("/admin/collect/unmatchedfunds/").status_code == 404
    # Only the declaration is missing: with it there is a page, and without a path no row in it.
    monkeypatch.setattr(declared, "merchant_path", "order__merchant")
    build_merchant_site()
    assert UnmatchedFunds in merchant_site()._registry
    monkeypatch.setattr(declared, "merchant_path", None)
    build_merchant_site()
    assert UnmatchedFunds not in merchant_site()._registry
    assert browser.get("/admin/collect/unmatchedfunds/").status_code == 404


def test_a_page_that_lost_its_path_holds_no_row(
    rf: Any, lucia: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where it was registered before."""
    page, request = merchant_site()._registry[Merchant], rf.get("/admin/")
    request.user = lucia
    tenancy.set_scope(request, members.scope_of(lucia))
    assert page.get_queryset(request).count() == 1
    monkeypatch.setattr(type(page), "merchant_path", None)
    assert page.get_queryset(request).count() == 0


def test_no_page_of_the_site_serves_an_operator(
    rf: Any, ana: User, lucia: User, console: Console
) -> None:
    """A request that reached the wrong site sees no row, and opens no view."""
    request = rf.get("/admin/")
    request.user, request.session = ana, console.session
    tenancy.set_scope(request, None)
    assert admin.site.has_permission(request)
    assert not merchant_site().has_permission(request)
    for model, page in merchant_site()._registry.items():
        if model is not Export:  # those of the person who asks
            with pytest.raises(tenancy.NoScope):
                page.get_queryset(request)
    request.user = lucia
    tenancy.set_scope(request, members.scope_of(lucia))
    assert merchant_site().has_permission(request)
    assert not admin.site.has_permission(request)


@pytest.mark.slow
def test_no_address_leads_a_user_of_merchants_to_the_operators_site(
    browser: Console, lucia: User
) -> None:
    """Each one that operators have, and writings of it that a server might take for the same."""
    order = "ord_00000000000000000000000000"
    asked = {fill(route, order) for _name, route, _parameters in patterns()}
    asked = {each for each in asked if "(?P" not in each and "logout" not in each}
    asked |= {f"/admin/{label.replace('.', '/')}/" for label in (*OPEN, *CLOSED)}
    asked |= {"/admin/r/1/1/", "/admin/%63ore/auditentry/", "/admin/core/auditentry/?next=/admin/"}
    assert len(asked) > 250
    for address in asked - {"/admin/access/sessions/"}:
        assert served_by(browser.get(address)) == settings.MERCHANTS_URLCONF, address
    for address in (
        "//admin/core/auditentry/",
        "/Admin/core/auditentry/",
        "/x/../admin/",
        "/admin",
    ):
        assert browser.get(address).status_code == 404, address


def test_a_view_of_the_operators_site_refuses_a_user_of_merchants(
    rf: Any, browser: Console, lucia: User
) -> None:
    """Called by itself, as if the request had been led there."""
    for label in (*OPEN, *CLOSED):
        address = f"/admin/{label.replace('.', '/')}/"
        request = rf.get(address)
        request.user, request.session = lucia, browser.session
        tenancy.set_scope(request, members.scope_of(lucia))
        view, args, options = resolve(address, urlconf=settings.ROOT_URLCONF)
        answer = view(request, *args, **options)
        assert (answer.status_code, answer.headers["Location"][:13]) == (302, "/admin/login/"), (
            label
        )


def test_operators_are_on_their_own_site(console: Console) -> None:
    answer = console.get("/admin/core/auditentry/")
    assert answer.status_code == 200
    assert served_by(answer) == settings.ROOT_URLCONF


def test_who_is_not_logged_in_is_led_to_the_login_whatever_the_address(db: None) -> None:
    for address in ("", "core/auditentry/", "collect/order/", "no/such/page/"):
        answer = Client().get(f"/admin/{address}")
        assert answer.status_code == 302, address
        assert answer.headers["Location"].startswith("/admin/login/?next="), address


def test_after_the_login_each_is_on_the_site_of_their_own(lucia: User, ana: User) -> None:
    """In one browser, one after the other; the address that was asked for first stays."""
    browser = Console()
    for name, password, code in (
        ("ana", "Volcán-Galeras-4276", 200),
        ("lucia", "Sierra-Nevada-5775", 404),
        ("ana", "Volcán-Galeras-4276", 200),
    ):
        wanted = "/admin/core/auditentry/"
        form = {"username": name, "password": password, "next": wanted}
        answer = browser.post("/admin/login/", form)
        assert (answer.status_code, answer.headers.get("Location")) == (302, wanted)
        assert browser.get(wanted).status_code == code, name


def test_a_membership_that_ends_during_a_session_ends_what_is_seen(
    browser: Console, lucia: User
) -> None:
    assert browser.page("merchants_merchant_changelist").context["cl"].result_count == 1
    Membership.objects.filter(user=lucia).delete()
    answer = browser.page("merchants_merchant_changelist")
    # The group is left: still no operator, and nothing to see.
    assert served_by(answer) == settings.MERCHANTS_URLCONF
    assert answer.context["cl"].result_count == 0
    assert browser.get("/admin/core/auditentry/").status_code == 404


def test_a_member_who_is_removed_is_logged_out(browser: Console, lucia: User) -> None:
    assert browser.page("index").status_code == 200
    membership = Membership.objects.get(user=lucia)
    members.remove_member(membership=membership, actor="ana", reason="Left")
    answer = browser.page("index")
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/admin/login/")


def test_a_second_merchant_is_seen_at_the_next_request(browser: Console, lucia: User) -> None:
    other = MerchantFactory(name="Otra Tienda", email="hola@otratienda.co")
    assert browser.page("merchants_merchant_change", other.pk).status_code == 302
    members.add_member(
        merchant=other,
        username="lucia",
        role=roles.MERCHANT_ADMINISTRATOR,
        actor="ana",
        reason="Two shops",
    )
    assert browser.page("merchants_merchant_change", other.pk).status_code == 200


def test_whose_merchants_is_asked_once_for_each_request(browser: Console) -> None:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert browser.page("collect_order_changelist").status_code == 200
    asked = [each["sql"] for each in queries if "merchants_membership" in each["sql"]]
    assert len(asked) == 1, asked


@pytest.mark.parametrize("address", ["/healthz", "/docs", "/verify", "/api/v1/collect", "/pay/x"])
def test_other_pages_do_not_ask_whose_merchants(
    browser: Console, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr(type(admin.site._wrapped), "scope_of", lambda *_: 1 / 0)
    answer = browser.get(address)
    assert answer.status_code < 500
    assert not hasattr(answer.wsgi_request, "urlconf")


def test_one_request_leaves_nothing_to_the_next_of_its_thread(
    browser: Console, console: Console
) -> None:
    """Addresses are written by a list that belongs to the thread while it serves a request."""
    for _ in range(2):
        assert browser.get("/admin/core/auditentry/").status_code == 404
        page = console.page("core_auditentry_changelist")
        assert page.status_code == 200
        assert 'href="/admin/core/auditentry/"' in page.content.decode()
        own = browser.page("index").content.decode()
        assert "/admin/core/auditentry/" not in own
        assert "/admin/collect/order/" in own


def test_a_file_that_is_not_read_leaves_no_addresses_behind(browser: Console) -> None:
    answer = browser.post("/admin/collect/order/export/", {"format": "CSV"})
    assert answer.streaming
    assert get_urlconf() is None


@pytest.mark.slow
def test_links_of_its_pages_lead_only_to_pages_that_exist(browser: Console, lucia: User) -> None:
    merchant = Membership.objects.get(user=lucia).merchant
    for page in (browser.page("index"), browser.page("merchants_merchant_change", merchant.pk)):
        links = set(re.findall(r'href="(/admin/[^"?#]*)', page.content.decode()))
        assert len(links) > 10
        for address in links:
            assert browser.get(address).status_code in (200, 302), address


@pytest.mark.parametrize(
    "name",
    [
        *("merchants_membership", "merchants_apikey"),
        *("team_accessrequest", "team_invitation"),
    ],
)
def test_people_of_one_merchant_are_not_told_to_search_for_merchants(
    browser: Console, name: str
) -> None:
    answer = browser.get(url(f"{name}_changelist"), HTTP_ACCEPT_LANGUAGE="en")
    shown = str(answer.context["cl"].search_help_text)
    assert shown
    assert "merchant" not in shown


def test_action_on_ones_own_account_is_the_title_of_its_page(browser: Console, lucia: User) -> None:
    merchant = Membership.objects.get(user=lucia).merchant
    for name in ("new_key", "invite_person"):
        answer = browser.page(f"merchants_merchant_{name}", merchant.pk)
        title = re.search(r'class="shell-title" title="([^"]+)"', answer.content.decode())
        assert title is not None
        assert title[1] == str(answer.context["title"])
