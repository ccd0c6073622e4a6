"""Operators see what a merchant's receiver never took, and send a range of events again."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils.timezone import localtime

from merchants.models import Merchant
from payments.core import clock
from payments.core.models import AuditEntry
from tests.admin.conftest import REASON, Console
from webhooks import services
from webhooks.models import Cause, Delivery, Event

pytestmark = pytest.mark.django_db
NOW = clock.now().replace(microsecond=0)


def publish(merchant: Merchant, hours_ago: int, status: str = "PENDING") -> Event:
    """An event of that time, whose delivery has ended so."""
    event = services.publish(
        services.NewEvent(
            merchant=merchant,
            kind="payment.completed",
            subject_id=f"col_{hours_ago:026d}",
            data={"id": f"col_{hours_ago:026d}"},
            now=NOW - timedelta(hours=hours_ago),
        )
    )
    ends = {"FAILED": {"attempts": 5}, "DELIVERED": {"attempts": 1, "delivered_at": NOW}}
    if status != "PENDING":
        event.deliveries.update(status=status, next_attempt_at=None, **ends[status])
    return event


def ask(console: Console, merchant: Merchant, first: int, last: int, **form: Any) -> Any:
    """From so many hours ago to so many hours ago, as a browser writes it."""
    values: dict[str, str] = {}
    for name, hours in (("first", first), ("last", last)):
        moment = localtime(NOW - timedelta(hours=hours))
        values |= {
            f"{name}_0": moment.strftime("%Y-%m-%d"),
            f"{name}_1": moment.strftime("%H:%M:%S"),
        }
    return console.submit("webhooks_resend_range", merchant.pk, **values, **form)


def resent() -> set[str]:
    return set(Delivery.objects.filter(cause=Cause.RESEND).values_list("event", flat=True))


def test_the_way_from_the_merchants_page(console: Console, merchant: Merchant) -> None:
    failed, fine = publish(merchant, 2, "FAILED"), publish(merchant, 1, "DELIVERED")
    hop = console.page("merchants_merchant_failed_deliveries", merchant.pk)
    listed = console.get(hop.url).content.decode()
    assert failed.subject_id in listed
    assert fine.subject_id not in listed
    hop = console.page("merchants_merchant_resend_range", merchant.pk)
    page = console.get(hop.url).content.decode()
    assert failed.subject_id in page
    assert fine.subject_id not in page


def test_what_has_never_arrived(console: Console, merchant: Merchant, stranger: Merchant) -> None:
    failed = publish(merchant, 5, "FAILED")
    publish(merchant, 6, "DELIVERED")
    publish(merchant, 7)  # on its way
    publish(merchant, 30, "FAILED")
    publish(stranger, 8, "FAILED")
    rescued = publish(merchant, 9, "FAILED")
    services.resend(event=rescued, actor="beto", now=NOW)
    Delivery.objects.filter(cause=Cause.RESEND).delete()
    assert ask(console, merchant, 24, 0, only_missing="on").status_code == 302
    assert resent() == {failed.pk, rescued.pk}
    act = AuditEntry.objects.get(action="webhook.range_resent")
    assert (act.actor, act.reason, act.subject_id) == ("ana", REASON, merchant.pk)
    assert act.details["events"] == 2
    assert ask(console, merchant, 24, 0, only_missing="on").status_code == 302
    assert Delivery.objects.filter(cause=Cause.RESEND).count() == 2  # they are on their way now


def test_everything_of_a_range(console: Console, merchant: Merchant) -> None:
    events = {publish(merchant, hours, "DELIVERED").pk for hours in (3, 4)}
    publish(merchant, 2, "DELIVERED")  # the end is not included
    publish(merchant, 5, "DELIVERED")
    assert ask(console, merchant, 4, 2).status_code == 302
    assert resent() == events


def test_range_with_too_many_events_is_refused(
    console: Console, merchant: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "RESEND_MAX", 2)
    for hours in (1, 2, 3):
        publish(merchant, hours, "FAILED")
    assert ask(console, merchant, 24, 0).status_code == 400
    assert not resent()
    assert ask(console, merchant, 3, 1).status_code == 302
    assert len(resent()) == 2


@pytest.mark.parametrize("form", [{"reason": ""}, {"first_0": ""}, {"last_1": "noon"}])
def test_a_form_that_is_not_whole(console: Console, merchant: Merchant, form: Any) -> None:
    publish(merchant, 2, "FAILED")
    whole = {"first_0": "2020-01-01", "first_1": "00:00", "last_0": "2100-01-01", "last_1": "00:00"}
    answer = console.submit("webhooks_resend_range", merchant.pk, **{**whole, **form})
    assert answer.status_code == 400
    assert not resent()


@pytest.mark.parametrize(("first", "last"), [(2, 4), (3, 3)])
def test_a_range_ends_after_it_begins(
    console: Console, merchant: Merchant, first: int, last: int
) -> None:
    publish(merchant, 3, "FAILED")
    answer = ask(console, merchant, first, last)
    assert answer.status_code == 400
    assert answer.context_data["form"].errors.keys() == {"last"}
    assert not resent()
    assert not AuditEntry.objects.filter(action="webhook.range_resent").exists()


def test_a_clerk_only_looks(clerk: Console, merchant: Merchant) -> None:
    publish(merchant, 2, "FAILED")
    assert ask(clerk, merchant, 24, 0).status_code == 403
    assert not resent()


def test_a_merchant_that_is_not_there(console: Console) -> None:
    page = console.page("webhooks_resend_range", "mer_00000000000000000000000000")
    assert page.status_code == 404
