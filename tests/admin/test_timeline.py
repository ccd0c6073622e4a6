"""The page of a record: its story in one list, the next safe act, and what looks wrong."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from merchants.models import Membership, Merchant
from payments.collect.models import Order, Refund, UnmatchedFunds
from payments.console import timeline
from payments.core import clock
from payments.payout.models import Payout
from tests.admin.conftest import REASON, Console, send, url
from tests.support.charges import create, start
from tests.support.factories import payout_body
from tests.support.fixtures import ApiClient
from tests.support.refunds import approve, asked
from webhooks.models import Attempt, Delivery, Status

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quiet(settings: Any) -> None:
    settings.DOORBELL = False
    settings.LANGUAGE_CODE = "en"


def page(browser: Console, row: Any) -> Any:
    """The record's page in English."""
    opts = row._meta
    address = url(f"{opts.app_label}_{opts.model_name}_change", row.pk)
    answer = browser.get(address, HTTP_ACCEPT_LANGUAGE="en")
    assert answer.status_code == 200
    return answer


def told(browser: Console, row: Any) -> list[str]:
    return [str(line.what) for line in page(browser, row).context["timeline"]]


def step(browser: Console, row: Any) -> tuple[str, list[str]]:
    """Why, and where the buttons lead."""
    shown = page(browser, row).context["record_step"]
    return str(shown["why"]), [path for _title, path in shown["buttons"]]


def attempt(delivery: Delivery, number: int, status: int) -> None:
    now = clock.now()
    Attempt.objects.create(
        delivery=delivery,
        number=number,
        url="https://x.example/hook",
        started_at=now,
        duration_ms=35,
        response_status=status,
        error="" if status < 300 else "HTTP_STATUS",
    )


def test_timeline_lists_moves_money_and_webhooks_in_order(console: Console, bought: Order) -> None:
    delivery = Delivery.objects.get(event__subject_id=bought.pk, event__kind="payment.completed")
    attempt(delivery, 1, 503)
    refund = approve(asked_for(bought))
    answer = page(console, bought)
    lines = answer.context["timeline"]
    sentences = [str(line.what) for line in lines]
    expected = [
        "The order was made over the API",
        "An attempt to pay with PSE began",
        "The payment is under way",
        "The money arrived",
        "The order is paid",
        "Booked: collection settled",
        "Webhook “Payment received” was written down for the merchant",
        "Attempt 1 of webhook “Payment received” failed",
        "Approved the refund",
        "The refund is on its way",
        "The payer has the money back",
        "Attempt 1 of webhook “Payment received”",
    ]
    assert [sentence for sentence in expected if sentence not in sentences] == []
    done = [line.at for line in lines if not line.is_ahead]
    assert done == sorted(done)
    assert [line.is_ahead for line in lines] == sorted(line.is_ahead for line in lines)
    html = answer.content.decode()
    assert "HTTP 503" in html
    assert "merchant, available +50" in html  # the ledger's amounts
    assert "clearing with the simulator -50" in html
    assert "fees +25 COP" in html
    assert url("collect_refund_change", refund.pk) in html
    assert str(lines[0].who) == "Café Andino"


def asked_for(order: Order) -> Refund:
    return asked(ApiClient(order.merchant), order)


def test_the_list_costs_the_same_however_long_it_is(console: Console, api: ApiClient) -> None:
    order = create(api)
    start(order)
    page(console, order)

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            page(console, order)
        return len(seen)

    before = queries()
    with time_machine.travel(clock.now() + timedelta(minutes=5)):
        start(order)
        start(order, key="again")
    for delivery in Delivery.objects.filter(event__subject_id=order.pk):
        attempt(delivery, 1, 500)
        attempt(delivery, 2, 500)
    assert queries() <= before
    assert before <= 40


def test_a_try_in_doubt_is_asked_about(console: Console, api: ApiClient) -> None:
    with time_machine.travel(clock.now() - timedelta(minutes=10)):
        order = create(api)
        start(order)
    why, ways = step(console, order)
    assert "has not said" in why
    assert ways == [url("collect_order_ask_rail", order.pk)]
    done = console.submit("collect_order_ask_rail", order.pk)
    assert done.status_code == 302
    assert "Asked the rail about the open tries" in told(console, order)


def test_who_waits_is_said_with_the_time(console: Console, api: ApiClient) -> None:
    order = create(api)
    why, ways = step(console, order)
    assert re.search(r"ends by itself at \d{1,2} \w{3} 20\d\d, \d\d:", why)
    assert ways == []


def test_money_that_waits_for_people(console: Console, bought: Order, doubtful: Payout) -> None:
    assert step(console, doubtful)[1] == [
        url("payout_payout_ask_rail", doubtful.pk),
        url("payout_payout_resolve", doubtful.pk),
    ]
    stray = UnmatchedFunds.objects.create(
        order=bought,
        charge=bought.charges.get(),
        currency="COP",
        amount=7,
        reason="EXCESS",
        created_at=clock.now(),
    )
    assert step(console, stray)[1][0] == url("collect_unmatchedfunds_apply_to", stray.pk)
    assert step(console, bought)[1] == [url("collect_unmatchedfunds_change", stray.pk)]
    refund = asked_for(bought)
    assert step(console, refund)[1][0] == url("collect_refund_approve", refund.pk)


def test_a_payout_that_waits_is_approved_or_rejected(console: Console, waiting: Payout) -> None:
    assert step(console, waiting)[1] == [
        url("payout_payout_approve", waiting.pk),
        url("payout_payout_reject", waiting.pk),
    ]


def test_a_webhook_that_failed_is_sent_again(console: Console, bought: Order) -> None:
    delivery = Delivery.objects.get(event__subject_id=bought.pk, event__kind="payment.completed")
    assert re.search(r"by itself at \d{1,2} \w{3} 20", step(console, delivery)[0])
    Delivery.objects.filter(pk=delivery.pk).update(status=Status.FAILED, next_attempt_at=None)
    assert step(console, delivery)[1] == [url("webhooks_delivery_resend", delivery.pk)]
    assert step(console, bought)[1] == [url("webhooks_delivery_change", delivery.pk)]
    assert console.submit("webhooks_delivery_resend", delivery.pk).status_code == 302
    why, ways = step(console, delivery)
    assert "on its way again" in why
    assert ways == []


def test_a_key_is_named_by_its_label_and_a_method_by_its_name(
    console: Console, api: ApiClient, bought: Order
) -> None:
    api.merchant.api_keys.update(label="Tienda en línea")
    refund = asked(api, bought, amount=1000)
    assert refund.requested_by.startswith("key_")
    assert refund.requested_by not in page(console, refund).content.decode()
    lines = page(console, refund).context["timeline"]
    assert "API key Tienda en línea" in [str(line.who) for line in lines]
    start(order := create(api), "BANK_TRANSFER")
    lines = page(console, order).context["timeline"]
    assert any("Bank transfer or Bre-B was started" in str(line.detail) for line in lines)


def test_what_a_command_did_is_said_to_come_from_the_command_line() -> None:
    assert timeline.who("command:root") == "command line (root)"


def test_who_may_not_act_is_told_so(clerk: Console, waiting: Payout) -> None:
    shown = page(clerk, waiting)
    assert shown.context["record_step"]["buttons"] == []
    assert "Another person has to do it." in shown.content.decode()


def test_an_account_without_a_key_gets_one(console: Console, stranger: Merchant) -> None:
    stranger.api_keys.update(revoked_at=clock.now())
    lines = page(console, stranger).context["record_step"]["lines"]
    ways = [path for line in lines for _title, path in line["buttons"]]
    assert url("merchants_merchant_issue_key", stranger.pk) in ways
    assert console.submit("merchants_merchant_issue_key", stranger.pk, label="x").status_code == 200
    assert "Issued an API key" in told(console, stranger)


@pytest.mark.parametrize(("number", "is_wrong"), [("900.373.115-3", False), ("900373115-4", True)])
def test_a_nit_that_does_not_check_is_warned_about(
    console: Console, api: ApiClient, funds: None, number: str, is_wrong: bool
) -> None:
    order = create(api, customerDocType="NIT", customerDocNumber=number)
    payout = send(api, payout_body(recipientDocType="NIT", recipientDocNumber=number))
    for row in (order, payout):
        assert ("digit of the NIT is wrong" in page(console, row).content.decode()) is is_wrong
    assert "The NIT" not in page(console, create(api)).content.decode()


def test_people_of_a_merchant_read_their_story_without_our_names(
    bought: Order, merchant: Merchant, console: Console
) -> None:
    refund = approve(asked_for(bought), actor="operator.nora")
    browser = Console()
    lucia = User.objects.create_user("lucia", password="x", is_staff=True)
    names = ["view_order", "view_charge", "view_refund", "view_event", "view_delivery"]
    lucia.user_permissions.set(Permission.objects.filter(codename__in=names))
    Membership.objects.create(user=lucia, merchant=merchant)
    browser.force_login(lucia)
    for row in (bought, refund):
        html = page(browser, row).content.decode()
        assert "operator.nora" not in html
        assert REASON not in html
        assert "clearing" not in html
    own = told(browser, bought)
    assert "The order is paid" in own
    assert "Booked: collection settled" not in own
    technical = page(browser, bought).context["timeline_technical"]
    assert "Booked: collection settled" in [str(line.what) for line in technical]
    assert "Approved the refund" not in own
    assert "operator.nora" in page(console, bought).content.decode()
