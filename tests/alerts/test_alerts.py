"""Mails to people of merchants about what needs them, once about each thing."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from merchants.models import Merchant
from payments.alerts import scanning
from payments.collect.models import Dispute, Order
from payments.console import roles
from payments.core import clock
from payments.mail.models import Mail
from payments.payout.models import TeamApproval
from tests.admin.conftest import credit, send
from tests.admin.test_webhooks import fail
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import person_of
from tests.support.refunds import paid
from webhooks.models import Delivery

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quiet(settings: Any) -> None:
    settings.DOORBELL = False


@pytest.fixture
def order(api: ApiClient, merchant: Merchant) -> Order:
    """Paid, of a merchant with an administrator."""
    credit(merchant)
    Merchant.objects.filter(pk=merchant.pk).update(email="hola@cafe.example")
    person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR)
    return paid(api)


def mailed() -> list[tuple[str, str]]:
    scanning.scan(now=clock.now())
    scanning.scan(now=clock.now())
    return sorted(Mail.objects.values_list("template", "to"))


BOTH = ["gabriel@comercio.example", "hola@cafe.example"]


def test_a_receiver_that_fails_for_hours_is_reported_once_a_day(order: Order) -> None:
    late = clock.now() - timedelta(hours=4)
    Delivery.objects.update(created_at=late, attempts=3, status="PENDING", delivered_at=None)
    assert mailed() == [("webhooks_failing", address) for address in BOTH]
    assert "/admin/webhooks/delivery/" in Mail.objects.earliest("id").text


def test_a_receiver_that_works_is_not_reported(order: Order) -> None:
    delivery = Delivery.objects.earliest("id")
    fail(delivery)
    assert mailed() == []


def test_a_disputes_deadline_is_reported_three_days_before(order: Order) -> None:
    now = clock.now()
    Dispute.objects.create(
        order=order,
        charge=order.settled_by,
        amount=Decimal(10_000),
        claimed=Decimal(10_000),
        reason="FRAUD",
        opened_at=now,
        evidence_due_at=now + timedelta(days=5),
    )
    assert mailed() == []
    Dispute.objects.update(evidence_due_at=now + timedelta(days=2))
    assert mailed() == [("dispute_deadline", address) for address in BOTH]
    assert order.reference in Mail.objects.earliest("id").text


def test_a_payout_that_waits_is_reported_to_who_may_approve_it(
    api: ApiClient, merchant: Merchant, order: Order, catalogues: None
) -> None:
    person_of(merchant, "paula", roles.MERCHANT_APPROVER)
    payout = send(api)
    TeamApproval.objects.create(
        subject_id=payout.pk,
        merchant=merchant,
        amount=payout.amount,
        requested_by="gabriel",
        people=1,
        created_at=clock.now(),
    )
    assert mailed() == [("payout_waits", "paula@comercio.example")]
    (row,) = Mail.objects.all()
    assert "http://testserver/admin/payout/payout/" in row.text
    assert "http://testserver/admin/payout/payout/" in row.html
