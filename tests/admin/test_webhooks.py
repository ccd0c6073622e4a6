"""The console's pages of webhooks: the history with every attempt, sending again, the test."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from merchants.models import Merchant
from payments.core import audit, clock
from payments.core.models import AuditEntry
from tests.admin.conftest import ACCESS_QUERIES, REASON, Console, url
from tests.support.factories import MerchantFactory, issue_key
from webhooks import services
from webhooks.models import Attempt, Cause, Delivery, Event, Failure, Status
from webhooks.services import RESEND_MAX

pytestmark = pytest.mark.django_db
ORDER = "col_06d3w9k1m8v7e2t5r4q0n9p8x6"


def publish(merchant: Merchant, subject_id: str = ORDER) -> Delivery:
    """A payment the merchant is told."""
    event = services.publish(
        services.NewEvent(
            merchant=merchant,
            kind="payment.completed",
            subject_id=subject_id,
            data={"id": subject_id, "reference": "MESA-7", "amount": 50025},
            now=clock.now(),
        )
    )
    return event.deliveries.get()


def fail(delivery: Delivery, excerpt: str = "no such <b>page</b>", number: int = 1) -> None:
    """One attempt that was answered with 404; the next one is due in a minute."""
    due = clock.now() + timedelta(minutes=1)
    Delivery.objects.filter(pk=delivery.pk).update(attempts=number, next_attempt_at=due)
    Attempt.objects.create(
        delivery=delivery,
        number=number,
        url="http://127.0.0.1:9000/webhooks",
        started_at=clock.now(),
        duration_ms=1234,
        response_status=404,
        response_excerpt=excerpt,
        error=Failure.HTTP_STATUS,
    )


def end(delivery: Delivery) -> None:
    """No attempt is left."""
    Delivery.objects.filter(pk=delivery.pk).update(status=Status.FAILED, next_attempt_at=None)


def resent() -> list[Delivery]:
    """Deliveries that an operator asked for."""
    return list(Delivery.objects.filter(cause=Cause.RESEND).order_by("id"))


def test_page_of_a_delivery_shows_every_attempt(console: Console, merchant: Merchant) -> None:
    delivery = publish(merchant)
    fail(delivery)
    listed = console.page("webhooks_delivery_changelist").content.decode()
    assert "payment.completed" in listed
    assert ORDER in listed
    page = console.page("webhooks_delivery_change", delivery.pk).content.decode()
    assert "404" in page
    assert "1.234 ms" in page
    assert "http://127.0.0.1:9000/webhooks" in page


def test_a_delivery_without_a_url_says_what_it_waits_for(
    console: Console, merchant: Merchant
) -> None:
    delivery = publish(merchant)
    Delivery.objects.filter(pk=delivery.pk).update(status=Status.WAITING, next_attempt_at=None)
    Merchant.objects.filter(pk=merchant.pk).update(webhook_url="")
    issue_key(merchant)
    english = {"Accept-Language": "en"}
    of_delivery = url("webhooks_delivery_change", delivery.pk)
    page = console.get(of_delivery, headers=english).content.decode()
    assert "Waiting for a webhook URL" in page
    assert "It waits until the account has a webhook URL, and goes out at once then." in page
    of_merchant = url("merchants_merchant_change", merchant.pk)
    assert f'href="{url("webhooks_delivery_set_url", delivery.pk)}"' in page
    account = console.get(of_merchant, headers=english).content.decode()
    assert "its events wait until it has one." in account
    listed = console.page("webhooks_delivery_changelist", status__exact="WAITING")
    assert delivery.event.subject_id in listed.content.decode()


def test_every_attempt_is_shown_and_answers_are_text(console: Console, merchant: Merchant) -> None:
    delivery = publish(merchant)
    for number in range(1, 6):
        fail(delivery, f"<script>alert({number})</script>", number)
    page = console.page("webhooks_delivery_change", delivery.pk).content.decode()
    for number in range(1, 6):
        assert f"&lt;script&gt;alert({number})" in page
        assert f"<script>alert({number})" not in page


def test_an_event_shows_its_body_and_deliveries(console: Console, merchant: Merchant) -> None:
    delivery = publish(merchant)
    page = console.page("webhooks_event_change", delivery.event_id).content.decode()
    assert "50025" in page
    assert url("webhooks_delivery_change", delivery.pk) in page
    assert merchant.webhook_secret not in page


@pytest.mark.parametrize("of", ["delivery", "event"])
def test_one_is_sent_again(console: Console, merchant: Merchant, of: str) -> None:
    delivery = publish(merchant)
    end(delivery)
    pk = delivery.pk if of == "delivery" else delivery.event_id
    response = console.submit(f"webhooks_{of}_resend", pk)
    (fresh,) = resent()
    assert response.url == url("webhooks_delivery_change", fresh.pk)
    assert fresh.event_id == delivery.event_id
    assert fresh.status == Status.PENDING
    row = AuditEntry.objects.get(action="webhook.resent")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, fresh.pk)


def choose(console: Console, *deliveries: Delivery) -> Any:
    """The action of the list, with rows chosen."""
    return console.post(
        url("webhooks_delivery_changelist"),
        {"action": "resend_selected", "_selected_action": [d.pk for d in deliveries]},
    )


def test_many_are_sent_again_after_one_question(console: Console, merchant: Merchant) -> None:
    deliveries = [publish(merchant, f"col_{number}") for number in range(3)]
    other = publish(merchant, "col_other")
    asked = choose(console, *deliveries)
    assert asked.status_code == 200
    assert not resent()  # the list only asks
    form = {
        "form_token": asked.context["form_token"],
        "reason": REASON,
        **dict(asked.context["hidden"]),
    }
    done = console.post(url("webhooks_resend"), form)
    assert done.status_code == 302
    assert {d.event_id for d in resent()} == {d.event_id for d in deliveries}
    assert AuditEntry.objects.filter(action="webhook.resent", reason=REASON).count() == 3
    assert other.event.deliveries.count() == 1
    again = console.post(url("webhooks_resend"), form)
    assert again.status_code == 400
    assert len(resent()) == 3


def test_of_many_all_are_sent_again_or_none(
    console: Console, merchant: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    deliveries = [publish(merchant, f"col_{number}") for number in range(3)]
    record, left = audit.record, iter([True, False])

    def breaks(**values: Any) -> Any:
        if not next(left):
            raise services.NoWebhookUrl
        return record(**values)

    monkeypatch.setattr(audit, "record", breaks)
    answer = console.submit("webhooks_resend", ids=",".join(d.pk for d in deliveries))
    assert answer.status_code == 400
    assert not resent()
    assert not AuditEntry.objects.filter(action="webhook.resent").exists()


def test_too_many_at_once_are_refused(console: Console, merchant: Merchant) -> None:
    event = publish(merchant).event
    now = clock.now()
    Delivery.objects.bulk_create(
        Delivery(event=event, merchant=merchant, next_attempt_at=now, created_at=now)
        for _ in range(RESEND_MAX)
    )
    response = console.post(
        url("webhooks_delivery_changelist"),
        {
            "action": "resend_selected",
            "select_across": "1",
            "_selected_action": [event.deliveries.first().pk],
        },
        follow=True,
    )
    assert str(RESEND_MAX) in response.content.decode()
    assert not resent()


def test_a_test_event_is_sent(console: Console, merchant: Merchant) -> None:
    hop = console.page("merchants_merchant_send_test", merchant.pk)
    assert hop.url == url("webhooks_send_test", merchant.pk)
    response = console.submit("webhooks_send_test", merchant.pk)
    delivery = Delivery.objects.get()
    assert response.url == url("webhooks_delivery_change", delivery.pk)
    assert (delivery.merchant_id, delivery.cause) == (merchant.pk, Cause.TEST)
    assert AuditEntry.objects.get(action="webhook.tested").actor == "ana"


def test_a_test_needs_a_url(console: Console) -> None:
    response = console.submit("webhooks_send_test", MerchantFactory(webhook_url="").pk)
    assert response.status_code == 400
    assert "set_webhook" in response.content.decode()
    assert not Delivery.objects.exists()


def acts(delivery: Delivery) -> list[str]:
    """The URLs of all acts on webhooks."""
    return [
        url("webhooks_delivery_resend", delivery.pk),
        url("webhooks_event_resend", delivery.event_id),
        url("webhooks_send_test", delivery.merchant_id),
        url("webhooks_resend"),
    ]


def test_opening_a_confirmation_sends_nothing(console: Console, merchant: Merchant) -> None:
    delivery = publish(merchant)
    for address in acts(delivery):
        assert console.get(address).status_code == 200
        assert console.get(address, {"ids": delivery.pk, "form_token": "x", "reason": REASON})
        assert console.post(address, {"reason": REASON, "ids": delivery.pk}).status_code == 200
    assert Delivery.objects.count() == 1


def test_sending_again_needs_a_reason(console: Console, merchant: Merchant) -> None:
    delivery = publish(merchant)
    assert console.submit("webhooks_delivery_resend", delivery.pk, reason="").status_code == 400
    assert console.submit("webhooks_resend", ids=delivery.pk, reason="").status_code == 400
    assert not resent()


def test_a_forged_form_is_refused(ana: Any, merchant: Merchant) -> None:
    delivery = publish(merchant)
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(ana)
    for address in [*acts(delivery), url("webhooks_delivery_changelist")]:
        form = {"form_token": "x", "reason": REASON, "ids": delivery.pk}
        assert browser.post(address, form).status_code == 403
    assert Delivery.objects.count() == 1


def test_person_who_may_only_look_cannot_send(
    clerk: Console, visitor: Console, merchant: Merchant
) -> None:
    delivery = publish(merchant)
    form = {"form_token": "x", "reason": REASON, "ids": delivery.pk}
    for address in acts(delivery):
        assert clerk.post(address, form).status_code == 403
        assert visitor.post(address, form).status_code == 302
    page = clerk.page("webhooks_delivery_changelist").content.decode()
    assert url("webhooks_delivery_change", delivery.pk) in page
    assert "resend_selected" not in page
    choose(clerk, delivery)
    assert Delivery.objects.count() == 1


@pytest.mark.parametrize("model", [Event, Delivery])
def test_rows_cannot_be_added_edited_or_deleted(
    console: Console, merchant: Merchant, model: Any
) -> None:
    delivery = publish(merchant)
    pk = delivery.pk if model is Delivery else delivery.event_id
    name = f"webhooks_{model._meta.model_name}"
    for address in (
        url(f"{name}_add"),
        url(f"{name}_change", pk),
        url(f"{name}_delete", pk),
    ):
        assert console.post(address, {"post": "yes", "status": "DELIVERED"}).status_code == 403
    delivery.refresh_from_db()
    assert delivery.status == Status.PENDING


def test_deliveries_are_found_by_id_event_and_subject(
    console: Console, merchant: Merchant, other_merchant: Merchant
) -> None:
    mine, other = publish(merchant, "col_mine"), publish(other_merchant, "col_other")
    end(mine)
    for query in (
        {"q": mine.pk},
        {"q": mine.event_id},
        {"q": "col_mine"},
        {"merchant__id__exact": merchant.pk},
        {"status__exact": "FAILED"},
    ):
        page = console.page("webhooks_delivery_changelist", **query).content.decode()
        assert url("webhooks_delivery_change", mine.pk) in page, query
        assert url("webhooks_delivery_change", other.pk) not in page, query


@pytest.mark.parametrize("name", ["webhooks_delivery_changelist", "webhooks_event_changelist"])
def test_a_long_list_costs_no_more_queries(
    console: Console, django_assert_max_num_queries: Any, name: str
) -> None:
    for number in range(12):
        fail(publish(MerchantFactory(name=f"Tienda {number}"), f"col_{number}"))
    # The list of deliveries asks once whether there are endpoints at all, and both what the events
    # are about.
    with django_assert_max_num_queries(9 + ACCESS_QUERIES):
        console.page(name)


def test_the_page_of_a_delivery_reads_no_secret(
    console: Console, merchant: Merchant, django_assert_max_num_queries: Any
) -> None:
    delivery = publish(merchant)
    for number in range(1, 6):
        fail(delivery, number=number)
    with django_assert_max_num_queries(13 + ACCESS_QUERIES) as queries:
        console.page("webhooks_delivery_change", delivery.pk)
    sql = json.dumps([query["sql"] for query in queries.captured_queries])
    assert "webhook_secret" not in sql


def test_list_shows_the_newest_answer_of_each_delivery(
    console: Console, merchant: Merchant
) -> None:
    answered, waiting, unreachable = publish(merchant), publish(merchant), publish(merchant)
    fail(answered)
    fail(unreachable)
    Attempt.objects.create(
        delivery=unreachable,
        number=2,
        url="http://127.0.0.1:9000/webhooks",
        started_at=clock.now(),
        duration_ms=8,
        error=Failure.TIMEOUT,
    )
    page = console.get("/admin/webhooks/delivery/")
    shown = {row.pk: row for row in page.context["cl"].result_list}
    model_admin = page.context["cl"].model_admin
    assert "HTTP 404" in model_admin.answer(shown[answered.pk])
    assert str(Failure.TIMEOUT.label) in model_admin.answer(shown[unreachable.pk])
    assert model_admin.answer(shown[waiting.pk]) == "-"
    assert "HTTP 404" in page.content.decode()
