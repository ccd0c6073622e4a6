"""The settings of an account as its own people read them: each value, and where it is changed."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User

from merchants.models import Merchant
from payments.console import roles
from payments.core import clock
from tests.admin.conftest import Console
from tests.merchants.test_legal_data import GIVEN
from tests.support.charges import create
from tests.support.fixtures import ApiClient
from tests.support.invitations import invite
from tests.support.merchant_staff import browser_of, person_of
from tests.support.refunds import paid
from webhooks import endpoints

pytestmark = pytest.mark.django_db
ACTS = ("set_legal_data", "set_brand", "set_retry", "set_receipt_mail", "set_document")
ACTS += ("set_webhook", "set_strict")
NO_URL = "has no webhook URL"


@pytest.fixture(autouse=True)
def english(settings: Any) -> None:
    settings.LANGUAGE_CODE = "en"


@pytest.fixture
def boss(api: ApiClient) -> Console:
    """Of an account that has set up nothing."""
    new = {"webhook_url": "", "direct_api_enabled": False, "retry_enabled": False}
    Merchant.objects.filter(pk=api.merchant.pk).update(**new)
    api.merchant.refresh_from_db()
    return browser_of(person_of(api.merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR))


def page_of(browser: Console, merchant: Merchant) -> str:
    page = browser.page("merchants_merchant_change", merchant.pk).content.decode()
    return str(page[page.index('id="content-main"') :])


def settings_of(page: str) -> dict[str, str]:
    """What the page says of each setting."""
    found = re.findall(r"<dt>(.*?)</dt>\s*<dd[^>]*>(.*?)</dd>", page, re.DOTALL)
    return {name: re.sub(r"<[^>]+>", "", value).strip() for name, value in found}


def test_every_setting_is_shown_with_the_link_that_changes_it(
    boss: Console, api: ApiClient
) -> None:
    page = page_of(boss, api.merchant)
    shown = settings_of(page)
    for name in ("Legal name", "NIT", "Colour", "Logo", "Main URL", "Further endpoints"):
        assert shown[name] == "Not set up", name
    assert shown["Payers may try again after a refusal"] == "No"
    assert shown["Approval rules of your team"] == "One approver for each payout"
    for act in ACTS:
        assert f"/{act}/" in page
    api.merchant.brand_color = "#0a7a66"
    api.merchant.webhook_url = "https://cafe.example/webhooks"
    api.merchant.retry_enabled = True
    api.merchant.save()
    page = page_of(boss, api.merchant)
    shown = settings_of(page)
    assert shown["Colour"] == "#0a7a66"
    assert shown["Main URL"].startswith("https://cafe.example/webhooks")
    assert shown["Payers may try again after a refusal"] == "Yes"
    assert "/choose_events/" in page


def test_methods_are_named_as_the_payment_page_names_them(boss: Console, api: ApiClient) -> None:
    ways = settings_of(page_of(boss, api.merchant))["Ways to pay on your page"]
    assert ways.startswith("PSE, Bank transfer")
    assert "BANK_TRANSFER" not in ways
    assert "Nequi" not in ways
    api.merchant.direct_api_enabled = True
    api.merchant.save()
    ways = settings_of(page_of(boss, api.merchant))["Ways to pay on your page"]
    assert "Nequi" in ways


def test_record_of_an_order_names_what_its_page_offers(boss: Console, api: ApiClient) -> None:
    Merchant.objects.filter(pk=api.merchant.pk).update(direct_api_enabled=True)
    still_open, ended = create(api, reference="MESA-1"), paid(api)
    page = boss.page("collect_order_change", still_open.pk).content.decode()
    assert "PSE, Bank transfer" in page
    assert "Bre-B key" in page
    # What is switched on today says nothing of what an order offered before.
    page = boss.page("collect_order_change", ended.pk).content.decode()
    assert "PSE, Bank transfer" in page
    assert "Bre-B key" not in page


def test_colleague_who_invited_is_read_by_name(boss: Console, api: ApiClient) -> None:
    User.objects.filter(username="gabriel").update(first_name="Gabriel", last_name="Mora")
    invite(boss, api.merchant, roles.MERCHANT_STAFF)
    listed = boss.page("team_invitation_changelist").content.decode()
    assert "Gabriel Mora" in listed[listed.index('id="result_list"') :]


def test_who_may_change_nothing_reads_the_values_without_links(api: ApiClient) -> None:
    page = page_of(browser_of(person_of(api.merchant, "mario")), api.merchant)
    assert settings_of(page)["Main URL"].startswith(api.merchant.webhook_url)
    for act in ACTS:
        assert f"/{act}/" not in page


def test_changes_of_the_own_data_are_on_the_timeline(boss: Console, api: ApiClient) -> None:
    boss.submit("merchants_merchant_set_legal_data", api.merchant.pk, **GIVEN)
    boss.submit(
        *("merchants_merchant_set_webhook", api.merchant.pk),
        webhook_url="https://cafe.example/secret-path",
        reason="Our new server",
    )
    page = page_of(boss, api.merchant)
    history = page[page.index('class="desk-timeline"') :]
    assert "Changed the legal data" in history
    assert "Changed the account" in history
    assert "Webhook URL" in history
    assert "gabriel" in history
    # Neither values nor reasons.
    assert "secret-path" not in history
    assert "Our new server" not in history


@pytest.mark.parametrize(
    ("kinds", "is_enough"),
    [(["payment.completed", "payment.failed"], True), (["payment.completed"], False)],
)
def test_an_endpoint_that_takes_what_is_always_reported_counts_as_an_address(
    boss: Console,
    api: ApiClient,
    monkeypatch: pytest.MonkeyPatch,
    kinds: list[str],
    is_enough: bool,
) -> None:
    monkeypatch.setattr("merchants.admin.own_page.first_steps", lambda merchant: [])
    assert NO_URL in page_of(boss, api.merchant)
    made, _replayed = endpoints.create_endpoint(
        merchant=api.merchant,
        new=endpoints.NewEndpoint(
            url="https://contabilidad.example/webhooks",
            kinds=kinds,
            description="Contabilidad",
        ),
        actor="gabriel",
        now=clock.now(),
    )
    page = page_of(boss, api.merchant)
    assert (NO_URL not in page) is is_enough
    assert settings_of(page)["Further endpoints"] == "1 that is on"
    endpoints.change_destination(
        destination=endpoints.find_destination(merchant=api.merchant, endpoint_id=made.id),
        actor="gabriel",
        now=clock.now(),
        is_enabled=False,
    )
    assert NO_URL in page_of(boss, api.merchant)
