"""The `webhooks` section of the OpenAPI document: every event that merchants may be sent.

settings.py names each of these by its path. Payloads come from the serializers that write them.
"""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import (
    OpenApiResponse,
    OpenApiWebhook,
    extend_schema,
    extend_schema_field,
    inline_serializer,
)
from rest_framework import serializers

from payments.api.fields import TimestampField
from payments.collect.payloads import DisputePayload, OrderPayload, RefundPayload
from payments.settlement.payloads import SettlementPayload
from webhooks.services import ALWAYS_SENT, TEST_KIND

TAKEN = OpenApiResponse(description="Any 2xx within 10 seconds; everything else is tried again.")
Serializer = type[serializers.Serializer[Any]]


class TestPayload(serializers.Serializer[Any]):
    """About no payment."""

    __test__ = False
    merchantId = serializers.CharField()
    message = serializers.CharField()


def webhook(kind: str, payload: Serializer, summary: str) -> OpenApiWebhook:
    """How the event is announced in the document."""
    optional = "" if kind in {*ALWAYS_SENT, TEST_KIND} else " Sent if enabled for the account."
    described = extend_schema(
        request=_message(kind, payload),
        responses={200: TAKEN},
        summary=summary,
        description=f"Signed as docs/webhooks.md says.{optional}",
        tags=["Webhooks"],
    )

    def decorate(view: Any) -> Any:
        view.schema = AutoSchema()  # neither our envelope nor our errors
        return described(view)

    return OpenApiWebhook(name=kind, decorator=decorate)


def _message(kind: str, payload: Serializer) -> Any:
    name = "".join(word.capitalize() for word in kind.replace("_", ".").split("."))
    const = extend_schema_field({"type": "string", "const": kind})
    field = const(type("Kind", (serializers.CharField,), {}))
    fields = {"event": field(), "data": payload(), "timestamp": TimestampField()}
    return inline_serializer(f"{name}Event", fields)


payment_completed = webhook("payment.completed", OrderPayload, "The order is COMPLETED")
payment_failed = webhook("payment.failed", OrderPayload, "The order is FAILED")
payment_expired = webhook("payment.expired", OrderPayload, "The order expired unpaid")
payment_cancelled = webhook("payment.cancelled", OrderPayload, "The order was cancelled unpaid")
payment_confirmed = webhook(
    "payment.confirmed", OrderPayload, "The rail reached finality: safe to deliver"
)
payment_refunded = webhook("payment.refunded", RefundPayload, "The full amount was returned")
payment_partially_refunded = webhook(
    "payment.partially_refunded", RefundPayload, "A part was returned"
)
payment_chargeback = webhook(
    "payment.chargeback", DisputePayload, "The payer claimed the charge at their bank"
)
payment_disputed = webhook("payment.disputed", DisputePayload, "The payment is in dispute")
refund_requested = webhook("refund.requested", RefundPayload, "A refund was asked for")
refund_approved = webhook(
    "refund.approved", RefundPayload, "An operator approved; nothing has gone back yet"
)
refund_rejected = webhook("refund.rejected", RefundPayload, "An operator rejected the refund")
refund_completed = webhook("refund.completed", RefundPayload, "The refund has gone back")
settlement_closed = webhook("settlement.closed", SettlementPayload, "A day was closed")
webhook_test = webhook(TEST_KIND, TestPayload, "An operator tries the address")
