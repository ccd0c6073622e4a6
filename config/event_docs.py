"""The `webhooks` section of the OpenAPI document: every event that merchants may be sent.

SPECTACULAR_SETTINGS names each of these by its path. The payloads are the real serializers.
"""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
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

ACCEPTED = OpenApiResponse(description="Any 2xx within 10 seconds; everything else is tried again.")
PREFIX = settings.WEBHOOK_HEADER_PREFIX


def _header(
    name: str, schema: Mapping[str, object], text: str, required: bool = True
) -> dict[str, object]:
    return {
        "in": "header",
        "name": name,
        "required": required,
        "schema": schema,
        "description": text,
    }


TEXT, COUNT = {"type": "string"}, {"type": "integer", "minimum": 1}
# As webhooks/signing.py makes them.
HEADERS = [
    _header(f"{PREFIX}Timestamp", COUNT, "When this attempt was made, Unix time in milliseconds."),
    _header(
        f"{PREFIX}Signature",
        {"type": "string", "pattern": "^sha256=[0-9a-f]{64}$"},
        "sha256= and the HMAC-SHA256 of timestamp, dot and raw body, in lower-case hexadecimal.",
    ),
    _header(f"{PREFIX}Event-Id", TEXT, "The event's id, the same on every attempt."),
    _header(
        f"{PREFIX}Attempt",
        {**COUNT, "maximum": len(settings.WEBHOOK_RETRY_DELAYS)},
        "Which attempt of the delivery it is.",
    ),
    _header("webhook-id", TEXT, "Standard Webhooks: the event's id.", required=False),
    _header("webhook-timestamp", COUNT, "Standard Webhooks: Unix time in seconds.", required=False),
    _header(
        "webhook-signature",
        {"type": "string", "pattern": "^v1,"},
        "Standard Webhooks: the signature of id, timestamp and body.",
        required=False,
    ),
]
TAG = "Webhooks"
TAG_TEXT = "What we POST to the webhook URL of the account: each event, signed."
Serializer = type[serializers.Serializer[Any]]


def with_headers(result: dict[str, Any], **_generator: Any) -> dict[str, Any]:
    """The same headers and no credentials for each event, which drf-spectacular cannot express."""
    for item in result.get("webhooks", {}).values():
        item["post"] |= {"parameters": HEADERS, "security": []}
    return result


def with_tag(result: dict[str, Any], **_generator: Any) -> dict[str, Any]:
    result.setdefault("tags", []).append({"name": TAG, "description": TAG_TEXT})
    return result


class TestPayload(serializers.Serializer[Any]):
    __test__ = False
    merchantId = serializers.CharField()
    message = serializers.CharField()


def webhook(kind: str, payload: Serializer, summary: str) -> OpenApiWebhook:
    optional = "" if kind in {*ALWAYS_SENT, TEST_KIND} else " Sent if enabled for the account."
    described = extend_schema(
        operation_id=f"on{_name(kind)}",
        request=_message(kind, payload),
        responses={200: ACCEPTED},
        summary=summary,
        description=f"Signed as docs/webhooks.md says.{optional}",
        tags=[TAG],
    )

    def decorate(view: Any) -> Any:
        view.schema = AutoSchema()  # neither our envelope nor our errors
        return described(view)

    return OpenApiWebhook(name=kind, decorator=decorate)


def _name(kind: str) -> str:
    return "".join(word.capitalize() for word in kind.replace("_", ".").split("."))


def _message(kind: str, payload: Serializer) -> Any:
    const = extend_schema_field({"type": "string", "const": kind})
    field = const(type("Kind", (serializers.CharField,), {}))
    fields = {"event": field(), "data": payload(), "timestamp": TimestampField()}
    return inline_serializer(f"{_name(kind)}Event", fields)


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
