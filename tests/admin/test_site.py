"""The console as a whole: who enters, what its answers carry, what can never be done."""

import re
from typing import Any

import pytest
import time_machine
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import NoReverseMatch, reverse

from merchants.models import Merchant
from payments.console.roles import VIEWER
from payments.core import audit, clock
from payments.core.models import AuditEntry
from payments.payout.models import Payout
from tests.admin.conftest import Console, url

pytestmark = pytest.mark.django_db
OURS = [model for model in admin.site._registry if model not in (User, Group)]
FORMS = {"merchant", "payoutmethod", "bank", "payoutswitch", "operator", "topupterms"}
FORMS |= {"agreement", "billterms", "route"}
ADDABLE = {"merchant", "exchangerate", "bank", "operator", "taxrule", "provideraccount", "route"}
ADDABLE |= {"settlementfile", "providertariff", "bankaccount", "statementupload"}


def test_console_opens_for_an_operator(console: Console) -> None:
    page = console.page("index")
    assert page.status_code == 200
    assert "Pasarela" in page.content.decode()


def test_one_logs_in_with_a_password(ana: Any) -> None:
    browser = Client()
    address = url("login")
    wrong = browser.post(address, {"username": "ana", "password": "wrong"})
    assert wrong.status_code == 200
    right = browser.post(address, {"username": "ana", "password": "Volcán-Galeras-4276"})
    assert right.status_code == 302
    assert browser.get(url("index")).status_code == 200


def test_an_address_cannot_guess_for_long(ana: Any, settings: Any) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "failed_credentials": "5/m"}
    browser = Client()
    guesses = [{"username": f"person{n}", "password": "wrong"} for n in range(6)]
    # Limits count in whole minutes of the clock: the guesses are made within one.
    with time_machine.travel(clock.now().replace(second=10), tick=False):
        answers = [browser.post(url("login"), guess).status_code for guess in guesses]
        assert answers == [200] * 5 + [429]
        right = {"username": "ana", "password": "Volcán-Galeras-4276"}
        refused = browser.post(url("login"), right)
    assert refused.status_code == 429
    assert refused.headers["Retry-After"]
    assert browser.get(url("index")).status_code == 302


def test_the_merchant_filter_finds_merchants(console: Console, merchant: Any) -> None:
    field = {"app_label": "collect", "model_name": "order", "field_name": "merchant"}
    found = console.page("autocomplete", **field, term="Andino").json()["results"]
    assert found == [{"id": merchant.pk, "text": "Café Andino"}]
    assert Client().get(url("autocomplete"), {**field, "term": "A"}).status_code == 302


@pytest.mark.parametrize("name", ["login", "index", "merchants_merchant_changelist"])
def test_the_relaxed_policy_is_for_the_console_only(console: Console, name: str) -> None:
    browser = Client() if name == "login" else console
    policy = browser.get(url(f"{name}")).headers["Content-Security-Policy"]
    assert "script-src 'self' 'unsafe-inline' 'unsafe-eval'" in policy
    assert "frame-ancestors 'none'" in policy
    elsewhere = console.get("/nowhere").headers["Content-Security-Policy"]
    assert "unsafe" not in elsewhere


@pytest.mark.parametrize("name", ["login", "index", "merchants_merchant_add"])
def test_nothing_is_loaded_from_elsewhere(console: Console, name: str) -> None:
    browser = Client() if name == "login" else console
    html = browser.get(url(f"{name}")).content.decode()
    loaded = re.findall(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=[\"']([^\"']+)", html)
    assert loaded
    assert [link for link in loaded if not link.startswith(("/", "data:"))] == []


def test_pages_are_not_kept_by_the_browser(console: Console) -> None:
    assert "no-store" in console.page("index").headers["Cache-Control"]


@pytest.mark.slow
@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_every_list_accepts_any_query(console: Console, model: Any) -> None:
    opts = model._meta
    address = url(f"{opts.app_label}_{opts.model_name}_changelist")
    for query in ({}, {"q": "x"}, {"q": "col_0"}, {"q": "\x00%_'"}, {"p": "2"}, {"e": "1"}):
        assert console.get(address, query, follow=True).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_no_row_is_ever_deleted_and_money_is_never_written(console: Console, model: Any) -> None:
    opts = model._meta
    name = f"{opts.app_label}_{opts.model_name}"
    assert "delete_selected" not in console.get(url(f"{name}_changelist")).content.decode()
    request = console.get(url("index")).wsgi_request
    page = admin.site._registry[model]
    assert not page.has_delete_permission(request)
    assert "delete_selected" not in page.get_actions(request)
    assert page.list_editable == ()
    if opts.model_name not in ADDABLE:
        assert console.get(url(f"{name}_add")).status_code == 403
        assert console.post(url(f"{name}_add"), {}).status_code == 403
    if opts.model_name not in FORMS:
        assert not page.has_change_permission(request)


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_every_list_is_for_the_staff(visitor: Console, model: Any) -> None:
    opts = model._meta
    address = url(f"{opts.app_label}_{opts.model_name}_changelist")
    for browser in (visitor, Client()):
        assert browser.get(address).status_code == 302


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_staff_without_rights_sees_nothing(db: None, model: Any) -> None:
    browser = Client()
    browser.force_login(User.objects.create_user("dora", password="x", is_staff=True))
    opts = model._meta
    address = url(f"{opts.app_label}_{opts.model_name}_changelist")
    assert browser.get(address).status_code == 403


def test_the_audit_log_is_found_by_record_and_person(console: Console, merchant: Any) -> None:
    audit.record(
        actor="ana", action="test.done", subject=merchant, reason="<b>why</b>", note="<i>x</i>"
    )
    for term in (merchant.pk, "ana"):
        page = console.page("core_auditentry_changelist", q=term).content.decode()
        assert "test.done" in page
        assert "<b>why" not in page
    row = AuditEntry.objects.get(action="test.done")
    page = console.page("core_auditentry_change", row.pk).content.decode()
    assert "&lt;i&gt;x" in page
    assert console.page("core_auditentry_change", row.pk).status_code == 200
    assert (
        console.post(url("core_auditentry_change", row.pk), {"reason": "nicer"}).status_code == 403
    )


def test_the_history_of_a_record_is_its_audit_log(console: Console, merchant: Any) -> None:
    response = console.page("merchants_merchant_history", merchant.pk)
    assert response.status_code == 302
    assert response.url == f"{reverse('admin:core_auditentry_changelist')}?q={merchant.pk}"


def test_an_operator_is_made_changed_and_never_deleted(console: Console) -> None:
    group = Group.objects.get(name=VIEWER).pk
    form = {"username": "eva", "email": "eva@example.com", "groups": [group]}
    shown = console.post(url("auth_user_add"), form)
    assert shown.status_code == 200
    eva = User.objects.get(username="eva")
    row = AuditEntry.objects.get(action="user.created")
    assert (row.actor, row.subject_id) == ("ana", str(eva.pk))
    password = list(shown.context["values"].values())[1]
    assert eva.check_password(password)
    assert password not in str(list(AuditEntry.objects.values()))
    assert console.post(url("auth_user_delete", eva.pk), {"post": "yes"}).status_code == 403
    assert console.get(url("auth_user_change", eva.pk)).status_code == 200
    new = console.submit("auth_user_password_change", eva.pk)
    eva.refresh_from_db()
    assert eva.check_password(list(new.context["values"].values())[1])
    assert AuditEntry.objects.filter(action="operator.first_password_given").count() == 2


@pytest.mark.parametrize("name", ["ana", "ANA"])
def test_a_name_that_is_taken_makes_no_second_operator(console: Console, name: str) -> None:
    group = Group.objects.get(name=VIEWER).pk
    refused = console.post(url("auth_user_add"), {"username": name, "groups": [group]})
    assert refused.context["adminform"].form.errors["username"]
    assert User.objects.count() == 1


def test_a_name_stays_for_good(console: Console, ana: User, waiting: Payout) -> None:
    Merchant.objects.update(payout_approval_set_by="ana")
    page = console.page("auth_user_change", ana.pk)
    assert 'name="username"' not in page.content.decode()
    form = {"username": "otra", "email": "ana@example.com", "is_active": "on", "is_superuser": "on"}
    assert console.post(url("auth_user_change", ana.pk), form).status_code == 302
    ana.refresh_from_db()
    assert (ana.username, ana.email) == ("ana", "ana@example.com")
    assert console.submit("payout_payout_approve", waiting.pk).status_code == 400
    waiting.refresh_from_db()
    assert waiting.needs_approval


def test_no_person_gives_themselves_more_rights(db: None, ana: User) -> None:
    from django.contrib.auth.models import Permission

    beto = User.objects.create_user("beto", password="x", is_staff=True)
    beto.user_permissions.set(Permission.objects.filter(codename__endswith="_user"))
    browser = Console()
    browser.force_login(beto)
    assert browser.page("auth_user_change", ana.pk).status_code == 302  # not among his users
    page = browser.page("auth_user_change", beto.pk)
    assert page.status_code == 200
    assert 'name="is_superuser"' not in page.content.decode()
    assert 'name="user_permissions"' not in page.content.decode()


def test_ones_own_new_password_leaves_an_audit_row(console: Console) -> None:
    form = {
        "old_password": "Volcán-Galeras-4276",
        "new_password1": "Laguna-de-la-Cocha-3",
        "new_password2": "Laguna-de-la-Cocha-3",
    }
    address = url("password_change")
    assert console.post(address, {**form, "old_password": "wrong"}).status_code == 200
    changes = AuditEntry.objects.filter(action="operator.password_changed")
    assert not changes.exists()
    assert console.post(address, form).status_code == 302
    assert changes.get().actor == "ana"


def test_no_page_of_the_console_is_missing(console: Console) -> None:
    for model in OURS:
        with_pages = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
        try:
            reverse(with_pages)
        except NoReverseMatch:
            pytest.fail(with_pages)


@pytest.mark.parametrize("who", ["unknown", "ana", "visitor"])
def test_login_refuses_in_one_sentence_for_every_cause(console: Console, who: str) -> None:
    User.objects.create_user("visitor", password="right-for-no-console")
    password = "right-for-no-console" if who == "visitor" else "wrong"
    form = {"username": who, "password": password}
    answer = Console().post("/admin/login/", form, HTTP_ACCEPT_LANGUAGE="en")
    page = answer.content.decode()
    assert page.count("errornote") == page.count("The user or the password is not right.") == 1
