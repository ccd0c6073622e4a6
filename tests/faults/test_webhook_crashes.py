"""F5 for webhooks: the pump is killed with a POST on the wire, or with its 2xx in hand."""

from collections import Counter
from typing import Any

import pytest

from tests.faults import scaled
from tests.faults.crash_points import OF_PUMPS
from tests.faults.killable_worker import KILLED, KillableWorker
from tests.support.measurements import record, seeded
from tests.webhooks.conftest import event_ids, merchant_at, publish, run_until_all_is_delivered
from tests.webhooks.receivers import Receiver, answering
from webhooks.models import Attempt, Delivery

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.faults("F5")]
KILLS = scaled(20)
EVENTS_EACH = 4
# A POST that is killed has begun by then, and is not answered yet.
ANSWERED_AFTER = {"during-a-webhook": 0.5, "before-recording-a-webhook": 0}


@pytest.mark.parametrize("point", OF_PUMPS)
def test_kill_9_of_the_pump(worker: KillableWorker, settings: Any, point: str) -> None:
    """What it had in hand is sent again once its lease has ended; what it had recorded is not."""
    settings.WEBHOOK_LEASE_SECONDS = 1
    settings.DOORBELL = False
    chance = seeded(8)
    published, cut, killed = set(), set(), 0
    with Receiver(answering(200, b"ok", after=ANSWERED_AFTER[point])) as receiver:
        merchant = merchant_at(receiver.url)
        for number in range(KILLS):
            events = [publish(merchant, EVENTS_EACH * number + n) for n in range(EVENTS_EACH)]
            published.update(event.pk for event in events)
            if worker.order(point, chance.randint(1, 2)) != KILLED:
                # All were recorded at once, so that the point was passed once.
                assert not Delivery.objects.filter(status="PENDING").exists()
                continue
            killed += 1
            held = Delivery.objects.filter(lease_token__isnull=False)
            cut.update(held.values_list("event_id", flat=True))
        receiver.behaviour = answering(200, b"ok")
        run_until_all_is_delivered()
        arrived = Counter(event_ids(receiver))

    doubled = {event for event, times in arrived.items() if times > 1}
    lost, wild = len(published - set(arrived)), len(doubled - cut)
    record(
        f"{killed} times kill -9 of the pump {point}: {len(published)} events, lost {lost},"
        f" repeated {len(doubled)}, of which not cut by a kill {wild}",
        kills=killed,
        lost=lost,
        webhooks_repeated_without_a_kill=wild,
    )
    assert lost == wild == 0
    assert killed >= KILLS / 2
    assert doubled, "no POST was on its way: that was no kill in the middle"
    delivered = Delivery.objects.filter(status="DELIVERED").count()
    assert delivered == len(published)
    assert Attempt.objects.count() >= delivered
