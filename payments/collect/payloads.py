"""`data` of each event about an order (contract, Webhook payload): what is sent, and documented."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from merchants.models import Currency
from payments.api.fields import AmountField, ChoiceField, MetadataField, TimestampField
from payments.collect.models import Charge, Dispute, Order, Refund
from payments.core import masking

_ONLY_WHERE_FILLED = frozenset({"retryOf", "linkId"})
_DOC_TYPES = ("CC", "CE", "NIT", "PP")


class EventCustomer(serializers.Serializer[Order]):
    """What the payer gave on the payment page, masked. GET /collect/{id} has all of it."""

    documentType = ChoiceField(
        choices=_DOC_TYPES,
        component="DocumentType",
        source="known_doc_type",
        allow_null=True,
        help_text="Null unless the order was paid with a document.",
    )
    documentNumber = serializers.SerializerMethodField(
        help_text="The last characters. Null unless the order was paid with a document."
    )

    @extend_schema_field({"type": ["string", "null"]})
    def get_documentNumber(self, order: Order) -> str | None:
        number = order.known_doc_number
        return None if number is None else masking.tail(number)


class OrderPayload(serializers.Serializer[Order]):
    """The order at the time of the event."""

    id = serializers.CharField()
    reference = serializers.CharField()
    amount = AmountField(help_text="What the payer paid: baseAmount + feeAmount.")
    baseAmount = AmountField(
        source="base_amount", allow_null=True, help_text="Null on orders from before 2026."
    )
    feeAmount = AmountField(
        source="fee_amount", allow_null=True, help_text="Null on orders from before 2026."
    )
    currency = ChoiceField(choices=Currency.choices, component="OrderCurrency")
    status = ChoiceField(choices=Order.Status.choices, component="OrderStatus")
    paidAt = TimestampField(
        source="paid_at", allow_null=True, help_text="Null unless the order was paid."
    )
    metadata = MetadataField()
    retryOf = serializers.CharField(
        source="retry_of_id",
        required=False,
        help_text="Only on an order that repeats a refused one: the id of the refused order.",
    )

    linkId = serializers.CharField(
        source="link_id", required=False, help_text="Only of an order of a payment link."
    )

    customer = EventCustomer(
        source="*",
        required=False,
        help_text="Only of an order whose document you left to the payment page.",
    )

    def to_representation(self, instance: Order) -> dict[str, object]:
        """Without what the order does not have, as in the contract."""
        data = super().to_representation(instance)
        if not instance.document_by_payer:
            del data["customer"]
        return {
            name: value for name, value in data.items() if value or name not in _ONLY_WHERE_FILLED
        }


class _RefundPart(serializers.Serializer[Refund]):
    """What an event about a refund says beside the order, which the context holds."""

    refundId = serializers.CharField(source="pk")
    refundedAmount = AmountField(source="amount", help_text="By this refund.")
    remainingAmount = serializers.SerializerMethodField(
        help_text="What no refund has brought back so far."
    )
    totalRefunded = serializers.SerializerMethodField(
        help_text="What all refunds have brought back so far."
    )
    reason = serializers.CharField()
    requestedAt = TimestampField(source="created_at")
    approvedAt = TimestampField(source="approved_at", required=False)
    rejectedAt = TimestampField(source="rejected_at", required=False)
    completedAt = TimestampField(source="completed_at", required=False)

    def get_remainingAmount(self, refund: Refund) -> float:
        """Of what was paid."""
        order = self.context["order"]
        return AmountField().to_representation(order.amount - order.refunded_amount)  # type: ignore[no-any-return]

    def get_totalRefunded(self, refund: Refund) -> float:
        """Of what was paid."""
        return AmountField().to_representation(self.context["order"].refunded_amount)  # type: ignore[no-any-return]

    def to_representation(self, instance: Refund) -> dict[str, object]:
        """Leaves out times that are null."""
        data = super().to_representation(instance)
        return {name: value for name, value in data.items() if value is not None}


class DisputePart(serializers.Serializer[Dispute]):
    """What an event about a dispute says beside the order."""

    disputeId = serializers.CharField(source="pk")
    disputedAmount = AmountField(source="amount", help_text="What the merchant answers for.")
    reason = serializers.CharField()
    openedAt = TimestampField(source="opened_at")
    evidenceDueAt = TimestampField(
        source="evidence_due_at", allow_null=True, help_text="Null when the bank sets no limit."
    )


class _TraceCode(serializers.CharField):
    def to_representation(self, value: str) -> str | None:  # type: ignore[override]
        return value or None


class _FailureReason(serializers.CharField):
    """Of a charge."""

    def to_representation(self, value: Charge) -> str | None:  # type: ignore[override]
        return value.public_reason(value.failure_reason) or None


class _Attempts(serializers.IntegerField):
    """Of the order of a charge."""

    def to_representation(self, value: Charge) -> int:  # type: ignore[override]
        return int(value.order.charges.count())


class _ChargePart(serializers.Serializer[Charge]):
    """What payment.completed and payment.failed say of the try with which the order ended.

    Not required: older events in GET /events do not have it.
    """

    traceCode = _TraceCode(
        source="trace_code",
        required=False,
        allow_null=True,
        help_text="Trace code of the last try; for PSE, the CUS.",
    )
    failureReason = _FailureReason(
        source="*",
        required=False,
        allow_null=True,
        help_text="Why the last try brought no money, as a code; null if it did, or if the bank "
        "did not say.",
    )
    attempts = _Attempts(
        source="*",
        required=False,
        help_text="How many payments were begun for the order, the last one included.",
    )


class CompletionPayload(OrderPayload, _ChargePart):
    """The order, and the try that paid it."""


class FailurePayload(OrderPayload, _ChargePart):
    """The order, and why it failed."""


class RefundPayload(OrderPayload, _RefundPart):  # type: ignore[misc]
    """The order, and what this refund has to do with it."""


class DisputePayload(OrderPayload, DisputePart):
    """The order, and what is contested of it."""


def event_data(order: Order, of: Refund | Dispute | Charge | None) -> dict[str, object]:
    data = dict(OrderPayload(order).data)
    if isinstance(of, Refund):
        data |= _RefundPart(of, context={"order": order}).data
    elif isinstance(of, Charge):
        data |= _ChargePart(of).data
    elif of is not None:
        data |= DisputePart(of).data
    return data
