"""The chart of response times: what operators and people of merchants see of their receivers."""

from datetime import timedelta
from typing import Any

import pytest

from merchants.models import Merchant
from payments.console import roles
from payments.core import clock
from tests.admin.conftest import Console, url
from tests.admin.test_webhooks import publish
from tests.support.merchant_staff import browser_of, person_of
from webhooks.models import Attempt, Delivery
from webhooks.response_times import times_of_day

pytestmark = pytest.mark.django_db


def answered(delivery: Delivery, *durations: int, hours_ago: float = 0) -> None:
    for number, duration_ms in enumerate(durations, 1):
        Attempt.objects.create(
            delivery=delivery,
            number=number,
            url="http://127.0.0.1:9000/webhooks",
            started_at=clock.now() - timedelta(hours=hours_ago),
            duration_ms=duration_ms,
            response_status=200,
        )


def test_median_and_95th_percentile_are_those_of_24_hours(merchant: Merchant) -> None:
    delivery = publish(merchant)
    answered(delivery, *range(1, 101))
    answered(delivery, 9000, hours_ago=25)
    for merchants in (None, [merchant.pk]):
        whole = times_of_day(merchants=merchants, now=clock.now()).whole
        assert whole is not None
        assert (whole.attempts, whole.median, whole.p95) == (100, 50, 95)


def test_each_hour_has_its_own_times(merchant: Merchant) -> None:
    delivery = publish(merchant)
    answered(delivery, 10, 10)
    answered(delivery, 700, hours_ago=5)
    hours = times_of_day(merchants=[merchant.pk], now=clock.now()).hours
    assert [hours[hour].p95 for hour in sorted(hours)] == [700, 10]


def test_list_of_deliveries_has_the_chart_with_its_table(
    console: Console, merchant: Merchant, settings: Any
) -> None:
    settings.LANGUAGE_CODE = "en"
    answered(publish(merchant), 118, 2041)
    page = console.get(url("webhooks_delivery_changelist"))
    assert page.context["response_summary"] == "median 118 ms · 95 % within 2,041 ms"
    assert "2,041 ms</td>" in page.content.decode()


def test_nothing_is_drawn_before_the_first_attempt(console: Console, merchant: Merchant) -> None:
    publish(merchant)
    page = console.get(url("webhooks_delivery_changelist"))
    assert "response_chart" not in page.context


def test_people_of_a_merchant_see_the_times_of_their_own_receiver(
    merchant: Merchant, stranger: Merchant
) -> None:
    answered(publish(merchant), 118)
    answered(publish(stranger), 6543)
    browser = browser_of(person_of(merchant, "lucia", roles.MERCHANT_ADMINISTRATOR))
    page = browser.get("/admin/webhooks/delivery/")
    assert page.status_code == 200
    assert "118 ms" in page.content.decode()
    asked = f"/admin/webhooks/delivery/?merchant__id__exact={stranger.pk}"
    for text in (page.content.decode(), browser.get(asked, follow=True).content.decode()):
        assert "6.543" not in text
        assert "6,543" not in text
