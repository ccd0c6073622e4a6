"""Orders: /collect and /collect/{id}, and the fields of their bodies (contract, Collections)."""

from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from merchants.authentication import (
    InvalidApiKey,
    InvalidCredentials,
    find_key,
    key_of,
    merchant_of,
)
from merchants.models import ApiKey, Currency, Method
from payments.api import idempotency, openapi, query
from payments.api.envelope import EnvelopeResponse
from payments.api.fields import (
    AmountField,
    ChoiceField,
    DocumentField,
    EmailField,
    HttpsUrlField,
    MetadataField,
    TextField,
    TimestampField,
    WholeNumberField,
    check_decimals,
    name_currency,
)
from payments.api.serializing import serialize, validate
from payments.api.views import ApiViewSet
from payments.collect.models import Order
from payments.collect.services.endings import cancellation
from payments.collect.services.orders import charge_facts, listing, lookup, order_creation
from payments.core import clock, money
from payments.core.reasons import MoveReason, ReasonCode

DOCUMENT = ("customerDocType", "customerDocNumber")
DOC_TYPES = ("CC", "CE", "NIT", "PP")
MINUTES = settings.COLLECT_EXPIRATION_MINUTES


class OrderCreate(serializers.Serializer[Order]):
    """Body of POST /collect (contract, Collection order)."""

    reference = TextField(
        max_length=100,
        help_text="Your own number of the order. Each can be used once, for ever: after an order "
        "that FAILED or EXPIRED, a second try needs a new one.",
    )
    amount = AmountField(
        minimum=settings.COLLECT_MIN_AMOUNT,
        help_text="What you receive, in the order's currency; the fee comes on top. A JSON number.",
    )
    currency = ChoiceField(
        choices=Currency.choices, component="OrderCurrency", default=Currency.COP
    )
    description = TextField(max_length=500, default="", allow_blank=True)
    customerName = TextField(max_length=200, source="customer_name")
    customerEmail = EmailField(max_length=254, source="customer_email")
    customerDocType = ChoiceField(
        choices=DOC_TYPES,
        component="DocumentType",
        source="customer_doc_type",
        required=False,
        help_text="Required, unless the account leaves the document to the payment page (a switch "
        "in the console): then leave out both fields, and the payer is asked where the way to pay "
        "needs it.",
    )
    customerDocNumber = DocumentField(
        max_length=40,
        source="customer_doc_number",
        required=False,
        help_text="Goes with customerDocType: both, or none where the account allows it.",
    )
    expirationMinutes = WholeNumberField(
        min_value=MINUTES["min"],
        max_value=MINUTES["max"],
        default=MINUTES["default"],
        source="expiration_minutes",
        unit="minutes",
    )
    callbackUrl = HttpsUrlField(
        default=None,
        allow_null=True,
        source="callback_url",
        help_text="Where the payer's browser returns; webhooks go to the URL of your account. When "
        "the order is COMPLETED, FAILED or EXPIRED, our page has a button that leads there; right "
        "after a payment it goes there by itself in 10 seconds. It adds `id`, `reference`, "
        "`status` and `confirmation=webhook` to the query and keeps yours, so do not use these "
        "names. The return proves nothing: only the signed webhook confirms a payment. In a "
        "sandbox it may be `http://localhost` or `http://127.0.0.1`, with any port.",
    )
    allowedMethods = serializers.ListField(
        child=ChoiceField(choices=Method.choices, component="Method"),
        default=None,
        allow_null=True,
        min_length=1,
        max_length=len(Method.values),
        source="allowed_methods",
        error_messages={"min_length": "List at least one method, or leave the field out."},
        help_text="Default: the methods of the account.",
    )
    metadata = MetadataField(
        default="{}", help_text="At most 1 KB as compact JSON, 20 levels deep; comes back as sent."
    )

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        alone = _half_of_document(data)
        try:
            values: dict[str, Any] = super().to_internal_value(data)
        except serializers.ValidationError as error:
            currency = data.get("currency", Currency.COP)
            detail = name_currency(error.detail, currency)
            others = {name: text for name, text in alone.items() if name not in detail}
            raise serializers.ValidationError({**detail, **others}) from error
        if alone:
            raise serializers.ValidationError(alone)
        return {"customer_doc_type": "", "customer_doc_number": "", **values}

    def validate_allowedMethods(self, value: list[str] | None) -> list[str] | None:
        if value and len(set(value)) != len(value):
            raise serializers.ValidationError("Must not name a method twice.")
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The currency decides the decimals; the minimum is 1000 in each (contract, Limits)."""
        check_decimals(attrs["amount"], attrs["currency"])
        return attrs


class OrderCreateWithDocument(OrderCreate):
    """Of an account whose orders always name the customer's document (contract)."""

    def get_fields(self) -> dict[str, serializers.Field]:
        fields = super().get_fields()
        for name in DOCUMENT:
            fields[name].required = True
        return fields


def _half_of_document(data: dict[str, Any]) -> dict[str, str]:
    """The field that is missing beside the other one."""
    missing = [name for name in DOCUMENT if name not in data]
    if len(missing) != 1:
        return {}
    [other] = set(DOCUMENT) - set(missing)
    return {missing[0]: f"This field is required with {other}."}


class OrderCreated(serializers.Serializer[Order]):
    """Answer of POST /collect (contract, Collection order, response of create)."""

    id = serializers.CharField()
    reference = serializers.CharField()
    amount = AmountField(
        help_text="What the payer pays: baseAmount + feeAmount. A JSON number: parse it as a "
        "decimal."
    )
    baseAmount = AmountField(source="base_amount", allow_null=True)
    feeAmount = AmountField(source="fee_amount", allow_null=True)
    currency = ChoiceField(choices=Currency.choices, component="OrderCurrency")
    status = ChoiceField(choices=Order.Status.choices, component="OrderStatus")
    collectUrl = serializers.URLField(source="collect_url")
    expiresAt = TimestampField(source="expires_at")
    createdAt = TimestampField(source="created_at")


class Customer(serializers.Serializer[Order]):
    """The payer as the merchant named them."""

    name = serializers.CharField(source="customer_name")
    email = serializers.CharField(source="customer_email")
    documentType = ChoiceField(
        choices=(*DOC_TYPES, ""),
        component="CustomerDocumentType",
        source="known_doc_type",
        allow_null=True,
        help_text="Null where you left the document to the payment page and no payer has given it "
        "yet. Empty, like the other fields, where a payment link did not ask for it.",
    )
    documentNumber = serializers.CharField(
        source="known_doc_number",
        allow_null=True,
        help_text="Number of the document. Null together with documentType.",
    )


class OrderDetail(OrderCreated):
    """Element of GET /collect, answer of GET /collect/{id}."""

    description = serializers.CharField()
    selectedMethod = ChoiceField(
        choices=Method.choices, component="Method", source="selected_method", allow_null=True
    )
    allowedMethods = serializers.ListField(
        child=ChoiceField(choices=Method.choices, component="Method"), source="allowed_methods"
    )
    customer = Customer(source="*")
    callbackUrl = serializers.CharField(source="callback_url", allow_null=True)
    metadata = MetadataField()
    paidAt = TimestampField(source="paid_at", allow_null=True)
    confirmedAt = TimestampField(
        source="confirmed_at",
        allow_null=True,
        help_text="When the payment became final and it is safe to deliver, in UTC. Null until "
        "then.",
    )
    cancelledAt = TimestampField(source="cancelled_at", allow_null=True)
    retryOf = serializers.CharField(
        source="retry_of_id",
        allow_null=True,
        help_text="The id of the refused order whose payer tried again; null on all other orders.",
    )
    refundedAmount = AmountField(
        source="refunded_amount", help_text="What refunds have brought back to the payer."
    )
    linkId = serializers.SerializerMethodField(
        help_text="Of the payment link with which the payer made the order; null on all other "
        "orders."
    )
    traceCode = serializers.SerializerMethodField(
        help_text="Trace code of the try that paid, or else of the last one; for PSE, the CUS."
    )
    failureReason = serializers.SerializerMethodField(
        help_text="Why the last try brought no money, as a code; null if the order is paid, or if "
        "the bank did not say."
    )
    attempts = serializers.SerializerMethodField(
        help_text="How many payments were begun for the order."
    )
    updatedAt = TimestampField(source="updated_at")

    @extend_schema_field({"type": ["string", "null"]})
    def get_linkId(self, order: Order) -> str | None:
        return order.link_id or None

    @extend_schema_field({"type": ["string", "null"]})
    def get_traceCode(self, order: Order) -> str | None:
        return charge_facts.facts_of(order).trace_code or None

    @extend_schema_field({"type": ["string", "null"]})
    def get_failureReason(self, order: Order) -> str | None:
        return charge_facts.facts_of(order).failure_reason or None

    def get_attempts(self, order: Order) -> int:
        return charge_facts.facts_of(order).attempts


class Statistics(serializers.Serializer[listing.OrderStatistics]):
    """Answer of GET /collect/stats (contract, Collection statistics)."""

    total = serializers.IntegerField()
    pending = serializers.IntegerField()
    completed = serializers.IntegerField()
    failed = serializers.IntegerField()
    totalCollected = serializers.SerializerMethodField()
    collectedByCurrency = serializers.SerializerMethodField()

    @extend_schema_field({"oneOf": [{"type": "string"}, {"type": "integer", "const": 0}]})
    def get_totalCollected(self, figures: listing.OrderStatistics) -> str | int:
        """A decimal string; the number 0 when nothing is completed."""
        return money.text(figures.collected) if figures.completed else 0

    def get_collectedByCurrency(self, figures: listing.OrderStatistics) -> dict[str, str]:
        """The same sum apart by currency, since pesos and bitcoin do not add up."""
        sums = figures.collected_by_currency
        return {currency: money.text(amount) for currency, amount in sorted(sums.items())}


class OrderQuery(query.PageQuery):
    reference = query.Parameter(help_text="Exactly as it was given.")
    status = query.ChoiceParameter(choices=Order.Status.values)
    createdFrom = query.TimestampParameter(source="created_from", help_text="Included.")
    createdTo = query.TimestampParameter(source="created_to", help_text="Excluded.")

    def validate_reference(self, value: str | None) -> str | None:
        """Trimmed, as at the creation of the order."""
        return value and value.strip()


@openapi.describe(tags=["Collections"])
class OrderViewSet(ApiViewSet):
    limit_scopes = {"create": "collect_create", "retrieve": "collect_read"}

    @property
    def unknown_key_error(self) -> type[InvalidCredentials | InvalidApiKey]:
        """The contract has another code for an unknown key when an order is created."""
        return InvalidApiKey if self.action == "create" else InvalidCredentials

    def find_key(self, public_key: str) -> ApiKey | None:
        """Authentication calls it. The order that is read comes in the same statement."""
        order_id = self.kwargs["order_id"] if self.action == "retrieve" else ""
        if not lookup.is_order_id(order_id):
            return find_key(public_key)
        return lookup.find_key_with_order(public_key=public_key, order_id=order_id)

    @openapi.creates("createCollection", OrderCreate, OrderCreated)
    def create(self, request: Request) -> EnvelopeResponse:
        """Create a collection order.

        Send the payer to `collectUrl`. The webhook tells you when the order is paid.
        """
        key = idempotency.read_key(request, required=False)
        merchant = merchant_of(request)
        may_be_without = merchant.document_by_payer
        body = self.read_body(OrderCreate if may_be_without else OrderCreateWithDocument, request)
        created = order_creation.create_order(
            merchant=merchant,
            new_order=order_creation.NewOrder(**body),
            now=clock.now(),
            idempotency_key=key,
        )
        return self.answer_created(OrderCreated, created)

    @openapi.lists("listCollections", OrderQuery, OrderDetail)
    def list(self, request: Request) -> EnvelopeResponse:
        """List your orders, newest first.

        The filters are combined.
        """
        filters = validate(OrderQuery, request.query_params)
        page = listing.list_orders(
            merchant=merchant_of(request),
            limit=filters.pop("limit"),
            offset=filters.pop("offset"),
            filters=listing.OrderFilters(**filters),
        )
        return self.answer_page(OrderDetail, page)

    @openapi.describe(operation_id="getCollectionStatistics", responses=Statistics)
    def stats(self, request: Request) -> EnvelopeResponse:
        """Count your orders by status and sum what was collected.

        All orders of the account, from the first one.
        """
        figures = listing.order_statistics(merchant=merchant_of(request))
        return self.answer(serialize(Statistics, figures))

    @openapi.describe(operation_id="getCollection", responses=OrderDetail)
    def retrieve(self, request: Request, order_id: str) -> EnvelopeResponse:
        """Read one order.

        Use it to check an order; the webhook tells you earlier.
        """
        return self.answer(serialize(OrderDetail, lookup.order_of(key_of(request))))

    @openapi.describe(operation_id="cancelCollection", request=None, responses=OrderDetail)
    def cancel(self, request: Request, order_id: str) -> EnvelopeResponse:
        """End an order that is unpaid.

        It becomes EXPIRED, and payment.cancelled is sent where it is enabled. Refused with
        ORDER_NOT_CANCELLABLE while a payer may be paying. Cancelling again answers the same.
        """
        merchant = merchant_of(request)
        order = lookup.find_order(merchant=merchant, order_id=order_id)
        why = MoveReason(ReasonCode.MERCHANT_CANCELLED)
        order = cancellation.cancel_order(
            order=order, now=clock.now(), actor=merchant.pk, reason=why
        )
        return self.answer(serialize(OrderDetail, order))
