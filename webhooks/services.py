"""Publishes events, sends them again, and sends the test event, without the network.

An event has a delivery for each endpoint that takes its kind. The first of them is the webhook URL
of the account, whose deliveries have no row in the table of endpoints.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_noop as _

from merchants.models import Merchant
from payments.core import audit, clock, jobs, jsontext
from payments.core.errors import ServiceError
from payments.core.ids import new_id
from webhooks import catalogue, schedule
from webhooks.endpoint_models import ENDPOINTS_MAX, Endpoint
from webhooks.models import Cause, Delivery, Event, Status

DISPATCH_TASK = "webhooks.tasks.pump"
TEST_MESSAGE = "This is a test. No payment was made."
# A limit, so that a mistake does not send thousands of webhooks.
RESEND_MAX = 500


class TooManyEvents(ServiceError):
    code = "NOT_ALLOWED"
    message = _("The range has more than %(most)s events. Narrow it.")

    def __init__(self) -> None:
        super().__init__(values={"most": RESEND_MAX})


class NoWebhookUrl(ServiceError):
    code = "NO_WEBHOOK_URL"
    message = _("The merchant has no webhook URL.")


class EndpointOff(ServiceError):
    code = "NOT_ALLOWED"
    message = _("The endpoint is off. Switch it on first.")


class EndpointDeleted(ServiceError):
    code = "NOT_ALLOWED"
    message = _("The endpoint of this delivery was deleted.")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """The values of `data` are ready for JSON (money.number, clock.iso, jsontext.raw)."""

    merchant: Merchant
    kind: str
    subject_id: str
    data: Mapping[str, object]
    now: datetime
    dedupe_key: str | None = None


def publish(new: NewEvent) -> Event | None:
    """Writes the event and its deliveries in the caller's transaction, and wakes the dispatcher.

    Returns None when neither the account nor an endpoint takes the kind, or `dedupe_key` exists
    already. Raises ValueError for an unknown kind.
    """
    if not is_enabled(new.merchant, new.kind):
        return None
    event = _event(new)
    if new.kind in new.merchant.endpoint_kinds:
        return event if _insert_for_endpoints(event, new.merchant) else None
    return event if _insert(event, Cause.EVENT) else None


def is_enabled(merchant: Merchant, kind: str) -> bool:
    """Whether the account or an endpoint takes the kind, for callers whose `data` costs statements.

    Raises ValueError for an unknown kind.
    """
    return _account_takes(merchant, kind) or kind in merchant.endpoint_kinds


def _account_takes(merchant: Merchant, kind: str) -> bool:
    sent = catalogue.event_kind(kind).sent
    return sent is not catalogue.Sent.IF_ENABLED or kind in merchant.event_kinds


@transaction.atomic
def resend(
    *, event: Event, actor: str, now: datetime, reason: str = "", of: Delivery | None = None
) -> Delivery:
    """Creates a new delivery of the same bytes and event id.

    It goes where `of` went, the delivery that is repeated, or to the URL of the account. Raises
    EndpointDeleted.
    """
    endpoint = of.endpoint if of else None
    if endpoint is not None and endpoint.deleted_at:
        raise EndpointDeleted
    delivery_again = _again(event, endpoint, now)
    details = {"event": event.pk} | ({"of": of.pk} if of else {})
    audit.record(
        actor=actor, action="webhook.resent", subject=delivery_again, reason=reason, **details
    )
    return delivery_again


@transaction.atomic
def resend_to(
    *, event: Event, endpoint: Endpoint | None, actor: str, now: datetime, reason: str = ""
) -> Delivery:
    """To this endpoint, whether it was sent the event before or not. None: URL of the account."""
    delivery_again = _again(event, endpoint, now)
    details = {"event": event.pk}
    audit.record(
        actor=actor, action="webhook.resent", subject=delivery_again, reason=reason, **details
    )
    return delivery_again


def _again(event: Event, endpoint: Endpoint | None, now: datetime) -> Delivery:
    jobs.enqueue(DISPATCH_TASK)
    return Delivery.objects.create(
        event=event,
        merchant_id=event.merchant_id,
        endpoint=endpoint,
        cause=Cause.RESEND,
        next_attempt_at=schedule.first_attempt_at(now),
        created_at=now,
    )


@transaction.atomic
def resend_all(*, deliveries: Iterable[Delivery], actor: str, now: datetime, reason: str) -> None:
    """Sends all of them, or none if there is an error."""
    for delivery in deliveries:
        resend(event=delivery.event, of=delivery, actor=actor, now=now, reason=reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRange:
    """The merchant's events from `first` (included) to `last` (excluded), for one destination.

    Those of the kinds that it takes, and those that it was sent. With `only_missing`, only those
    that have no delivery to it, or only failed ones. Without `endpoint`: the URL of the account.
    """

    merchant: Merchant
    first: datetime
    last: datetime
    only_missing: bool
    endpoint: Endpoint | None = None

    def events(self) -> QuerySet[Event]:
        """The oldest first."""
        period = {"created_at__gte": self.first, "created_at__lt": self.last}
        events = Event.objects.filter(merchant=self.merchant, **period)
        sent = Delivery.objects.filter(event=OuterRef("pk"), endpoint=self.endpoint)
        if self.only_missing:
            events = events.filter(~Exists(sent.exclude(status=Status.FAILED)))
        events = events.filter(Q(kind__in=self._kinds()) | Exists(sent))
        return events.order_by("created_at", "id")

    def _kinds(self) -> list[str]:
        if self.endpoint is not None:
            return self.endpoint.kinds
        return [*catalogue.kinds(catalogue.Sent.ALWAYS), *self.merchant.event_kinds]


@transaction.atomic
def resend_range(*, chosen: EventRange, actor: str, reason: str, now: datetime) -> int:
    """Sends the events again. Returns how many. Raises TooManyEvents."""
    events = list(chosen.events()[: RESEND_MAX + 1])
    if len(events) > RESEND_MAX:
        raise TooManyEvents
    for event in events:
        resend_to(event=event, endpoint=chosen.endpoint, actor=actor, now=now, reason=reason)
    audit.record(
        actor=actor,
        action="webhook.range_resent",
        subject=chosen.endpoint or chosen.merchant,
        reason=reason,
        first=clock.iso(chosen.first),
        last=clock.iso(chosen.last),
        only_missing=chosen.only_missing,
        events=len(events),
    )
    return len(events)


@transaction.atomic
def send_test_event(
    *, merchant: Merchant, actor: str, now: datetime, endpoint: Endpoint | None = None
) -> Delivery:
    """Sends a `webhook.test` event, signed and retried like any other.

    To the URL of the account without `endpoint`. Raises NoWebhookUrl, EndpointOff.
    """
    if endpoint is None and not merchant.webhook_url:
        raise NoWebhookUrl
    if endpoint is not None and not endpoint.is_enabled:
        raise EndpointOff
    data = {"merchantId": merchant.pk, "message": TEST_MESSAGE}
    new = NewEvent(merchant=merchant, kind=catalogue.TEST_KIND, subject_id="", data=data, now=now)
    delivery = Delivery.objects.get(pk=_insert(_event(new), Cause.TEST, endpoint))
    audit.record(actor=actor, action="webhook.tested", subject=delivery, merchant=merchant.pk)
    return delivery


def _event(new: NewEvent) -> Event:
    # The body is frozen (contract, Payload shape).
    payload = {"event": new.kind, "data": dict(new.data), "timestamp": clock.iso(new.now)}
    return Event(
        merchant=new.merchant,
        kind=new.kind,
        subject_id=new.subject_id,
        body=jsontext.dumps(payload).encode(),
        dedupe_key=new.dedupe_key,
        created_at=new.now,
    )


# One statement inserts all rows. If the key exists already, it inserts none without an error.
# A second insert of a key waits until the transaction of the first has ended. The conflict of the
# event itself is that of a table without partitions, where its column is unique, too.
_EVENT = """
WITH key AS (
    INSERT INTO webhooks_eventkey (dedupe_key, event_id)
    SELECT %(dedupe)s::text, %(id)s WHERE %(dedupe)s::text IS NOT NULL
    ON CONFLICT (dedupe_key) DO NOTHING
    RETURNING event_id
),
event AS (
    INSERT INTO webhooks_event (id, merchant_id, kind, subject_id, body, dedupe_key, created_at)
    SELECT %(id)s, %(merchant)s, %(kind)s, %(subject)s, %(body)s, %(dedupe)s::text, %(now)s
    WHERE %(dedupe)s::text IS NULL OR EXISTS (SELECT FROM key)
    ON CONFLICT DO NOTHING
    RETURNING id
)"""
_INSERT = f"""{_EVENT}
INSERT INTO webhooks_delivery (id, event_id, merchant_id, endpoint_id, cause, status, attempts,
                               next_attempt_at, created_at)
SELECT %(delivery)s, event.id, %(merchant)s, %(endpoint)s, %(cause)s, %(status)s, 0, %(due)s,
       %(now)s
FROM event
"""  # noqa: S608  the values stay parameters

# As above, with a delivery for each endpoint that is on and takes the kind. The event is not kept
# waiting for a URL of the account if an endpoint gets it.
_INSERT_FOR_ENDPOINTS = f"""{_EVENT},
endpoint AS (
    SELECT e.id FROM webhooks_endpoint e
    WHERE e.merchant_id = %(merchant)s AND e.is_enabled AND %(kind)s = ANY (e.kinds)
),
destination AS (
    SELECT NULL::text AS id WHERE %(is_for_account)s
      AND (%(has_url)s OR NOT EXISTS (SELECT FROM endpoint))
    UNION ALL SELECT id FROM endpoint
),
delivery AS (
    INSERT INTO webhooks_delivery (id, event_id, merchant_id, endpoint_id, cause, status, attempts,
                                   next_attempt_at, created_at)
    SELECT (%(deliveries)s::text[])[row_number() OVER (ORDER BY destination.id NULLS FIRST)],
           event.id, %(merchant)s, destination.id, %(cause)s, %(status)s, 0, %(due)s, %(now)s
    FROM event CROSS JOIN destination
)
SELECT id FROM event
"""  # noqa: S608  the values stay parameters


def _insert(event: Event, cause: Cause, endpoint: Endpoint | None = None) -> str | None:
    """Returns the id of the new delivery, None when the key exists already."""
    delivery_id = new_id("del")
    to = endpoint.pk if endpoint else None
    values = _values(event, cause) | {"delivery": delivery_id, "endpoint": to}
    return delivery_id if _execute(_INSERT, event, values) else None


def _insert_for_endpoints(event: Event, merchant: Merchant) -> bool:
    """Returns False when the key exists already."""
    values = _values(event, Cause.EVENT) | {
        "is_for_account": _account_takes(merchant, event.kind),
        "has_url": bool(merchant.webhook_url),
        "deliveries": [new_id("del") for _ in range(ENDPOINTS_MAX)],
    }
    return _execute(_INSERT_FOR_ENDPOINTS, event, values)


def _values(event: Event, cause: Cause) -> dict[str, object]:
    return {
        "id": event.pk,
        "merchant": event.merchant_id,
        "kind": event.kind,
        "subject": event.subject_id,
        "body": bytes(event.body),
        "dedupe": event.dedupe_key,
        "now": event.created_at,
        "cause": cause.value,
        "status": Status.PENDING.value,
        "due": schedule.first_attempt_at(event.created_at),
    }


def _execute(statement: str, event: Event, values: dict[str, Any]) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        if not cursor.rowcount:
            return False
    event._state.adding = False
    event._state.db = connection.alias
    jobs.enqueue(DISPATCH_TASK)
    return True
