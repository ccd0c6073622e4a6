"""Kinds of events in the words of a shop."""

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import pgettext_lazy

from webhooks import catalogue

_WORDS: dict[str, Promise] = {
    "payment.completed": pgettext_lazy("event", "Payment received"),
    "payment.failed": pgettext_lazy("event", "Payment refused"),
    "payment.expired": pgettext_lazy("event", "Order expired without a payment"),
    "payment.cancelled": pgettext_lazy("event", "Order cancelled"),
    "payment.confirmed": pgettext_lazy("event", "Payment final: safe to deliver"),
    "payment.refunded": pgettext_lazy("event", "Payment refunded in full"),
    "payment.partially_refunded": pgettext_lazy("event", "Payment refunded in part"),
    "payment.chargeback": pgettext_lazy("event", "Payment charged back"),
    "payment.disputed": pgettext_lazy("event", "Payment in dispute"),
    "refund.requested": pgettext_lazy("event", "Refund requested"),
    "refund.approved": pgettext_lazy("event", "Refund approved"),
    "refund.rejected": pgettext_lazy("event", "Refund rejected"),
    "refund.completed": pgettext_lazy("event", "Refund paid"),
    "settlement.closed": pgettext_lazy("event", "Settlement of a day closed"),
    "link.paid": pgettext_lazy("event", "Payment link paid"),
    "batch.running": pgettext_lazy("event", "Payout batch running"),
    "batch.paused": pgettext_lazy("event", "Payout batch paused"),
    "batch.done": pgettext_lazy("event", "Payout batch done"),
    "batch.cancelled": pgettext_lazy("event", "Payout batch cancelled"),
    "batch.rejected": pgettext_lazy("event", "Payout batch rejected"),
    "webhook.test": pgettext_lazy("event", "Test event"),
}


def quoted(kind: str) -> str:
    return f"“{of_kind(kind)}”"


def with_code(kind: str) -> str | SafeString:
    """The word first, and beside it the code that a receiver reads."""
    shown = of_kind(kind)
    if shown == kind:
        return kind
    return format_html('{} <span class="desk-small">{}</span>', shown, kind)


def of_kind(kind: str) -> str:
    """A kind of an earlier release has no words: it shows as it is."""
    return str(_WORDS.get(kind) or _of_catalogue(kind) or kind)


def _of_catalogue(kind: str) -> str:
    return next((str(event.words) for event in catalogue.EVENTS if event.kind == kind), "")
