"""The console's pages of merchants and their keys."""

import json
import re
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils.html import escape

from merchants import services
from merchants.models import ApiKey, Merchant
from payments.core.models import AuditEntry
from tests.admin.conftest import ACCESS_QUERIES, REASON, Console, url
from tests.support.fixtures import ApiClient

FORM = {
    "name": "Panadería Ñandú",
    "email": "pan@example.com",
    "topup_enabled": "on",
    "currencies": ["COP", "USDT"],
    "methods": ["PSE"],
    "event_kinds": ["payment.expired"],
    "webhook_url": "https://example.com/hooks",
}
NO_KEYS = {
    "memberships-TOTAL_FORMS": "0",
    "memberships-INITIAL_FORMS": "0",
    "api_keys-TOTAL_FORMS": "0",
    "api_keys-INITIAL_FORMS": "0",
}


def audit(action: str) -> AuditEntry:
    """The one audit row of the action."""
    return AuditEntry.objects.get(action=action)


def secret_in(response: Any, prefix: str) -> str:
    """The secret that the page shows."""
    (found,) = set(re.findall(rf"{prefix}_[A-Za-z0-9+/=_-]{{30,}}", response.content.decode()))
    return found


def assert_shown_once(console: Console, response: Any, secret: str, *pages: Any) -> None:
    """The answer may not be stored, and nothing else knows the secret."""
    assert response.status_code == 200
    assert "no-store" in response.headers["Cache-Control"]
    for page in pages:
        assert secret not in page.content.decode()
    for session in Session.objects.all():
        assert secret not in json.dumps(session.get_decoded())
    assert secret not in str(response.cookies)
    assert secret not in str(list(AuditEntry.objects.values()))
    assert secret not in str(list(LogEntry.objects.values()))


def test_pages_of_merchants_never_show_the_webhook_secret(
    console: Console, merchant: Merchant
) -> None:
    listed = console.page("merchants_merchant_changelist")
    assert listed.status_code == 200
    assert "Café Andino" in listed.content.decode()
    page = console.page("merchants_merchant_change", merchant.pk)
    assert page.status_code == 200
    assert merchant.pk in page.content.decode()
    assert merchant.webhook_secret not in page.content.decode()


def test_onboarding_shows_the_webhook_secret_once(
    console: Console, caplog: pytest.LogCaptureFixture
) -> None:
    response = console.submit("merchants_merchant_add", **FORM)
    merchant = Merchant.objects.get()
    assert merchant.name == "Panadería Ñandú"
    assert merchant.topup_enabled
    assert not merchant.payout_enabled
    assert merchant.currencies == ["COP", "USDT"]
    assert merchant.methods == ["PSE"]
    assert merchant.event_kinds == ["payment.expired"]
    assert merchant.webhook_url == "https://example.com/hooks"
    assert secret_in(response, "whsec") == merchant.webhook_secret
    again = console.page("merchants_merchant_change", merchant.pk)
    listed = console.page("merchants_merchant_changelist")
    assert_shown_once(console, response, merchant.webhook_secret, again, listed)
    assert merchant.webhook_secret not in caplog.text
    row = audit("merchant.created")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, merchant.pk)


def test_a_reload_of_the_page_with_the_secret_makes_no_second_merchant(console: Console) -> None:
    shown = console.page("merchants_merchant_add")
    form = {**FORM, "reason": REASON, "form_token": shown.context["form_token"]}
    address = url("merchants_merchant_add")
    assert console.post(address, form).status_code == 200
    assert console.post(address, form).status_code == 409
    assert Merchant.objects.count() == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"email": "unknown"},
        {"webhook_url": "ftp://example.com"},
        {"webhook_url": "http://169.254.169.254/latest"},
        {"webhook_url": "javascript:alert(1)"},
        {"currencies": ["EUR"]},
        {"event_kinds": ["payment.completed"]},
        {"reason": ""},
        {"reason": "  "},
    ],
)
def test_a_wrong_form_is_shown_again(console: Console, wrong: dict[str, Any]) -> None:
    response = console.submit("merchants_merchant_add", **{**FORM, **wrong})
    assert response.status_code == 200
    assert response.context["adminform"].form.errors
    assert not Merchant.objects.exists()


def test_a_change_tells_the_audit_log_old_and_new(console: Console, merchant: Merchant) -> None:
    response = console.submit(
        "merchants_merchant_change", merchant.pk, **{**FORM, **NO_KEYS, "name": merchant.name}
    )
    assert response.status_code == 302, response.context["adminform"].form.errors
    row = audit("merchant.changed")
    assert (row.actor, row.reason) == ("ana", REASON)
    assert row.details["old"]["webhook_url"] == "http://127.0.0.1:9/webhooks"
    assert row.details["new"]["webhook_url"] == "https://example.com/hooks"
    assert "name" not in row.details["old"]
    assert row.details["new"]["payout_enabled"] is False
    merchant.refresh_from_db()
    assert merchant.webhook_url == "https://example.com/hooks"
    assert merchant.event_kinds == ["payment.expired"]
    assert not LogEntry.objects.exists()


def test_a_change_needs_a_reason_and_a_good_url(console: Console, merchant: Merchant) -> None:
    for wrong in ({"reason": ""}, {"webhook_url": "http://10.0.0.1:22/"}):
        response = console.submit(
            "merchants_merchant_change", merchant.pk, **{**FORM, **NO_KEYS, **wrong}
        )
        assert response.status_code == 200
    merchant.refresh_from_db()
    assert merchant.webhook_url == "http://127.0.0.1:9/webhooks"
    assert not AuditEntry.objects.filter(subject_id=merchant.pk).exists()


def test_an_issued_key_works_and_its_secret_is_shown_once(
    console: Console, merchant: Merchant, caplog: pytest.LogCaptureFixture
) -> None:
    response = console.submit(
        "merchants_merchant_issue_key", merchant.pk, permissions=["payout:create"], label="Tienda"
    )
    key = ApiKey.objects.get()
    assert (key.label, key.permissions) == ("Tienda", ["payout:create"])
    secret = secret_in(response, "sk")
    client = ApiClient()
    client.headers = {"X-Api-Key": key.public_key, "X-Api-Secret": secret}
    assert client.get("/collect").status_code == 200
    pages = [
        console.page("merchants_merchant_change", merchant.pk),
        console.page("merchants_apikey_changelist"),
        console.page("merchants_apikey_change", key.pk),
        console.page("core_auditentry_changelist"),
    ]
    assert_shown_once(console, response, secret, *pages)
    assert secret not in caplog.text
    row = audit("api_key.issued")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, key.pk)


def test_a_reload_issues_no_second_key(console: Console, merchant: Merchant) -> None:
    shown = console.page("merchants_merchant_issue_key", merchant.pk)
    address = url("merchants_merchant_issue_key", merchant.pk)
    form = {"form_token": shown.context["form_token"], "reason": REASON}
    assert console.post(address, form).status_code == 200
    again = console.post(address, form)
    assert again.status_code == 400
    assert "sk_" not in again.content.decode()
    assert ApiKey.objects.count() == 1


def test_a_revoked_key_is_refused_at_once_and_for_good(console: Console, api: ApiClient) -> None:
    assert api.get("/collect").status_code == 200
    response = console.submit("merchants_apikey_revoke", api.key.pk)
    assert response.status_code == 302
    assert api.get("/collect").status_code == 401
    again = console.submit("merchants_apikey_revoke", api.key.pk)
    assert again.status_code == 400
    row = audit("api_key.revoked")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, api.key.pk)
    assert row.details["merchant"] == api.merchant.pk
    page = console.page("merchants_apikey_change", api.key.pk).content.decode()
    assert url("merchants_apikey_revoke", api.key.pk) not in page


def test_page_that_revokes_a_key_names_it_and_says_if_it_is_the_last(
    console: Console, api: ApiClient, settings: Any
) -> None:
    settings.LANGUAGE_CODE = "en"
    ApiKey.objects.filter(pk=api.key.pk).update(label="Online shop")
    last = "It is the only active key of"
    page = console.page("merchants_apikey_revoke", api.key.pk).content.decode()
    assert f"“Online shop” of {escape(api.merchant.name)} stops working at once" in page
    assert last in page
    services.issue_api_key(merchant=api.merchant, actor="ana", label="Other", reason=REASON)
    assert last not in console.page("merchants_apikey_revoke", api.key.pk).content.decode()


def test_the_webhook_secret_is_replaced_and_shown_once(
    console: Console, merchant: Merchant
) -> None:
    old = merchant.webhook_secret
    response = console.submit("merchants_merchant_regenerate_secret", merchant.pk)
    merchant.refresh_from_db()
    assert merchant.webhook_secret != old
    assert secret_in(response, "whsec") == merchant.webhook_secret
    page = console.page("merchants_merchant_change", merchant.pk)
    assert_shown_once(console, response, merchant.webhook_secret, page)
    assert audit("webhook_secret.regenerated").reason == REASON


def test_a_merchant_is_deactivated_and_activated_again(
    console: Console, api: ApiClient, merchant: Merchant
) -> None:
    assert console.submit("merchants_merchant_deactivate", merchant.pk).status_code == 302
    refused = api.get("/collect")
    assert (refused.status_code, refused.body["error"]["code"]) == (401, "MERCHANT_NOT_ACTIVE")
    page = console.page("merchants_merchant_change", merchant.pk).content.decode()
    assert url("merchants_merchant_activate", merchant.pk) in page
    assert url("merchants_merchant_deactivate", merchant.pk) not in page
    assert console.submit("merchants_merchant_activate", merchant.pk).status_code == 302
    assert api.get("/collect").status_code == 200
    assert audit("merchant.deactivated").reason == REASON
    assert audit("merchant.activated").actor == "ana"


ACTS = [
    "merchants_merchant_issue_key",
    "merchants_merchant_regenerate_secret",
    "merchants_merchant_deactivate",
    "merchants_apikey_revoke",
]


def subject_of(act: str, api: ApiClient) -> str:
    """The key for acts on keys, else the merchant."""
    return api.key.pk if "apikey" in act else api.merchant.pk


def snapshot() -> tuple[Any, ...]:
    """Everything an act could change."""
    return (
        list(Merchant.objects.order_by("pk").values()),
        list(ApiKey.objects.order_by("pk").values_list("pk", "revoked_at")),
        AuditEntry.objects.count(),
    )


@pytest.mark.parametrize("act", ACTS)
def test_looking_at_an_act_does_nothing(console: Console, api: ApiClient, act: str) -> None:
    before = snapshot()
    address = url(f"{act}", subject_of(act, api))
    page = console.get(address)
    assert page.status_code == 200
    assert "csrfmiddlewaretoken" in page.content.decode()
    for method in ("head", "options", "put", "patch", "delete"):
        getattr(console, method)(address)
    assert snapshot() == before


@pytest.mark.parametrize("act", ACTS)
def test_an_act_needs_a_reason(console: Console, api: ApiClient, act: str) -> None:
    before = snapshot()
    response = console.submit(act, subject_of(act, api), reason=" ")
    assert response.status_code == 400
    assert response.context["form"].errors["reason"]
    assert snapshot() == before


@pytest.mark.parametrize("act", ACTS)
def test_a_forged_form_is_refused(ana: Any, api: ApiClient, act: str) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(ana)
    before = snapshot()
    address = url(f"{act}", subject_of(act, api))
    response = browser.post(address, {"form_token": "x", "reason": REASON})
    assert response.status_code == 403
    assert snapshot() == before


def test_a_true_form_passes_the_csrf_check(ana: Any, api: ApiClient) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(ana)
    address = url("merchants_apikey_revoke", api.key.pk)
    shown = browser.get(address)
    form = {
        "csrfmiddlewaretoken": browser.cookies["csrftoken"].value,
        "form_token": shown.context["form_token"],
        "reason": REASON,
    }
    assert browser.post(address, form).status_code == 302
    assert ApiKey.objects.get().revoked_at


@pytest.mark.parametrize("act", ACTS)
def test_person_who_may_only_look_cannot_act(clerk: Console, api: ApiClient, act: str) -> None:
    before = snapshot()
    address = url(f"{act}", subject_of(act, api))
    assert clerk.get(address).status_code == 403
    assert clerk.post(address, {"form_token": "x", "reason": REASON}).status_code == 403
    page = clerk.page("merchants_merchant_change", api.merchant.pk)
    assert page.status_code == 200
    assert 'name="_save"' not in page.content.decode()
    assert snapshot() == before


@pytest.mark.parametrize("act", [*ACTS, "merchants_merchant_change"])
def test_person_who_is_not_of_the_staff_sees_the_login(
    visitor: Console, api: ApiClient, act: str
) -> None:
    address = url(f"{act}", subject_of(act, api))
    for browser in (visitor, Client()):
        for response in (browser.get(address), browser.post(address, {"reason": REASON})):
            assert response.status_code == 302
            assert response.url.startswith(url("login"))


def test_an_unknown_merchant_is_a_404(console: Console) -> None:
    assert console.page("merchants_merchant_issue_key", "mer_0").status_code == 404


def test_merchants_and_keys_cannot_be_deleted(console: Console, api: ApiClient) -> None:
    for name, pk in (("merchant", api.merchant.pk), ("apikey", api.key.pk)):
        address = url(f"merchants_{name}_delete", pk)
        assert console.get(address).status_code == 403
        assert console.post(address, {"post": "yes"}).status_code == 403
        changelist = url(f"merchants_{name}_changelist")
        console.post(changelist, {"action": "delete_selected", "_selected_action": [pk]})
        assert "delete_selected" not in console.get(changelist).content.decode()
    assert Merchant.objects.exists()
    assert ApiKey.objects.exists()


def test_a_key_is_neither_added_nor_edited_by_a_form(console: Console, api: ApiClient) -> None:
    assert console.get(url("merchants_apikey_add")).status_code == 403
    address = url("merchants_apikey_change", api.key.pk)
    assert console.post(address, {"label": "new"}).status_code == 403
    assert ApiKey.objects.get().label == ""


def test_a_merchants_name_is_text_not_markup(console: Console, merchant: Merchant) -> None:
    evil = "<script>alert(1)</script>"
    Merchant.objects.filter(pk=merchant.pk).update(name=evil)
    key, _ = services.issue_api_key(merchant=merchant, actor="ana", label=evil)
    for page in (
        console.page("merchants_merchant_changelist"),
        console.page("merchants_merchant_change", merchant.pk),
        console.page("merchants_merchant_issue_key", merchant.pk),
        console.page("merchants_merchant_deactivate", merchant.pk),
        console.page("merchants_apikey_changelist"),
        console.page("merchants_apikey_change", key.pk),
        console.page("merchants_apikey_revoke", key.pk),
    ):
        assert page.status_code == 200
        assert evil not in page.content.decode()
        assert "&lt;script&gt;alert(1)" in page.content.decode()


@pytest.mark.parametrize("term", ["Andino", "caja@cafeandino.co", "mer_"])
def test_search_finds_merchants_by_id_name_and_email(
    console: Console, merchant: Merchant, term: str
) -> None:
    page = console.page("merchants_merchant_changelist", q=term)
    assert merchant.pk in page.content.decode()
    assert (
        merchant.pk not in console.page("merchants_merchant_changelist", q="zzz").content.decode()
    )


@pytest.mark.parametrize("name", ["merchants_merchant_changelist", "merchants_apikey_changelist"])
def test_a_long_list_costs_no_more_queries(
    console: Console, merchant: Merchant, django_assert_max_num_queries: Any, name: str
) -> None:
    for number in range(12):
        other, _ = services.create_merchant(name=f"Tienda {number}", actor="ana")
        services.issue_api_key(merchant=other, actor="ana")
    with django_assert_max_num_queries(7 + ACCESS_QUERIES):
        console.page(name)
