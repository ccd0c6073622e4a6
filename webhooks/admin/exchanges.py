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
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from payments.console import tenancy
from payments.console.formatting import when
from payments.core import clock, money
from payments.core.text import one_stop
from webhooks import signing
from webhooks.models import Attempt, Delivery, Event, Failure, Status
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
# Of an answer that says more than that it was no success.
ADVICE_OF_STATUS: dict[int, str | Promise] = {
    401: _("%(status)s: the receiver asks for a login. Let it take webhooks without one."),
    403: _("%(status)s: the receiver refuses the sender. Look at its firewall and its rules."),
    404: _("%(status)s: nothing is there. Check the path of the URL."),
    405: _("%(status)s: the receiver must take POST at this path. Check the path of the URL."),
    410: _("%(status)s: the path is gone. Check the path of the URL."),
}
SERVER_ERROR = _("%(status)s: the receiver has an error of its own. Its log says which.")
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
    seconds, status = settings.WEBHOOK_TIMEOUT_SECONDS, attempt.response_status
    text = ADVICE.get(attempt.error, "")
    if attempt.error == Failure.HTTP_STATUS and status:
        text = SERVER_ERROR if status >= 500 else ADVICE_OF_STATUS.get(status, text)
    return str(text) % {"seconds": f"{seconds:g}", "status": status}


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


def body_text(event: Event) -> str:
    """The JSON with line breaks. The bytes that are signed have none."""
    raw = bytes(event.body).decode("utf-8", "replace")
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
        "event_body": body_text(delivery.event),
        "is_final": is_final,
        "live_seconds": 0 if is_final else _pause(delivery),
        "live_state": f"{delivery.status}:{delivery.attempts}",
        "day": success_of_day(merchant_id=delivery.merchant_id, now=clock.now()),
        "is_own": tenancy.current_user_is_merchant(),
        "unkept": _unkept(delivery),
        "note": _note(delivery),
    }


def _unkept(delivery: Delivery) -> str:
    """What is said in place of attempts whose rows are gone (docs: retention)."""
    if not delivery.attempts:
        is_over = delivery.status in FINAL
        return gettext("Nothing was sent. This would have been sent:") if is_over else ""
    text = ngettext(
        "%(count)s attempt was made; its details are not kept any more. This was sent:",
        "%(count)s attempts were made; their details are not kept any more. This was sent:",
        delivery.attempts,
    )
    return text % {"count": delivery.attempts}


def _pause(delivery: Delivery) -> int:
    due = delivery.next_attempt_at
    is_soon = due is not None and (due - clock.now()).total_seconds() < SOON
    return SOON_SECONDS if is_soon else LATER_SECONDS


def _note(delivery: Delivery) -> str:
    if delivery.status == Status.PENDING and delivery.next_attempt_at is not None:
        text = gettext("Attempt %(number)s goes out at %(at)s.")
        due = when(delivery.next_attempt_at)
        return one_stop(text % {"number": delivery.attempts + 1, "at": due})
    if delivery.status == Status.WAITING:
        if delivery.endpoint_id:
            return gettext("It waits: the endpoint is off.")
        return gettext("No attempt yet: the account has no webhook URL.")
    return ""
