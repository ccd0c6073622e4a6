"""Orders without a payer end at their time, and never under a payer at the bank."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from merchants.models import Merchant
from payments.collect.models import Charge, Order
from payments.collect.services.endings import expiry
from payments.core import clock
from tests.support.charges import create, events_of, start, status_of
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db


@pytest.fixture
def order(api: ApiClient) -> Order:
    return create(api)


class TestExpiry:
    @pytest.fixture
    def overdue(self, order: Order) -> Callable[[], str]:
        def pass_the_deadline() -> str:
            Order.objects.update(expires_at=clock.now(), expire_check_at=clock.now())
            expiry.expire_due(now=clock.now())
            return status_of(order)

        return pass_the_deadline

    def test_an_untouched_order_expires(self, overdue: Callable[[], str], order: Order) -> None:
        assert overdue() == "EXPIRED"
        assert events_of(order) == []

    def test_expiry_is_published_where_it_is_enabled(
        self, overdue: Callable[[], str], order: Order, merchant: Merchant
    ) -> None:
        merchant.event_kinds = ["payment.expired"]
        merchant.save()
        assert overdue() == "EXPIRED"
        assert events_of(order) == ["payment.expired"]

    def test_order_that_waits_for_a_transfer_expires(
        self, overdue: Callable[[], str], order: Order
    ) -> None:
        start(order, "BANK_TRANSFER")
        assert overdue() == "EXPIRED"

    def test_order_never_expires_under_a_payer_at_the_bank(
        self, overdue: Callable[[], str], order: Order
    ) -> None:
        start(order)
        assert overdue() == "PROCESSING"
        assert order.expire_check_at > clock.now()

    def test_order_expires_after_the_bank_had_its_time(
        self, overdue: Callable[[], str], order: Order
    ) -> None:
        charge = start(order)
        overdue()
        limit = charge.expires_at + timedelta(minutes=30, seconds=1)
        expiry.expire_if_due(order_id=order.pk, now=limit)
        assert status_of(order) == "EXPIRED"

    @pytest.mark.parametrize("minutes", [-20, 20])
    def test_the_grace_counts_from_the_rails_own_limit(
        self, overdue: Callable[[], str], order: Order, minutes: int
    ) -> None:
        """It may lie before the order's deadline, and after it."""
        charge = start(order)
        assert overdue() == "PROCESSING"
        limit = order.expires_at + timedelta(minutes=minutes)
        Charge.objects.filter(pk=charge.pk).update(expires_at=limit)
        ends = limit + timedelta(minutes=30)
        expiry.expire_if_due(order_id=order.pk, now=ends - timedelta(seconds=1))
        assert status_of(order) == "PROCESSING"
        expiry.expire_if_due(order_id=order.pk, now=ends)
        assert status_of(order) == "EXPIRED"

    def test_order_does_not_expire_before_its_time(self, order: Order) -> None:
        expiry.expire_due(now=clock.now())
        assert status_of(order) == "PENDING"
