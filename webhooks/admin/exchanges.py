"""The request of a delivery beside the answer to each attempt.

The body and all headers but the signatures are those that were sent: an attempt keeps the time of
its header. The signatures are not shown, because the secret may have changed since.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console.formatting import when
from payments.core import clock, money
from webhooks import signing
from webhooks.models import Attempt, Delivery, Failure, Status
from webhooks.success import success_of_day

FINAL = frozenset({Status.DELIVERED, Status.FAILED})
# How often the page looks for news: of an attempt that is due soon, and of one much later.
SOON_SECONDS, LATER_SECONDS, SOON = 2, 20, 60
BODY_MAX = 20_000
_HIDDEN_SECRET = "whsec_" + "A" * 43 + "="
ADVICE: dict[str, str | Promise] = {
    Failure.TIMEOUT: _("The receiver must answer within %(seconds)s seconds."),
    Failure.DNS: _("Correct the host name in the webhook URL."),
    Failure.CONNECT: _("Nothing listens there: start the receiver, or correct the webhook URL."),
    Failure.TLS: _("The receiver needs a valid certificate for its host name."),
    Failure.BLOCKED_ADDRESS: _("The webhook URL must lead to a public address."),
    Failure.INVALID_URL: _("Correct the webhook URL."),
    Failure.NO_URL: _("Set a webhook URL."),
    Failure.REDIRECT: _("Use the address to which the receiver redirects."),
    Failure.HTTP_STATUS: _("The receiver's own log says why it refused."),
}
# Failures that another URL ends.
OF_URL = frozenset(
    {
        *(Failure.DNS, Failure.CONNECT, Failure.BLOCKED_ADDRESS, Failure.INVALID_URL),
        *(Failure.NO_URL, Failure.REDIRECT),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    number: int
    at: str
    url: str
    headers: list[tuple[str, str]]
    status: str
    error: str
    advice: str
    duration: str
    answer: str
    is_good: bool


def exchanges(delivery: Delivery) -> list[Exchange]:
    """The newest attempt first."""
    attempts = delivery.history.order_by("-started_at", "-id")
    return [_exchange(attempt, delivery) for attempt in attempts]


def _exchange(attempt: Attempt, delivery: Delivery) -> Exchange:
    return Exchange(
        number=attempt.number,
        at=when(attempt.started_at),
        url=attempt.url,
        headers=list(_headers(attempt, delivery)),
        status=f"HTTP {attempt.response_status}" if attempt.response_status else "",
        error=attempt.get_error_display(),
        advice=advice(attempt),
        duration=f"{money.grouped(str(attempt.duration_ms))} ms",
        answer=attempt.response_excerpt,
        is_good=not attempt.error,
    )


def advice(attempt: Attempt) -> str:
    seconds = settings.WEBHOOK_TIMEOUT_SECONDS
    return str(ADVICE.get(attempt.error, "")) % {"seconds": f"{seconds:g}"}


def _headers(attempt: Attempt, delivery: Delivery) -> Iterator[tuple[str, str]]:
    sent = signing.headers(
        event_id=delivery.event_id,
        attempt=attempt.number,
        body=b"",
        secret=_HIDDEN_SECRET,
        at=attempt.started_at,
    )
    for name, value in sent.items():
        if name.lower().endswith("signature"):
            value = gettext("made with the secret of that moment, not kept")
        yield name, value


def body_text(delivery: Delivery) -> str:
    """The JSON with line breaks. The bytes that are signed have none."""
    raw = bytes(delivery.event.body).decode("utf-8", "replace")
    try:
        text = json.dumps(json.loads(raw), indent=2, ensure_ascii=False)
    except ValueError:
        text = raw
    return text[:BODY_MAX]


def live_context(delivery: Delivery) -> dict[str, Any]:
    """For templates/admin/webhooks/exchanges.html."""
    is_final = delivery.status in FINAL
    return {
        "delivery": delivery,
        "exchanges": exchanges(delivery),
        "event_body": body_text(delivery),
        "is_final": is_final,
        "live_seconds": 0 if is_final else _pause(delivery),
        "live_state": f"{delivery.status}:{delivery.attempts}",
        "day": success_of_day(merchant_id=delivery.merchant_id, now=clock.now()),
        "note": _note(delivery),
    }


def _pause(delivery: Delivery) -> int:
    due = delivery.next_attempt_at
    is_soon = due is not None and (due - clock.now()).total_seconds() < SOON
    return SOON_SECONDS if is_soon else LATER_SECONDS


def _note(delivery: Delivery) -> str:
    if delivery.status == Status.PENDING and delivery.next_attempt_at is not None:
        text = gettext("Attempt %(number)s goes out at %(at)s.")
        due = when(delivery.next_attempt_at)
        return text % {"number": delivery.attempts + 1, "at": due}
    if delivery.status == Status.WAITING:
        return gettext("No attempt yet: the merchant has no webhook URL.")
    return ""
