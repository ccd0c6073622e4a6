"""What can be done with webhooks: publish an event, send one again, send a test.

Everything happens in the caller's transaction; nothing here touches the network.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext_noop as _

from merchants.models import Merchant
from payments.core import audit, clock, jobs, jsontext
from payments.core.errors import ServiceError
from payments.core.ids import new_id
from webhooks import catalogue, schedule
from webhooks.models import Cause, Delivery, Event, Status

DISPATCH_TASK = "webhooks.tasks.pump"
TEST_MESSAGE = "This is a test. No payment was made."


# Nobody sends ten thousand webhooks by mistake.
RESEND_MAX = 500


class TooManyEvents(ServiceError):
    """A range must be narrowed before its events are sent again."""

    code = "NOT_ALLOWED"
    message = _("The range has more than %(most)s events. Narrow it.")

    def __init__(self) -> None:
        super().__init__(values={"most": RESEND_MAX})


class NoWebhookUrl(ServiceError):
    """A test makes no sense while there is nowhere to send it."""

    code = "NO_WEBHOOK_URL"
    message = _("The merchant has no webhook URL.")


def publish(
    *,
    merchant: Merchant,
    kind: str,
    subject_id: str,
    data: Mapping[str, Any],
    now: datetime,
    dedupe_key: str | None = None,
) -> Event | None:
    """Writes the event and its delivery in the caller's transaction, and wakes the dispatcher.

    `data` holds JSON-ready values (money.number, clock.iso, jsontext.raw). Returns None when the
    kind is not enabled for the account, or when `dedupe_key` was published already; neither breaks
    the transaction. Raises ValueError for a kind that is not in the catalogue.
    """
    sent = catalogue.event_kind(kind).sent
    if sent is catalogue.Sent.IF_ENABLED and kind not in merchant.event_kinds:
        return None
    event = _event(merchant, kind, subject_id, data, now, dedupe_key)
    return event if _insert(event, Cause.EVENT) else None


@transaction.atomic
def resend(
    *,
    actor: str,
    now: datetime,
    delivery: Delivery | None = None,
    event: Event | None = None,
    reason: str = "",
) -> Delivery:
    """Sends an event once more: a new delivery of the same bytes, with five attempts of its own.

    Give the delivery or the event. The receiver sees the same event id, so it can tell.
    """
    if event is None:
        if delivery is None:
            raise ValueError("resend() needs a delivery or an event")
        event = delivery.event
    fresh = Delivery.objects.create(
        event=event,
        merchant_id=event.merchant_id,
        cause=Cause.RESEND,
        next_attempt_at=schedule.first_attempt_at(now),
        created_at=now,
    )
    details = {"event": event.pk} | ({"of": delivery.pk} if delivery else {})
    audit.record(actor=actor, action="webhook.resent", subject=fresh, reason=reason, **details)
    jobs.enqueue(DISPATCH_TASK)
    return fresh


@transaction.atomic
def resend_all(*, deliveries: Iterable[Delivery], actor: str, now: datetime, reason: str) -> None:
    """Sends the events of those deliveries once more: of all, or of none."""
    for delivery in deliveries:
        resend(delivery=delivery, actor=actor, now=now, reason=reason)


def events_between(
    *, merchant: Merchant, first: datetime, last: datetime, only_missing: bool
) -> QuerySet[Event]:
    """The merchant's events from `first` (included) to `last` (excluded), oldest first.

    With `only_missing`: those of which no delivery has arrived, and none is on its way.
    """
    events = Event.objects.filter(merchant=merchant, created_at__gte=first, created_at__lt=last)
    if only_missing:
        hopeful = Delivery.objects.filter(event=OuterRef("pk")).exclude(status=Status.FAILED)
        events = events.filter(~Exists(hopeful))
    return events.order_by("created_at", "id")


@transaction.atomic
def resend_range(
    *,
    merchant: Merchant,
    first: datetime,
    last: datetime,
    only_missing: bool,
    actor: str,
    reason: str,
    now: datetime,
) -> int:
    """Sends all those events once more; returns how many. Raises TooManyEvents: then none is."""
    chosen = events_between(merchant=merchant, first=first, last=last, only_missing=only_missing)
    events = list(chosen[: RESEND_MAX + 1])
    if len(events) > RESEND_MAX:
        raise TooManyEvents
    for event in events:
        resend(event=event, actor=actor, now=now, reason=reason)
    audit.record(
        actor=actor,
        action="webhook.range_resent",
        subject=merchant,
        reason=reason,
        first=clock.iso(first),
        last=clock.iso(last),
        only_missing=only_missing,
        events=len(events),
    )
    return len(events)


@transaction.atomic
def send_test_event(*, merchant: Merchant, actor: str, now: datetime) -> Delivery:
    """Sends a `webhook.test` event, signed and retried like any other. Raises NoWebhookUrl."""
    if not merchant.webhook_url:
        raise NoWebhookUrl
    data = {"merchantId": merchant.pk, "message": TEST_MESSAGE}
    event = _event(merchant, catalogue.TEST_KIND, "", data, now, None)
    delivery_id = _insert(event, Cause.TEST)
    delivery = Delivery.objects.get(pk=delivery_id)
    audit.record(actor=actor, action="webhook.tested", subject=delivery, merchant=merchant.pk)
    return delivery


def _event(
    merchant: Merchant,
    kind: str,
    subject_id: str,
    data: Mapping[str, Any],
    now: datetime,
    dedupe_key: str | None,
) -> Event:
    """The event with its frozen body (contract, Payload shape)."""
    payload = {"event": kind, "data": dict(data), "timestamp": clock.iso(now)}
    return Event(
        merchant=merchant,
        kind=kind,
        subject_id=subject_id,
        body=jsontext.dumps(payload).encode(),
        dedupe_key=dedupe_key,
        created_at=now,
    )


# Both rows in one statement: the repeat of a key inserts neither and breaks nothing. A repeat that
# meets the first one uncommitted waits for it.
_INSERT = """
WITH event AS (
    INSERT INTO webhooks_event (id, merchant_id, kind, subject_id, body, dedupe_key, created_at)
    VALUES (%(id)s, %(merchant)s, %(kind)s, %(subject)s, %(body)s, %(dedupe)s, %(now)s)
    ON CONFLICT (dedupe_key) DO NOTHING
    RETURNING id
)
INSERT INTO webhooks_delivery (id, event_id, merchant_id, cause, status, attempts,
                               next_attempt_at, created_at)
SELECT %(delivery)s, event.id, %(merchant)s, %(cause)s, %(status)s, 0, %(due)s, %(now)s FROM event
"""


def _insert(event: Event, cause: Cause) -> str | None:
    """Returns the id of the new delivery, or None when the event's key was there already."""
    delivery_id = new_id("del")
    values: dict[str, Any] = {
        "id": event.pk,
        "merchant": event.merchant_id,
        "kind": event.kind,
        "subject": event.subject_id,
        "body": event.body,
        "dedupe": event.dedupe_key,
        "now": event.created_at,
        "delivery": delivery_id,
        "cause": cause.value,
        "status": Status.PENDING.value,
        "due": schedule.first_attempt_at(event.created_at),
    }
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, values)
        if not cursor.rowcount:
            return None
    event._state.adding = False
    event._state.db = connection.alias
    jobs.enqueue(DISPATCH_TASK)
    return delivery_id
