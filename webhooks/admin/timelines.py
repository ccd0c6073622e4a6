"""Events and delivery attempts as lines of the timeline of the record that they are about."""

from collections.abc import Iterable, Sequence

from django.db.models import Prefetch
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from payments.console.detail_page import NextStep
from payments.console.formatting import page_url, when
from payments.console.timeline import ROWS_MAX, TimelineLine, add_actions, timeline
from payments.core import clock
from webhooks.admin import exchanges, words
from webhooks.models import Attempt, Cause, Delivery, Event, Status

add_actions(
    {
        "webhook.resent": _("Sent a webhook again"),
        "webhook.range_resent": _("Sent a range of webhooks again"),
        "webhook.tested": _("Sent a test webhook"),
        "webhook_endpoint.created": _("Added a webhook endpoint"),
        "webhook_endpoint.changed": _("Changed a webhook endpoint"),
        "webhook_endpoint.deleted": _("Deleted a webhook endpoint"),
        "webhook_secret.rotated": _("Made a new webhook secret, with an overlap"),
    }
)


def timeline_lines(subject_ids: Sequence[str]) -> Iterable[TimelineLine]:
    """Each event, then its deliveries with every attempt."""
    events = Event.objects.filter(subject_id__in=subject_ids).defer("body").order_by("-id")
    attempts = Attempt.objects.order_by("started_at", "id")
    deliveries = Delivery.objects.order_by("id").prefetch_related(Prefetch("history", attempts))
    found = events[:ROWS_MAX].prefetch_related(Prefetch("deliveries", deliveries))
    for event in reversed(found):
        yield TimelineLine(
            at=event.created_at,
            what=gettext("Webhook %s was written down for the merchant") % words.quoted(event.kind),
            who=gettext("Pasarela"),
            detail=event.kind,
            kind="webhook",
            href=page_url(event),
        )
        for delivery in event.deliveries.all():
            yield from _attempt_lines(delivery, event.kind)


def delivery_lines(delivery: Delivery) -> list[TimelineLine]:
    """Without the attempts, which the page shows with their answers."""
    made = TimelineLine(
        at=delivery.created_at,
        what=gettext("Webhook %s is to be sent") % words.quoted(delivery.event.kind),
        who=gettext("Pasarela"),
        detail="" if delivery.cause == Cause.EVENT else delivery.get_cause_display(),
        kind="webhook",
    )
    return timeline([delivery.pk], [made, *_end_lines(delivery, delivery.event.kind)])


def of_delivery(delivery: Delivery) -> NextStep:
    """An operator sends a failed delivery again when the receiver works again."""
    if delivery.status == Status.PENDING:
        return _of_pending(delivery)
    if delivery.status == Status.WAITING and delivery.endpoint is not None:
        why = gettext("It waits until the endpoint is on again, and goes out at once then.")
        address = page_url(delivery.endpoint)
        return NextStep(why=why, link=(gettext("Open the endpoint"), address) if address else None)
    if delivery.status == Status.WAITING:
        why = gettext("It waits until the account has a webhook URL, and goes out at once then.")
        return NextStep(why=why, actions=("set_url",))
    if delivery.status == Status.DELIVERED:
        return NextStep(why=gettext("The receiver has it."))
    same = Delivery.objects.filter(event=delivery.event_id, endpoint=delivery.endpoint_id)
    others = same.exclude(pk=delivery.pk)
    if others.filter(status=Status.DELIVERED).exists():
        return NextStep(why=gettext("The receiver got the event by another delivery."))
    if others.filter(status__in=[Status.PENDING, Status.WAITING]).exists():
        return NextStep(why=gettext("The event is on its way again, by another delivery."))
    last = _last_attempt(delivery)
    why = ngettext(
        "The only attempt failed: send it again once the receiver answers.",
        "All %(count)s attempts failed: send it again once the receiver answers.",
        delivery.attempts,
    ) % {"count": delivery.attempts}
    if not delivery.attempts:
        why = gettext("It ended before it was sent. Send it again if the receiver needs it.")
    actions = ("resend", *_change_of_url(delivery, last))
    return NextStep(why=why, actions=actions, further=_mending(last))


def _of_pending(delivery: Delivery) -> NextStep:
    """What a person can mend before the next attempt."""
    due = when(delivery.next_attempt_at)
    last = _last_attempt(delivery)
    if last is None or not last.error:
        why = gettext("Its next attempt goes out by itself at %s.") % due
        return NextStep(why=why, title=gettext("Under way"), icon="schedule")
    why = gettext("Attempt %(number)s failed: %(error)s. The next one goes out at %(due)s.")
    named = {"number": last.number, "error": last.get_error_display(), "due": due}
    where = f"{page_url(delivery) or ''}#attempts"
    change = _change_of_url(delivery, last)
    return NextStep(
        why=why % named,
        actions=change,
        link=None if change else (gettext("See the answer"), where),
        further=_mending(last),
    )


def _change_of_url(delivery: Delivery, last: Attempt | None) -> tuple[str, ...]:
    """The action that sets another URL, where that ends the failure."""
    if last is None or last.error not in exchanges.OF_URL:
        return ()
    return ("change_endpoint",) if delivery.endpoint_id else ("set_url",)


def _mending(last: Attempt | None) -> tuple[NextStep, ...]:
    text = exchanges.advice(last) if last is not None and last.error else ""
    return (NextStep(why=text),) if text else ()


def _last_attempt(delivery: Delivery) -> Attempt | None:
    return delivery.history.order_by("-started_at", "-id").first()


def _attempt_lines(delivery: Delivery, kind: str) -> Iterable[TimelineLine]:
    href = page_url(delivery)
    if delivery.cause != Cause.EVENT:
        why = gettext("Webhook %(kind)s is to be sent: %(cause)s")
        named = {"kind": words.quoted(kind), "cause": delivery.get_cause_display()}
        yield TimelineLine(at=delivery.created_at, what=why % named, kind="webhook", href=href)
    for attempt in delivery.history.all():
        yield _attempt(attempt, kind, href)
    yield from _end_lines(delivery, kind)


def _end_lines(delivery: Delivery, kind: str) -> Iterable[TimelineLine]:
    href, named = page_url(delivery), words.quoted(kind)
    if delivery.status == Status.FAILED:
        last = max((attempt.started_at for attempt in delivery.history.all()), default=None)
        yield TimelineLine(
            at=last or delivery.created_at,
            what=gettext("Webhook %s failed for good: nothing is sent again by itself") % named,
            who=gettext("Pasarela"),
            kind="trouble",
            href=href,
        )
    if delivery.status == Status.WAITING:
        yield TimelineLine(
            at=clock.now(),
            what=gettext("Webhook %s waits until the merchant has a webhook URL") % named,
            who=gettext("Pasarela"),
            kind="trouble",
            href=href,
            is_ahead=True,
        )
    if delivery.status == Status.PENDING and delivery.next_attempt_at is not None:
        yield TimelineLine(
            at=delivery.next_attempt_at,
            what=gettext("Attempt %(number)s of webhook %(kind)s")
            % {"number": delivery.attempts + 1, "kind": named},
            who=gettext("Pasarela"),
            kind="webhook",
            href=href,
            is_ahead=True,
        )


def _attempt(attempt: Attempt, kind: str, href: str | None) -> TimelineLine:
    named = {"number": attempt.number, "kind": words.quoted(kind)}
    sentence = (
        gettext("Attempt %(number)s of webhook %(kind)s failed")
        if attempt.error
        else gettext("Webhook %(kind)s arrived at attempt %(number)s")
    )
    status = f"HTTP {attempt.response_status}" if attempt.response_status else ""
    parts = [status, attempt.get_error_display(), f"{attempt.duration_ms} ms"]
    return TimelineLine(
        at=attempt.started_at,
        what=sentence % named,
        who=gettext("the merchant's receiver"),
        detail=" · ".join(part for part in parts if part),
        kind="trouble" if attempt.error else "webhook",
        href=href,
    )
