"""A merchant without a webhook URL: its events wait, cost no attempt, and go out with the URL."""

import json
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from merchants import services as merchants
from merchants.models import Merchant
from tests.webhooks.conftest import counts, event_ids, merchant_at, publish, run_dispatcher
from tests.webhooks.receivers import Receiver, answering
from webhooks import dispatcher, leases, services, waiting
from webhooks.models import Attempt, Delivery
from webhooks.sender import DeliveryResponse

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime(2026, 3, 1, 15, 0, tzinfo=UTC)


def give(merchant: Merchant, url: str) -> None:
    """As the console and the command do."""
    merchants.update_merchant(merchant=merchant, actor="ana", reason="new shop", webhook_url=url)


def test_an_event_without_a_url_waits_and_goes_out_with_it_as_the_first_attempt(
    receiver: Receiver,
) -> None:
    merchant = merchant_at("")
    event = publish(merchant)
    assert run_dispatcher().sent == 0
    waits = Delivery.objects.get()
    assert (waits.status, waits.attempts, waits.next_attempt_at) == ("WAITING", 0, None)
    assert not Attempt.objects.exists()
    assert run_dispatcher().sent == 0

    give(merchant, receiver.url)
    run_dispatcher()
    assert event_ids(receiver) == [event.pk]
    assert receiver.requests[0].headers["x-service-attempt"] == "1"
    assert Delivery.objects.get().status == "DELIVERED"
    assert list(Attempt.objects.values_list("number", "error")) == [(1, "")]
    run_dispatcher()
    assert len(receiver.requests) == 1


def test_waiting_event_is_sent_however_the_url_is_set(receiver: Receiver) -> None:
    merchant = merchant_at("")
    publish(merchant)
    run_dispatcher()
    Merchant.objects.filter(pk=merchant.pk).update(webhook_url=receiver.url)
    run_dispatcher()
    assert counts() == {"DELIVERED": 1}


def test_setting_the_url_wakes_the_dispatcher(
    receiver: Receiver, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    woken: list[str] = []
    monkeypatch.setattr(
        "payments.core.jobs._sender.send_soon", lambda wake_up, *_: woken.append(wake_up[0])
    )
    merchant = merchant_at("")
    settings.DOORBELL = True
    give(merchant, receiver.url)
    assert woken == [services.DISPATCH_TASK]
    merchants.update_merchant(merchant=merchant, is_active=False, actor="ana", reason="closed")
    assert woken == [services.DISPATCH_TASK]


@pytest.mark.usefixtures("worker")
def test_what_waits_goes_out_at_once_while_the_worker_runs(receiver: Receiver) -> None:
    merchant = merchant_at("")
    publish(merchant)
    ends_at = time.monotonic() + 60
    while counts() != {"WAITING": 1} or dispatcher._current is not None:
        assert time.monotonic() < ends_at
        time.sleep(0.01)
    began = time.monotonic()
    give(merchant, receiver.url)
    receiver.wait_for(1)
    assert time.monotonic() - began < 2  # a scanner would come every two seconds, and there is none


def test_what_waited_goes_out_in_the_order_in_which_it_happened(receiver: Receiver) -> None:
    merchant = merchant_at("")
    waited = [
        publish(merchant, number, now=NOW + timedelta(milliseconds=number)).pk
        for number in range(30)
    ]
    run_dispatcher()
    assert counts() == {"WAITING": 30}
    give(merchant, receiver.url)
    newer = publish(merchant, 31).pk
    # One at a time: side by side they may overtake each other on their way.
    claimed: list[str] = []
    waiting.mark_pending(now=datetime.now(UTC))
    while batch := leases.claim(now=datetime.now(UTC), size=1):
        claimed += [item.event_id for item in batch]
        delivered = DeliveryResponse(duration_ms=1, status=200)
        leases.record(
            [
                leases.Result(claimed=item, started_at=NOW, finished_at=NOW, response=delivered)
                for item in batch
            ]
        )
    assert claimed == [*waited, newer]


def test_many_that_waited_keep_to_the_cap_of_their_merchant(
    receiver: Receiver, settings: Any
) -> None:
    settings.WEBHOOK_MERCHANT_CAP = 3
    silent, other = merchant_at(""), merchant_at(receiver.url)
    for number in range(60):
        publish(silent, number)
    run_dispatcher()
    give(silent, receiver.url)
    waiting.mark_pending(now=datetime.now(UTC))
    publish(other, 100)
    claimed = leases.claim(now=datetime.now(UTC), size=100)
    assert len(claimed) == 4  # three of the many, and the other merchant's
    assert leases.claim(now=datetime.now(UTC), size=100) == []


def test_more_than_one_batch_becomes_pending_in_one_run(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "MARK_PENDING_SIZE", 4)
    monkeypatch.setattr(waiting, "MARK_WAITING_SIZE", 4)
    merchant = merchant_at("")
    for number in range(30):
        publish(merchant, number)
    run_dispatcher()
    assert counts() == {"WAITING": 30}
    give(merchant, receiver.url)
    run_dispatcher()
    assert counts() == {"DELIVERED": 30}
    assert len(set(event_ids(receiver))) == len(receiver.requests) == 30


def test_a_retry_that_meets_no_url_keeps_its_attempts(receiver: Receiver) -> None:
    with Receiver(answering(500)) as broken:
        merchant = merchant_at(broken.url)
        publish(merchant, now=NOW)
        run_dispatcher(now=lambda: NOW)
    give(merchant, "")
    later = NOW + timedelta(minutes=5)
    run_dispatcher(now=lambda: later)
    waits = Delivery.objects.get()
    assert (waits.status, waits.attempts) == ("WAITING", 1)

    give(merchant, receiver.url)
    run_dispatcher(now=lambda: later)
    assert receiver.requests[0].headers["x-service-attempt"] == "2"
    assert Delivery.objects.get().status == "DELIVERED"


def test_a_url_that_is_removed_and_set_again(receiver: Receiver) -> None:
    merchant = merchant_at(receiver.url)
    first = publish(merchant, 1).pk
    run_dispatcher()
    for number in (2, 3):
        give(merchant, "")
        publish(merchant, number)
        run_dispatcher()
        assert counts()["WAITING"] == 1
        give(merchant, receiver.url)
        run_dispatcher()
    assert len(receiver.requests) == 3
    assert event_ids(receiver)[0] == first
    assert counts() == {"DELIVERED": 3}


def test_merchants_without_a_url_delay_no_other_merchant(receiver: Receiver) -> None:
    """More of them are due, and for longer, than one claim looks at."""
    for number in range(40):
        publish(merchant_at(""), number, now=NOW)
    publish(merchant_at(receiver.url), 50)
    claimed = leases.claim(now=datetime.now(UTC), size=5)
    assert [item.url for item in claimed] == [receiver.url]


def pages_read(statement: str, now: datetime) -> int:
    """By a statement of the dispatcher, in memory or not."""
    values = {"now": now, "cap": 16, "endpoint_cap": 4, "size": 100}
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + statement, values)
        plan = cursor.fetchone()[0][0]["Plan"]
    return int(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])


# What a cycle of the dispatcher reads of deliveries that wait.
CYCLE = (leases._LOCK_DESTINATIONS, waiting._MARK_PENDING)


@pytest.mark.parametrize("rows", [100, 20_000])
def test_waiting_rows_cost_the_dispatcher_nothing(receiver: Receiver, rows: int) -> None:
    """The claim reads the same few pages more, however many wait."""
    with connection.cursor() as cursor:
        # What earlier tests left behind is read as well, by a plan of what they had in the tables.
        cursor.execute("VACUUM (ANALYZE) webhooks_delivery, webhooks_endpoint, merchants_merchant")
    merchant = merchant_at("")
    publish(merchant)
    run_dispatcher()
    publish(merchant_at(receiver.url), 2)
    now = datetime.now(UTC)
    before = [
        pages_read(statement, now)
        for statement in (leases._LOCK_DESTINATIONS, waiting._MARK_PENDING)
    ]
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO webhooks_delivery (id, event_id, merchant_id, cause, status, attempts,"
            " created_at) SELECT 'del_' || lpad(n::text, 26, '0'), event_id, merchant_id, cause,"
            " status, 0, created_at FROM webhooks_delivery, generate_series(1, %s) AS n"
            " WHERE status = 'WAITING'",
            [rows],
        )
        cursor.execute("ANALYZE webhooks_delivery")
    after = [
        pages_read(statement, now)
        for statement in (leases._LOCK_DESTINATIONS, waiting._MARK_PENDING)
    ]
    # 20,000 rows lie on some 500 pages.
    assert max(after[0] - before[0], after[1] - before[1]) < 100
    with CaptureQueriesContext(connection) as queries:
        assert len(leases.claim(now=now, size=100)) == 1
    statements = [query["sql"] for query in queries if "webhooks_delivery" in query["sql"]]
    assert len(statements) == 2


def test_two_dispatchers_mark_each_row_pending_once(receiver: Receiver) -> None:
    merchant = merchant_at("")
    for number in range(5):
        publish(merchant, number)
    run_dispatcher()
    give(merchant, receiver.url)
    assert waiting.mark_pending(now=datetime.now(UTC)) == 5
    assert waiting.mark_pending(now=datetime.now(UTC)) == 0
    run_dispatcher()
    run_dispatcher()
    assert len(receiver.requests) == 5


def test_the_command_sets_the_url_and_what_waits_is_sent(
    receiver: Receiver, capsys: pytest.CaptureFixture[str]
) -> None:
    merchant = merchant_at("")
    publish(merchant)
    run_dispatcher()
    call_command("set_webhook_url", merchant.pk, receiver.url)
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line) == {"merchantId": merchant.pk, "webhookUrl": receiver.url}
    run_dispatcher()
    assert counts() == {"DELIVERED": 1}
