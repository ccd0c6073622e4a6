"""The page of a delivery: the request beside each answer, what to mend, and news by itself."""

import re
from typing import Any

import pytest

from merchants.models import Merchant
from payments.console import roles
from payments.core import clock
from tests.admin.conftest import Console, url
from tests.admin.test_webhooks import end, fail, publish
from tests.support.factories import MerchantFactory
from tests.support.merchant_staff import browser_of, person_of
from webhooks import signing
from webhooks.models import Attempt, Delivery, Failure, Status

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _english(settings: Any) -> None:
    settings.LANGUAGE_CODE = "en"


def page_of(browser: Console, delivery: Delivery) -> Any:
    return browser.page("webhooks_delivery_change", delivery.pk)


def steps(page: Any) -> dict[str, list[str]]:
    lines = page.context["record_step"]["lines"]
    return {str(line["why"]): [path for _title, path in line["buttons"]] for line in lines}


def refused(delivery: Delivery, error: str) -> None:
    Attempt.objects.create(
        delivery=delivery,
        number=1,
        url="http://127.0.0.1:9000/webhooks",
        started_at=clock.now(),
        duration_ms=5,
        error=error,
    )
    Delivery.objects.filter(pk=delivery.pk).update(attempts=1)


def test_event_that_is_not_sent_yet_is_under_way(console: Console, merchant: Merchant) -> None:
    page = page_of(console, publish(merchant))
    assert page.context["record_step"]["title"] == "Under way"
    assert "Nothing to do" not in page.content.decode()


def test_request_stands_beside_the_answer(console: Console, merchant: Merchant) -> None:
    delivery = publish(merchant)
    fail(delivery, "no such page")
    (exchange,) = page_of(console, delivery).context["exchanges"]
    attempt = Attempt.objects.get()
    sent = signing.headers(
        event_id=delivery.event_id,
        attempt=1,
        body=bytes(delivery.event.body),
        secret=merchant.webhook_secret,
        at=attempt.started_at,
    )
    shown = dict(exchange.headers)
    assert shown.keys() == sent.keys()
    different = {name for name in sent if sent[name] != shown[name]}
    assert different == {"X-Service-Signature", "webhook-signature"}
    assert exchange.answer == "no such page"
    html = page_of(console, delivery).content.decode()
    assert "&quot;amount&quot;" in html
    assert merchant.webhook_secret not in html


@pytest.mark.parametrize(
    ("error", "advice", "leads_to_url"),
    [
        (Failure.DNS, "Correct the host name in the webhook URL.", True),
        (Failure.TIMEOUT, "The receiver must answer within", False),
    ],
)
def test_failed_attempt_says_what_to_mend(
    console: Console, merchant: Merchant, error: str, advice: str, leads_to_url: bool
) -> None:
    delivery = publish(merchant)
    refused(delivery, error)
    delivery.refresh_from_db()
    found = steps(page_of(console, delivery))
    first, second = found
    assert first.startswith("Attempt 1 failed")
    assert second.startswith(advice)
    set_url = url("webhooks_delivery_set_url", delivery.pk)
    assert (found[first] == [set_url]) is leads_to_url
    assert page_of(console, delivery).context["record_step"]["is_needed"]


def test_delivery_without_a_url_leads_to_the_form_of_the_url(
    console: Console, merchant: Merchant
) -> None:
    delivery = publish(merchant)
    Delivery.objects.filter(pk=delivery.pk).update(status=Status.WAITING, next_attempt_at=None)
    set_url = url("webhooks_delivery_set_url", delivery.pk)
    assert [set_url] in steps(page_of(console, delivery)).values()
    assert console.get(set_url).url == url("merchants_merchant_set_webhook", merchant.pk)


def test_page_looks_for_news_until_the_delivery_has_ended(
    console: Console, merchant: Merchant
) -> None:
    delivery = publish(merchant)
    live = url("webhooks_delivery_live", delivery.pk)
    html = page_of(console, delivery).content.decode()
    assert f'data-live="{live}"' in html
    assert '<noscript><meta http-equiv="refresh"' in html
    before = console.get(live).content.decode()
    fail(delivery)
    Delivery.objects.filter(pk=delivery.pk).update(attempts=1)
    after = console.get(live).content.decode()
    states = [re.search(r'data-live-state="(\S+)"', text) for text in (before, after)]
    assert [found and found[1] for found in states] == ["PENDING:0", "PENDING:1"]
    end(delivery)
    assert 'data-live-seconds="0"' in console.get(live).content.decode()
    ended = page_of(console, delivery).content.decode()
    assert "data-live=" not in ended
    assert "live.js" not in ended


def test_news_of_another_merchant_are_not_found(merchant: Merchant) -> None:
    other = publish(MerchantFactory(name="Otra Tienda"))
    lucia = browser_of(person_of(merchant, "lucia"))
    assert lucia.get(url("webhooks_delivery_live", other.pk)).status_code == 404
    own = publish(merchant)
    assert lucia.get(url("webhooks_delivery_live", own.pk)).status_code == 200


@pytest.mark.parametrize(
    ("role", "may_set"), [(roles.MERCHANT_STAFF, False), (roles.MERCHANT_ADMINISTRATOR, True)]
)
def test_test_event_without_a_url_says_so(merchant: Merchant, role: str, may_set: bool) -> None:
    Merchant.objects.filter(pk=merchant.pk).update(webhook_url="")
    browser = browser_of(person_of(merchant, "lucia", role))
    page = browser.page("webhooks_send_test", merchant.pk).content.decode()
    assert "has no webhook URL" in page
    assert 'name="form_token"' not in page
    set_url = url("merchants_merchant_set_webhook", merchant.pk)
    assert (f'href="{set_url}"' in page) is may_set


def test_page_says_how_the_merchants_webhooks_fared_today(
    console: Console, merchant: Merchant
) -> None:
    for _ in range(3):
        delivered = publish(merchant)
        Delivery.objects.filter(pk=delivered.pk).update(
            status=Status.DELIVERED, next_attempt_at=None, delivered_at=clock.now()
        )
    failed = publish(merchant)
    end(failed)
    assert "75 % of 4 arrived" in page_of(console, failed).content.decode()


def test_page_begins_with_what_happened_and_whether_it_arrived(
    console: Console, merchant: Merchant
) -> None:
    delivery = publish(merchant)
    refused(delivery, Failure.DNS)
    page = page_of(console, delivery)
    assert page.context["record_head"]["amount"] == "Payment received"
    assert "Is tried again" in page.context["record_head"]["state"]
    html = page.content.decode()
    assert "No answer came; the attempt ended after 5 ms." in html
    assert "The answer had no body." not in html
