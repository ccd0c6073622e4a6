"""Two PSE accounts of Wompi: the second takes what the first cannot have got, and nothing else."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from merchants.models import Merchant
from payments.collect.models import Charge
from payments.rails.services import health
from tests.faults import scaled
from tests.faults.wompi_rails import collections
from tests.rails.accounts import route, wompi
from tests.rails.callback_bridge import CallbackBridge
from tests.rails.fake_server.server import RunningServer
from tests.support import outgoing_requests
from tests.support.fixtures import ApiClient
from tests.support.measurements import record, seeded

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.faults("F24")]
ORDERS = scaled(1000)
FIRST, SECOND = "wompi-first", "wompi-second"
CREATE = "POST /v1/transactions"
# What one start meets. All but the last two leave it open whether the charge was made.
BEHAVIOURS: tuple[dict[str, Any], ...] = (
    {"fault": "lose_answer"},
    {"fault": "lose_request"},
    {"fault": "error_500", "executes": True},
    {"fault": "bad_gateway"},
    {"fault": "conflict", "executes": True},
    {"fault": "conflict"},
    {"fault": "invalid_json"},
    {"fault": "too_many"},
    {"fault": "delay", "seconds": 0},
)
LATE = {"fault": "delay", "seconds": 1.5}


@pytest.fixture
def rails(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[RunningServer, RunningServer]]:
    """The first is asked first, by each order: its health is not looked at.

    Events come twice, reordered, and some before the answer.
    """
    outgoing_requests.quiet(settings)
    monkeypatch.setattr(health, "ENOUGH_CALLS", 10 * ORDERS)
    settings.PROVIDER_TIMEOUT_SECONDS = 1
    with ExitStack() as stack:
        bridge = stack.enter_context(CallbackBridge())
        first, second = (stack.enter_context(wompi(slug)) for slug in (FIRST, SECOND))
        for priority, (slug, fake) in enumerate(((FIRST, first), (SECOND, second)), 1):
            route("payin", slug, priority=priority)
            fake.control.set(
                events_url=bridge.url("payin", slug),
                event_copies=2,
                event_retry_seconds=[1, 1, 1],
            )
        yield first, second
        assert {*bridge.statuses} <= {200}


def test_account_that_refuses_connections_loses_no_sale(
    api: ApiClient, merchant: Merchant, rails: tuple[RunningServer, RunningServer]
) -> None:
    """The circuit stays closed, so that each order meets the refusal."""
    first, second = rails
    orders = collections.sell(api, ORDERS)
    first.control.call("POST", "outage", {"seconds": None})

    answers = collections.pay(orders)
    collections.query_until_closed()

    lost = len(collections.unpaid())
    doubled = len(collections.verdict(first, second).doubled)
    record(
        f"{ORDERS} orders, the first account refuses connections: {dict(answers)},"
        f" {lost} sales lost, {doubled} charged twice",
        orders=ORDERS,
        sales_lost=lost,
        double_charges=doubled,
    )
    assert answers == {"started": ORDERS}
    assert {*Charge.objects.values_list("provider", flat=True)} == {SECOND}
    collections.assert_each_is_paid_once(merchant, first, second)


@pytest.mark.parametrize("copies", [2, 0], ids=["events-come-twice", "events-are-lost"])
def test_account_that_does_not_answer_keeps_its_charges(
    api: ApiClient, merchant: Merchant, rails: tuple[RunningServer, RunningServer], copies: int
) -> None:
    """Queries resolve every doubt; a payer whose charge never arrived tries once more."""
    first, second = rails
    chance = seeded(24 + copies)
    count = ORDERS // 2
    orders = collections.sell(api, count)
    for _ in range(count):
        fault = LATE if chance.random() < 0.05 else chance.choice(BEHAVIOURS)
        first.control.fault(CREATE, **fault)
    first.control.set(event_before_answer=True, event_reorder=2, event_copies=copies)

    answers = collections.pay(orders)
    in_doubt = Charge.objects.filter(status=Charge.Status.STARTING).count()
    moved = Charge.objects.filter(provider=SECOND).count()
    first.control.set(event_before_answer=False, event_reorder=0)
    first.control.call("DELETE", "faults")
    seconds = collections.query_until_closed()
    again = collections.unpaid()
    assert collections.pay(again) == ({"started": len(again)} if again else {})
    collections.query_until_closed()

    lost = len(collections.unpaid())
    doubled = len(collections.verdict(first, second).doubled)
    record(
        f"{count} orders, the first account does not answer most: {dict(answers)}, {in_doubt} in"
        f" doubt, {moved} moved, all known {seconds} s of the moved clock later, {len(again)} tried"
        f" again, {lost} lost, {doubled} charged twice",
        orders=count,
        charges_in_doubt=in_doubt,
        sales_lost=lost,
        double_charges=doubled,
    )
    assert in_doubt > count / 4
    assert moved
    assert again
    assert doubled == 0
    collections.assert_each_is_paid_once(merchant, first, second)
