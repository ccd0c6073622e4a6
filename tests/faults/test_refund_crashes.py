"""F5 for money on its way back: a worker that dies returns no refund twice and loses none."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine

from merchants.models import Merchant
from payments.collect.models import Order, Refund
from payments.collect.services.refunds import refund_approvals
from payments.collect.services.refunds.refund_engine import engine
from payments.core import clock
from payments.simulator import store
from tests.faults import scaled
from tests.faults.crash_points import OF_WORKERS, Crash
from tests.support import outgoing_requests
from tests.support.fixtures import ApiClient
from tests.support.invariants import check_invariants
from tests.support.measurements import record, seeded
from tests.support.refunds import asked, paid
from webhooks import catalogue
from webhooks.catalogue import Sent
from webhooks.models import Event

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.faults("F5")]
CRASHES = scaled(20)
MIX = ("clean", "answer-lost-after", "answer-lost-before", "refused", "clean", "error-after")
DEADLINE_SECONDS = 3600


@pytest.fixture(autouse=True)
def _quiet(settings: Any) -> None:
    outgoing_requests.quiet(settings)
    # A crash costs what it hit one such delay.
    settings.OUTGOING_RECONCILE_DELAYS = settings.OUTGOING_RECONCILE_DELAYS[:2]


def crashing(seed: str) -> Any:
    """Dies at CRASHES of its calls, spread at random."""
    chance, left = seeded(seed), [CRASHES]

    def die() -> None:
        if left[0] and chance.random() < 0.7:
            left[0] -= 1
            raise Crash

    return die, left


@pytest.mark.parametrize("point", OF_WORKERS)
def test_a_crash_of_the_worker(
    api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    merchant.event_kinds = catalogue.kinds(Sent.IF_ENABLED)
    merchant.save()
    refunds = {}
    for number in range(max(len(MIX), 2 * CRASHES)):
        name = MIX[number % len(MIX)]
        order = paid(api, name, reference=f"R-{number}")
        refund = asked(api, order, f"r-{number}", amount=20_000)
        refund_approvals.approve(refund=refund, actor="ana", reason="seen", now=clock.now())
        refunds[refund.pk] = name
    die, left = crashing(point)
    OF_WORKERS[point](monkeypatch.setattr, die)
    start, seconds = clock.now(), 0
    while Refund.objects.filter(status__in=("PENDING", "PROCESSING")).exists():
        assert seconds < DEADLINE_SECONDS, "not settled"
        with time_machine.travel(start + timedelta(seconds=seconds), tick=False):
            try:
                engine.process_due(now=clock.now())
            except Crash:
                check_invariants([merchant.pk])
        seconds += outgoing_requests.SCAN_SECONDS

    executed = store.executions_by_payment()
    wrong = {
        refund.pk: (refunds[refund.pk], refund.status)
        for refund in Refund.objects.all()
        if refund.status != ("FAILED" if refunds[refund.pk] == "refused" else "COMPLETED")
    }
    told = Event.objects.filter(kind="refund.completed").count()
    doubled = sum(count > 1 for count in executed.values())
    record(
        f"{CRASHES - left[0]} crashes {point} among {len(refunds)} refunds:"
        f" {doubled} doubled, {len(wrong)} wrong ends,"
        f" {told} told, settled after {seconds} s of the moved clock",
        crashes=CRASHES - left[0],
        doubled=doubled,
        lost=len(wrong),
    )
    assert left[0] < CRASHES, "no process died: the experiment shows nothing"
    assert not wrong
    completed = Refund.objects.filter(status="COMPLETED")
    assert all(executed.get(pk, 0) == 1 for pk in completed.values_list("pk", flat=True))
    assert told == completed.count()
    assert Order.objects.filter(refunded_amount=20_000).count() == completed.count()
    check_invariants([merchant.pk])
