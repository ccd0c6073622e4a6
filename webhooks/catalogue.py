"""Every kind of event. To add one, add an entry here (docs/recipes/event.md).

The choices of accounts and of the console, the OpenAPI document and the table of docs/webhooks.md
are made from it. It names payloads by their paths, because it must not import other apps. Products
that send money declare the events of their payments (payments.core.products).
"""

from dataclasses import dataclass
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from payments.core.products import products


class Sent(StrEnum):
    """When a merchant gets the event (contract, Events)."""

    ALWAYS = "always"
    IF_ENABLED = "if enabled"
    ON_REQUEST = "on request"


@dataclass(frozen=True, slots=True)
class EventKind:
    kind: str
    # `data.status` at that time. Empty if `data` has none.
    status: str
    # The dotted path of the serializer that describes `data`.
    payload: str
    summary: str
    sent: Sent = Sent.IF_ENABLED
    # What happened in few words, for the console. Empty: _WORDS below has them.
    words: str | Promise = ""


TEST_KIND = "webhook.test"
ORDER = "payments.collect.payloads.OrderPayload"
COMPLETION = "payments.collect.payloads.CompletionPayload"
FAILURE = "payments.collect.payloads.FailurePayload"
REFUND = "payments.collect.payloads.RefundPayload"
DISPUTE = "payments.collect.payloads.DisputePayload"
BATCH = "payments.payout_batches.payloads.BatchPayload"

EVENTS = [
    EventKind(
        "payment.completed",
        "COMPLETED",
        COMPLETION,
        "The whole amount arrived: the order is COMPLETED",
        Sent.ALWAYS,
    ),
    EventKind(
        "payment.failed",
        "FAILED",
        FAILURE,
        "The payment was refused: the order is FAILED",
        Sent.ALWAYS,
    ),
    EventKind("payment.expired", "EXPIRED", ORDER, "The order expired unpaid"),
    EventKind(
        "payment.cancelled",
        "EXPIRED",
        ORDER,
        "You or an operator cancelled the order; sent in place of payment.expired",
    ),
    EventKind(
        "payment.confirmed",
        "COMPLETED",
        ORDER,
        "The payment is final: it is safe to deliver. After payment.completed",
    ),
    EventKind(
        "payment.refunded",
        "COMPLETED",
        REFUND,
        "The full amount was returned, by one refund or the last of several",
    ),
    EventKind(
        "payment.partially_refunded",
        "COMPLETED",
        REFUND,
        "A part was returned, and something remains",
    ),
    EventKind(
        "payment.chargeback",
        "COMPLETED",
        DISPUTE,
        "The payer claimed the charge at their bank, or won a dispute",
    ),
    EventKind("payment.disputed", "COMPLETED", DISPUTE, "The payment is in dispute"),
    EventKind("refund.requested", "COMPLETED", REFUND, "A refund was requested; the money is held"),
    EventKind(
        "refund.approved", "COMPLETED", REFUND, "An operator approved; nothing has gone back yet"
    ),
    EventKind(
        "refund.rejected",
        "COMPLETED",
        REFUND,
        "An operator rejected the refund; the held money is yours again",
    ),
    EventKind(
        "refund.completed",
        "COMPLETED",
        REFUND,
        "The refund has gone back; payment.refunded or payment.partially_refunded comes with it",
    ),
    EventKind(
        "settlement.closed",
        "",
        "payments.settlement.payloads.SettlementPayload",
        "A day in Bogotá was closed; moves no money",
    ),
    EventKind(
        "link.paid",
        "COMPLETED",
        "payments.links.payloads.LinkPayload",
        "A payer has paid by a payment link. Comes with payment.completed",
    ),
    EventKind(
        "batch.running", "RUNNING", BATCH, "Payouts of a batch are being created, at first or again"
    ),
    EventKind("batch.paused", "PAUSED", BATCH, "A batch has paused: no more payouts are created"),
    EventKind("batch.done", "DONE", BATCH, "Each line of a batch has its payout or was refused"),
    EventKind(
        "batch.cancelled",
        "CANCELLED",
        BATCH,
        "A batch was cancelled: lines without a payout never get one",
    ),
    EventKind("batch.rejected", "REJECTED", BATCH, "An approver rejected a batch"),
    *(
        EventKind(
            product.event_kind(event.status),
            event.status,
            product.payload,
            event.summary,
            words=event.words,
        )
        for product in products()
        for event in product.events
    ),
    EventKind(
        TEST_KIND,
        "",
        "webhooks.payloads.TestPayload",
        "You asked for a test event, over the API or in the console",
        Sent.ON_REQUEST,
    ),
]


def event_kind(kind: str) -> EventKind:
    """Raises ValueError for an unknown kind."""
    for event in EVENTS:
        if event.kind == kind:
            return event
    raise ValueError(f"unknown event kind {kind!r}")


def kinds(sent: Sent) -> list[str]:
    return [event.kind for event in EVENTS if event.sent is sent]


def words_of(kind: str) -> str:
    """In the words of a shop. A kind of an earlier release has none: it shows as it is."""
    own = next((event.words for event in EVENTS if event.kind == kind), "")
    return str(_WORDS.get(kind) or own or kind)


def optional_choices() -> list[tuple[str, str]]:
    """The kinds that an account may enable, as the choices of a field."""
    return [(kind, kind) for kind in kinds(Sent.IF_ENABLED)]


def markdown_table() -> str:
    """The table of docs/webhooks.md."""
    lines = ["| Event | `data.status` | What happened | Sent | `data` |", "|---|---|---|---|---|"]
    for event in EVENTS:
        payload = event.payload.rpartition(".")[2].removesuffix("Payload").lower()
        cells = (f"`{event.kind}`", event.status or "(none)", event.summary, event.sent, payload)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


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
