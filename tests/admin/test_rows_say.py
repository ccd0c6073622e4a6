"""Rows of lists, queues and search say what people need without opening each record."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache

from merchants.models import Merchant
from payments.collect.models import Order
from payments.console.admin.audit_log import TransitionAdmin
from payments.core import audit, clock
from payments.core.models import AuditEntry, Heartbeat
from payments.rates.models import ExchangeRate
from tests.admin.conftest import Console, credit, url
from tests.admin.test_webhooks import fail, publish
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import person_of
from tests.support.refunds import asked, paid
from webhooks.models import Delivery, Status

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _english(settings: Any) -> None:
    settings.LANGUAGE_CODE = "en"
    cache.clear()


def text_of(console: Console, page: str, **query: str) -> str:
    return console.page(page, **query).content.decode()


def test_refund_says_who_is_paid_back_how_they_paid_and_why(
    console: Console, api: ApiClient
) -> None:
    credit(api.merchant)
    order = paid(api)
    refund = asked(api, order)
    shown = text_of(console, "collect_refund_changelist")
    assert order.customer_name in shown
    assert refund.reason in shown
    assert "PSE" in shown


def test_event_says_whether_it_was_delivered(console: Console, merchant: Merchant) -> None:
    delivery = publish(merchant)
    assert "Pending" in text_of(console, "webhooks_event_changelist")
    Delivery.objects.filter(pk=delivery.pk).update(status=Status.FAILED, next_attempt_at=None)
    assert "shell-badge-danger" in text_of(console, "webhooks_event_changelist")


def test_refusal_of_a_receiver_is_red(console: Console, merchant: Merchant) -> None:
    fail(publish(merchant))
    assert '<span class="desk-bad">HTTP ' in text_of(console, "webhooks_delivery_changelist")


def test_transition_has_its_states_in_colour(console: Console, api: ApiClient) -> None:
    paid(api)
    assert "shell-badge-success" in text_of(console, "core_transition_changelist")
    assert TransitionAdmin.states.short_description


def test_colours_of_states_are_those_of_the_records(console: Console, api: ApiClient) -> None:
    paid(api)
    shown = text_of(console, "core_transition_changelist")
    assert re.search(r"shell-badge-warning[^→]*→[^→]*shell-badge-success", shown)


def test_audit_log_names_people_and_leads_to_them(console: Console, ana: User) -> None:
    audit.record(actor="ana", action="user.changed", subject=ana)
    shown = text_of(console, "core_auditentry_changelist")
    assert f'href="{url("auth_user_change", ana.pk)}">ana</a>' in shown


def test_rate_says_whether_it_counts(console: Console) -> None:
    now = clock.now()
    for price, at in ((3900, now - timedelta(hours=2)), (4000, now - timedelta(hours=1))):
        rate = ExchangeRate(currency="USDT", price_cop=price, source="ana", effective_at=at)
        rate.save()
    shown = text_of(console, "rates_exchangerate_changelist")
    newer, older = shown.index("1 USDT = 4,000 COP"), shown.index("1 USDT = 3,900 COP")
    assert newer < shown.index("Counts now") < older < shown.index("Out of force")
    assert shown.count("Counts now") == 1


def test_merchant_has_the_time_of_its_last_order(console: Console, api: ApiClient) -> None:
    paid(api)
    shown = text_of(console, "merchants_merchant_changelist")
    assert re.search(r'field-last_order"[^>]*><time', shown)


def test_search_says_why_it_found_a_row_and_whose_it_is(console: Console, api: ApiClient) -> None:
    paid(api, reference="MESA-1")
    paid(api, reference="MESA-2")
    found = Order.objects.get(reference="MESA-1")
    shown = console.get(url("search"), {"q": found.customer_doc_number}).content.decode()
    assert "found by:" in shown
    assert found.customer_name in shown
    assert "found by:" not in console.get(url("search"), {"q": "col_0"}).content.decode()


def test_silent_worker_and_webhooks_of_days_are_on_top(
    console: Console, merchant: Merchant
) -> None:
    assert "Workers that are silent" in text_of(console, "index")
    Heartbeat.objects.create(name="beat", at=clock.now())
    assert "Workers that are silent" not in text_of(console, "index")
    delivery = publish(merchant)
    assert "Webhooks on their way" not in text_of(console, "index")
    Delivery.objects.filter(pk=delivery.pk).update(created_at=clock.now() - timedelta(days=3))
    cache.clear()
    shown = text_of(console, "index")
    assert "Webhooks on their way" in shown
    assert "the oldest for 3" in shown


def test_operators_are_the_people_of_the_house(console: Console, merchant: Merchant) -> None:
    person_of(merchant, "lucia")
    shown = console.page("auth_user_changelist")
    assert {user.username for user in shown.context["cl"].queryset} == {"ana"}
    assert User.objects.count() > 1
    content = shown.content.decode()
    # The way in is an invitation: to add by hand is in the menu.
    assert content.count("shell-action-primary") == 1
    assert url("auth_user_add") in content


def test_audit_log_leads_to_the_right_one_of_two_kinds_with_one_name(console: Console) -> None:
    pages = {
        "ba_01m8k0x91": "withdrawals_bankaccount_change",
        "main-account": "reconciliation_bankaccount_change",
    }
    for pk in pages:
        AuditEntry.objects.create(
            actor="ana", action="x.y", subject_type="bankaccount", subject_id=pk
        )
    shown = text_of(console, "core_auditentry_changelist")
    for pk, page in pages.items():
        assert f'href="{url(page, pk)}"' in shown
    assert "bank account for withdrawals" in shown.lower()
