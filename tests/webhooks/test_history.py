"""Old webhook history is archived and dropped; what is open, and what happened once, stays."""

import gzip
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from merchants.models import Merchant
from payments.core import clock
from payments.core.history import conversion, layout, retirement, upkeep
from payments.core.history.tables import months_later, table
from tests.support import disputes
from tests.support.database import triggers_asleep
from tests.support.factories import MerchantFactory
from tests.support.fixtures import ApiClient
from tests.support.refunds import paid
from tests.webhooks.conftest import publish
from webhooks import feed, services
from webhooks.history import HISTORY
from webhooks.models import Attempt, Delivery, Event, EventKey, EventNumber, Status

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _months() -> Iterator[None]:
    """Three are kept. Afterwards the months of today exist again."""
    yield
    upkeep.keep_up(now=clock.now())


@pytest.fixture
def later(settings: Any) -> datetime:
    settings.WEBHOOK_HISTORY_MONTHS = 3
    return months_later(clock.now().replace(day=1), 12)


def retire(now: datetime, directory: Path) -> dict[str, retirement.Retired]:
    return {each.table: retirement.retire(each, now=now, directory=directory) for each in HISTORY}


def delivered(event: Event) -> Delivery:
    delivery = Delivery.objects.get(event=event)
    with triggers_asleep() as cursor:
        cursor.execute(
            "UPDATE webhooks_delivery SET status = 'DELIVERED', next_attempt_at = NULL,"
            " delivered_at = created_at, attempts = 1 WHERE id = %s",
            [delivery.pk],
        )
    Attempt.objects.create(
        delivery=delivery, number=1, started_at=clock.now(), duration_ms=5, response_status=200
    )
    return delivery


def test_ended_history_is_in_the_files_and_nowhere_else(
    merchant: Merchant, later: datetime, tmp_path: Path
) -> None:
    event = publish(merchant, 1)
    delivery = delivered(event)
    retired = retire(later, tmp_path)
    assert retired["webhooks_delivery"].rows == 1
    for model in (Event, Delivery, Attempt):
        assert not model.objects.exists()
    text = "".join(gzip.decompress(p.read_bytes()).decode() for p in tmp_path.rglob("*.csv.gz"))
    assert text.count(event.pk) == 2
    assert text.count(delivery.pk) == 2


def test_nothing_is_dropped_before_its_time(
    merchant: Merchant, later: datetime, tmp_path: Path
) -> None:
    delivered(publish(merchant, 1))
    retire(clock.now() + timedelta(days=60), tmp_path)
    assert (Event.objects.count(), Delivery.objects.count(), Attempt.objects.count()) == (1, 1, 1)


@pytest.mark.parametrize("status", [Status.PENDING, Status.WAITING])
def test_unfinished_delivery_keeps_its_event_and_attempts(
    merchant: Merchant, later: datetime, tmp_path: Path, status: Status
) -> None:
    delivered(publish(merchant, 1))
    event = publish(merchant, 2)
    waits = Delivery.objects.get(event=event)
    Attempt.objects.create(
        delivery=waits, number=1, started_at=clock.now(), duration_ms=5, error="TIMEOUT"
    )
    if status is Status.WAITING:
        Delivery.objects.filter(pk=waits.pk).update(status=status, next_attempt_at=None)
    assert feed.number_due() == 2
    retired = retire(later, tmp_path)
    assert [retired[each].kept for each in ("webhooks_attempt", "webhooks_event")] == [1, 1]
    assert Delivery.objects.select_related("event").get().event == event
    assert Attempt.objects.get().delivery_id == waits.pk
    assert EventNumber.objects.get().event_id == event.pk


def test_events_of_an_open_dispute_stay_until_it_ends(
    api: ApiClient, later: datetime, tmp_path: Path
) -> None:
    order = paid(api)
    disputes.tell(order)
    about = Event.objects.filter(subject_id=order.pk)
    kept = set(about.values_list("pk", flat=True))
    for event in Event.objects.all():
        delivered(event)
    retire(later, tmp_path)
    assert set(about.values_list("pk", flat=True)) == kept
    assert set(Attempt.objects.values_list("delivery__event", flat=True)) >= kept
    disputes.tell(order, state="WON")
    for event in Event.objects.exclude(deliveries__status=Status.DELIVERED):
        delivered(event)
    retire(later, tmp_path)
    assert not Event.objects.exists()
    assert not Attempt.objects.exists()


def test_dropped_event_does_not_happen_again(
    merchant: Merchant, later: datetime, tmp_path: Path
) -> None:
    first = publish(merchant, 1, dedupe_key="payment.completed:col_1")
    delivered(first)
    retire(later, tmp_path)
    assert not Event.objects.exists()
    new = services.NewEvent(
        merchant=merchant,
        kind="payment.completed",
        subject_id="col_1",
        data={},
        now=clock.now(),
        dedupe_key="payment.completed:col_1",
    )
    assert services.publish(new) is None
    assert not Event.objects.exists()
    assert EventKey.objects.get().event_id == first.pk


def test_numbers_continue_after_the_dropped_events(
    api: ApiClient, merchant: Merchant, later: datetime, tmp_path: Path
) -> None:
    events = [publish(merchant, number) for number in range(1, 4)]
    assert [row["sequence"] for row in api.get("/events").body["data"]] == [1, 2, 3]
    for event in events:
        delivered(event)
    retire(later, tmp_path)
    assert api.get("/events").body["data"] == []
    publish(merchant, 4)
    [row] = api.get(f"/events?after={events[-1].pk}").body["data"]
    assert row["sequence"] == 4
    assert api.get(f"/events?after={events[0].pk}").status_code == 400
    assert feed.number_due() == 0


def test_installation_with_events_is_converted_with_their_keys() -> None:
    """As an installation of the release before was: one table, whose key is unique."""
    merchant = MerchantFactory()
    with Unpartitioned():
        old = publish(merchant, 1, dedupe_key="payment.completed:col_1")
        delivered(old)
        with connection.cursor() as cursor:
            cursor.execute("SET session_replication_role = replica")
            cursor.execute("DELETE FROM webhooks_eventkey")
            cursor.execute("SET session_replication_role = origin")
        new = {"merchant": merchant, "kind": "payment.completed", "subject_id": "col_1", "data": {}}
        again = services.NewEvent(**new, now=clock.now(), dedupe_key="payment.completed:col_1")
        assert services.publish(again) is None
        for each in HISTORY:
            conversion.partition(each, now=clock.now())
        assert layout.is_partitioned("webhooks_event")
        EventKey.objects.get(dedupe_key="payment.completed:col_1")
        assert services.publish(again) is None
        assert [each.event for each in Delivery.objects.select_related("event")] == [old]
        assert Attempt.objects.get().delivery.event_id == old.pk


class Unpartitioned:
    """Events and attempts in one table each, and afterwards empty and partitioned again."""

    def __enter__(self) -> None:
        for name in ("webhooks_event", "webhooks_attempt"):
            self._flatten(name)
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE webhooks_event ADD UNIQUE (dedupe_key)")

    def __exit__(self, *error: object) -> None:
        for each in HISTORY:
            conversion.partition(each, now=clock.now())

    def _flatten(self, name: str) -> None:
        """The first partition takes the name of the table. Both are empty."""
        first, *_others = layout.partitions(table(name))
        with layout.alteration() as cursor:
            cursor.execute(
                "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger"
                " WHERE tgrelid = %s::regclass AND NOT tgisinternal",
                [name],
            )
            triggers = cursor.fetchall()
            cursor.execute(f"ALTER TABLE {name} DETACH PARTITION {first.name}")
            cursor.execute(f"DROP TABLE {name}")
            cursor.execute(f"ALTER TABLE {first.name} RENAME TO {name}")
            cursor.execute("SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass", [name])
            present = {trigger for (trigger,) in cursor.fetchall()}
            for trigger, definition in triggers:
                if trigger not in present:
                    cursor.execute(definition)
