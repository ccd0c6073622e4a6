"""Filters that people keep: a name for a list with its own query parameters, never an address."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.utils.translation import override

from merchants.models import Membership, Merchant
from payments.console import applied_filters
from payments.console.applied_filters import AppliedFilter
from payments.console.models import SavedFilter
from tests.admin.conftest import Console, url

pytestmark = pytest.mark.django_db
ORDERS = "collect.order"


def keep(browser: Console, name: str, query: str, page: str = ORDERS, **more: Any) -> Any:
    return browser.post(
        url("saved_add"), {"name": name, "page": page, "query": query, **more}, follow=False
    )


def test_saved_filter_appears_on_its_list_and_the_first_page(console: Console) -> None:
    listed = console.page("collect_order_changelist", status__exact="FAILED").content.decode()
    assert "status__exact=FAILED" in listed
    answer = keep(console, "Rojos", "status__exact=FAILED&q=MESA")
    orders = url("collect_order_changelist")
    assert answer.status_code == 302
    assert answer.url == f"{orders}?q=MESA&status__exact=FAILED"
    row = SavedFilter.objects.get()
    assert (row.name, row.page, row.query) == ("Rojos", ORDERS, "q=MESA&status__exact=FAILED")
    for name in ("index", "collect_order_changelist"):
        page = console.page(name).content.decode()
        assert "Rojos" in page
        assert "q=MESA&amp;status__exact=FAILED" in page
    assert "Rojos" not in console.page("payout_payout_changelist").content.decode()
    assert console.get(answer.url).status_code == 200


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("status__exact=PENDING&next=https://evil.example", "status__exact=PENDING"),
        ("q=x&p=7&e=1&_popup=1", "q=x"),
        ("created_at_from=2026-03-01&created_at_to=", "created_at_from=2026-03-01"),
        ("o=1.-2&customer_name__startswith=A", "o=1.-2"),
        ("https://evil.example/?q=1", ""),
        ("//evil.example", ""),
        ("merchant__webhook_secret__startswith=a", ""),
        ("", ""),
    ],
)
def test_only_what_the_list_knows_is_kept(console: Console, query: str, kept: str) -> None:
    answer = keep(console, "Mine", query)
    assert answer.url.startswith(url("collect_order_changelist"))
    assert "evil" not in answer.url
    assert [row.query for row in SavedFilter.objects.all()] == ([kept] if kept else [])


def test_a_page_that_is_none_is_refused(console: Console, clerk: Console) -> None:
    for page in ("", "https://evil.example", "collect.nothing", "sessions.session"):
        assert keep(console, "X", "q=x", page=page).status_code == 403
    browser = Console()
    browser.force_login(User.objects.create_user("dora", password="x", is_staff=True))
    assert keep(browser, "X", "q=x").status_code == 403
    assert not SavedFilter.objects.exists()


def test_a_name_is_needed_and_given_once(console: Console) -> None:
    keep(console, "", "q=x")
    keep(console, "n" * 61, "q=x")
    keep(console, "Same", "q=x")
    keep(console, "Same", "q=y")
    assert [row.query for row in SavedFilter.objects.all()] == ["q=x"]


def test_they_are_renamed_and_deleted(console: Console) -> None:
    keep(console, "Old", "q=x")
    row = SavedFilter.objects.get()
    assert console.post(url("saved_change", row.pk), {"name": "<b>New</b>"}).status_code == 302
    page = console.page("collect_order_changelist").content.decode()
    assert "&lt;b&gt;New" in page
    assert "<b>New" not in page
    assert console.get(url("saved_delete", row.pk)).status_code == 405
    assert console.post(url("saved_delete", row.pk)).url == url("collect_order_changelist")
    assert not SavedFilter.objects.exists()


def test_ones_own_unless_shared(console: Console, beto: Console) -> None:
    keep(console, "Privado", "q=x")
    keep(console, "De todos", "o=1", is_shared="on")
    page = beto.page("collect_order_changelist").content.decode()
    assert "De todos" in page
    assert "Privado" not in page
    for row in SavedFilter.objects.all():
        assert beto.post(url("saved_change", row.pk), {"name": "Mine"}).status_code == 404
        assert beto.post(url("saved_delete", row.pk)).status_code == 404
    assert SavedFilter.objects.count() == 2


def test_what_was_searched_for_is_not_shared(console: Console, beto: Console) -> None:
    order = f"col_{'0' * 26}"
    searched = {"Ana": "q=1020304050&o=1", "Solo": "q=ana%40example.com", "Uno": f"q={order}"}
    for name, query in searched.items():
        keep(console, name, query, is_shared="on")
    for name in ("index", "collect_order_changelist"):
        page = beto.page(name).content.decode()
        assert "1020304050" not in page
        assert "ana@example.com" not in page
        assert "ana%40example.com" not in page
        assert "Solo" not in page
        assert "?o=1" in page
        assert f"q={order}" in page
    own = console.page("collect_order_changelist").content.decode()
    assert "q=1020304050" in own
    assert "ana%40example.com" in own


def test_people_of_merchants_cannot_share(
    console: Console, merchant: Merchant, stranger: Merchant
) -> None:
    keep(console, "De todos", "o=1", is_shared="on")
    browsers = []
    for name, whose in (("lucia", merchant), ("rosa", merchant)):
        user = User.objects.create_user(name, password="x", is_staff=True)
        user.user_permissions.set(Permission.objects.filter(codename="view_order"))
        Membership.objects.create(user=user, merchant=whose)
        browsers.append(Console())
        browsers[-1].force_login(user)
    lucia, rosa = browsers
    assert "De todos" not in lucia.page("collect_order_changelist").content.decode()
    assert keep(lucia, "De Lucía", "q=z", is_shared="on").status_code == 302
    assert not SavedFilter.objects.get(name="De Lucía").is_shared
    assert "De Lucía" in lucia.page("collect_order_changelist").content.decode()
    assert "De Lucía" not in rosa.page("collect_order_changelist").content.decode()
    assert keep(lucia, "X", "q=x", page="core.auditentry").status_code == 403


def test_only_our_own_form_saves_a_filter(console: Console) -> None:
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    strict.cookies = console.cookies
    refused = strict.post(url("saved_add"), {"name": "X", "page": ORDERS, "query": "q=x"})
    assert refused.status_code == 403


def test_shown_filter_is_marked_and_its_parts_can_be_removed(
    console: Console, merchant: Merchant
) -> None:
    query = f"merchant__id__exact={merchant.pk}"
    keep(console, "Suyas", query)
    page = console.page("collect_order_changelist", merchant__id__exact=merchant.pk)
    content = page.content.decode()
    assert f'?{query}" aria-current="true">Suyas' in content
    with override("en"):
        shown = applied_filters.applied(page.wsgi_request, page.context["cl"])
    assert shown == [AppliedFilter("Merchant", merchant.name, "?")]
    assert 'aria-current="page">Todas' not in content
    plain = console.page("collect_order_changelist").content.decode()
    assert "desk-applied" not in plain


def test_days_of_a_filter_are_shown_as_days(console: Console) -> None:
    page = console.page("collect_order_changelist", created_at_from="2026-03-01", o="1")
    with override("en"):
        shown = applied_filters.applied(page.wsgi_request, page.context["cl"])
    assert [(each.value, each.without) for each in shown] == [("1 Mar 2026 – …", "?o=1")]
