"""Publishing, sending again, testing; and what the tables refuse."""

import json
import threading
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, connections, transaction

from merchants.models import Merchant
from payments.core import clock, jobs, jsontext, money
from payments.core.models import AuditEntry
from tests.support.measurements import record
from tests.webhooks.conftest import merchant_at, publish, run_dispatcher
from tests.webhooks.receivers import Receiver
from webhooks import catalogue, services
from webhooks.catalogue import Sent
from webhooks.models import Attempt, Delivery, Event

OPTIONAL = catalogue.kinds(Sent.IF_ENABLED)
NOW = datetime(2026, 3, 1, 15, 4, 5, 123456, tzinfo=UTC)


def test_published_event_has_a_pending_delivery(merchant: Merchant) -> None:
    event = publish(merchant, now=NOW)
    stored = Event.objects.get()
    assert stored == event
    assert stored.merchant == merchant
    delivery = Delivery.objects.get()
    assert delivery.event == event
    assert (delivery.status, delivery.attempts, delivery.cause) == ("PENDING", 0, "event")
    assert delivery.next_attempt_at == delivery.created_at == NOW


def test_the_body_is_frozen_as_the_contract_shapes_it(merchant: Merchant) -> None:
    data = {
        "id": "col_1",
        "amount": money.number(money.Decimal("50025.000")),
        "metadata": jsontext.raw('{"mesa": 1.50, "ñ": "☕"}'),
        "paidAt": clock.iso(NOW),
    }
    event = publish(merchant, data=data, now=NOW)
    assert bytes(event.body).decode() == (
        '{"event":"payment.completed","data":{"id":"col_1","amount":50025,'
        '"metadata":{"mesa": 1.50, "ñ": "☕"},"paidAt":"2026-03-01T15:04:05.123Z"},'
        '"timestamp":"2026-03-01T15:04:05.123Z"}'
    )


@pytest.mark.parametrize("kind", catalogue.kinds(Sent.ALWAYS))
def test_completed_and_failed_need_no_enablement(merchant: Merchant, kind: str) -> None:
    assert merchant.event_kinds == []
    assert publish(merchant, kind=kind) is not None


@pytest.mark.parametrize("kind", OPTIONAL)
def test_other_kinds_are_published_only_where_enabled(merchant: Merchant, kind: str) -> None:
    values: dict[str, Any] = {"kind": kind, "subject_id": "", "data": {}, "now": NOW}
    merchant.event_kinds = [other for other in OPTIONAL if other != kind]
    assert services.publish(services.NewEvent(merchant=merchant, **values)) is None
    assert not Event.objects.exists()
    assert not Delivery.objects.exists()
    merchant.event_kinds = [kind]
    assert services.publish(services.NewEvent(merchant=merchant, **values)) is not None


def test_a_kind_the_contract_does_not_know_is_a_mistake_of_ours(merchant: Merchant) -> None:
    with pytest.raises(ValueError, match=r"payment\.complete"):
        publish(merchant, kind="payment.complete")


def test_a_repeated_key_publishes_nothing_and_breaks_nothing(merchant: Merchant) -> None:
    values: dict[str, Any] = {
        "merchant": merchant,
        "kind": "payment.failed",
        "subject_id": "col_1",
        "data": {},
        "now": NOW,
        "dedupe_key": "payment.failed:col_1",
    }
    with transaction.atomic():
        assert services.publish(services.NewEvent(**values)) is not None
        assert services.publish(services.NewEvent(**values)) is None
        assert Event.objects.count() == 1  # the transaction still works
    assert services.publish(services.NewEvent(**values)) is None
    assert (Event.objects.count(), Delivery.objects.count()) == (1, 1)


def test_events_without_a_key_repeat_freely(merchant: Merchant) -> None:
    publish(merchant)
    publish(merchant)
    assert Event.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_key_is_published_once_however_many_try_at_once(merchant: Merchant) -> None:
    barrier, outcomes = threading.Barrier(8), []

    def attempt() -> None:
        barrier.wait()
        with transaction.atomic():
            outcomes.append(
                services.publish(
                    services.NewEvent(
                        merchant=merchant,
                        kind="payment.completed",
                        subject_id="col_1",
                        data={},
                        now=NOW,
                        dedupe_key="once",
                    )
                )
            )
        connections.close_all()

    threads = [threading.Thread(target=attempt) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 8
    assert sum(outcome is not None for outcome in outcomes) == 1
    assert (Event.objects.count(), Delivery.objects.count()) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_event_belongs_to_the_transaction_of_the_caller(
    merchant: Merchant, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DOORBELL = True
    wakeups: list[Any] = []
    monkeypatch.setattr(jobs._sender, "send_soon", lambda message, *_: wakeups.append(message))

    def publish_and_fail() -> None:
        with transaction.atomic():
            publish(merchant)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        publish_and_fail()
    assert not Event.objects.exists()
    assert wakeups == []
    with transaction.atomic():
        publish(merchant)
        assert wakeups == []
    assert wakeups == [("webhooks.tasks.pump", ())]


# --- Sending again, and testing ------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_resend_sends_the_same_bytes_under_the_same_event_id(receiver: Receiver) -> None:
    event = publish(merchant_at(receiver.url))
    run_dispatcher()
    first = Delivery.objects.get()
    again = services.resend(
        event=event, of=first, actor="ana", now=clock.now(), reason="their outage"
    )
    services.resend(event=event, actor="ana", now=clock.now())
    run_dispatcher()
    assert len(receiver.requests) == 3
    assert len({request.body for request in receiver.requests}) == 1
    assert {r.headers["x-service-event-id"] for r in receiver.requests} == {event.pk}
    assert [r.headers["x-service-attempt"] for r in receiver.requests] == ["1", "1", "1"]
    again.refresh_from_db()
    assert (again.cause, again.status) == ("resend", "DELIVERED")
    first.refresh_from_db()
    assert (first.cause, first.attempts) == ("event", 1)
    audit = AuditEntry.objects.filter(subject_id=again.pk).get()
    assert (audit.actor, audit.action, audit.reason) == ("ana", "webhook.resent", "their outage")
    assert audit.details == {"event": event.pk, "of": first.pk}


@pytest.mark.django_db(transaction=True)
def test_a_test_event_is_signed_and_delivered_like_any_other(receiver: Receiver) -> None:
    merchant = merchant_at(receiver.url)
    delivery = services.send_test_event(merchant=merchant, actor="ana", now=clock.now())
    run_dispatcher()
    (request,) = receiver.requests
    body = json.loads(request.body)
    assert body["event"] == "webhook.test"
    assert body["data"] == {"merchantId": merchant.pk, "message": services.TEST_MESSAGE}
    assert request.headers["x-service-signature"].startswith("sha256=")
    delivery.refresh_from_db()
    assert (delivery.status, delivery.cause) == ("DELIVERED", "test")
    assert AuditEntry.objects.filter(subject_id=delivery.pk, action="webhook.tested").exists()


def test_a_test_event_needs_somewhere_to_go(merchant: Merchant) -> None:
    merchant.webhook_url = ""
    with pytest.raises(services.NoWebhookUrl):
        services.send_test_event(merchant=merchant, actor="ana", now=NOW)
    assert not Event.objects.exists()


# --- What the tables refuse ----------------------------------------------------------------------


@pytest.fixture
def attempt(merchant: Merchant) -> Attempt:
    publish(merchant)
    return Attempt.objects.create(
        delivery=Delivery.objects.get(),
        number=1,
        started_at=NOW,
        duration_ms=3,
        response_status=500,
        error="HTTP_STATUS",
    )


APPEND_ONLY = r"pgtrigger: Cannot (update or delete rows|truncate)"


@pytest.mark.faults("F16")
@pytest.mark.parametrize("table", ["webhooks_event", "webhooks_attempt"])
@pytest.mark.parametrize(
    "statement",
    ["UPDATE {table} SET id = id", "DELETE FROM {table}", "TRUNCATE {table} CASCADE"],
)
def test_events_and_attempts_are_append_only(attempt: Attempt, table: str, statement: str) -> None:
    with connection.cursor() as cursor:
        # Foreign keys still to be checked would stop a TRUNCATE before our trigger does.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(DatabaseError, match=APPEND_ONLY), transaction.atomic():
            cursor.execute(statement.format(table=table))
    record(statements_refused=1)
    assert Attempt.objects.count() == Event.objects.count() == 1


@pytest.mark.parametrize(
    ("start", "end"),
    [
        (start, end)
        for start in ("DELIVERED", "FAILED")
        for end in ("PENDING", "DELIVERED", "FAILED")
        if start != end
    ],
)
def test_a_final_delivery_stays_final(merchant: Merchant, start: str, end: str) -> None:
    publish(merchant)
    values = {
        "PENDING": {"next_attempt_at": NOW, "delivered_at": None},
        "DELIVERED": {"next_attempt_at": None, "delivered_at": NOW},
        "FAILED": {"next_attempt_at": None, "delivered_at": None},
    }
    Delivery.objects.update(status=start, **values[start])
    with pytest.raises(DatabaseError, match="Invalid transition"), transaction.atomic():
        Delivery.objects.update(status=end, **values[end])


@pytest.mark.parametrize(
    "changes",
    [
        {"cause": "whim"},
        {"next_attempt_at": None},
        {"delivered_at": NOW},
        {"leased_until": NOW},
        {"status": "DELIVERED", "next_attempt_at": None},
        {"status": "FAILED"},
    ],
    ids=str,
)
def test_a_delivery_cannot_contradict_itself(merchant: Merchant, changes: dict[str, Any]) -> None:
    publish(merchant)
    with pytest.raises(IntegrityError), transaction.atomic():
        Delivery.objects.update(**changes)


def test_a_delivery_has_a_known_status(merchant: Merchant) -> None:
    event = publish(merchant)
    with pytest.raises(IntegrityError), transaction.atomic():
        Delivery.objects.create(event=event, merchant=merchant, status="SENT", created_at=NOW)


@pytest.mark.parametrize(
    "values",
    [
        {"number": 0, "error": "TIMEOUT"},
        {"number": 1, "error": ""},
        {"number": 1, "error": "", "response_status": 302},
        {"number": 1, "error": "BAD_LUCK"},
    ],
    ids=str,
)
def test_an_attempt_cannot_contradict_itself(merchant: Merchant, values: dict[str, Any]) -> None:
    publish(merchant)
    with pytest.raises(IntegrityError), transaction.atomic():
        Attempt.objects.create(
            delivery=Delivery.objects.get(), started_at=NOW, duration_ms=0, **values
        )
