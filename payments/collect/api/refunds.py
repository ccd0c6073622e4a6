"""Refunds of an order: /collect/{id}/refunds (additions to the contract, docs/gaps.md)."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from merchants.authentication import merchant_of
from merchants.models import Currency
from merchants.permissions import key_of
from payments.api import idempotency, openapi, query
from payments.api.envelope import EnvelopeResponse
from payments.api.fields import AmountField, ChoiceField, TextField, TimestampField, check_decimals
from payments.api.serializing import serialize, validate
from payments.api.views import ApiViewSet
from payments.collect.models import Refund
from payments.collect.services.orders import lookup
from payments.collect.services.refunds import refund_destinations, refund_requests
from payments.collect.services.refunds.refund_waits import WAITS, waits_for
from payments.core import clock


class RefundCreate(serializers.Serializer[Refund]):
    """Body of POST /collect/{id}/refunds."""

    amount = AmountField(
        must_be_positive=True,
        default=None,
        allow_null=True,
        help_text="In the order's currency. Default: all that remains.",
    )
    reason = TextField(max_length=300, help_text="For the operator who decides.")


class ReturnedCoins(serializers.Serializer[Refund]):
    """How a refund in coins is paid."""

    amount = AmountField(
        source="coin_amount", allow_null=True, help_text="Null until an operator has approved."
    )
    currency = serializers.CharField(source="coin")
    network = serializers.CharField(source="coin_network")
    transaction = serializers.SerializerMethodField(
        help_text="On the network. Null until the coins were sent."
    )

    def get_transaction(self, refund: Refund) -> str | None:
        return refund.transaction or None


class RefundDetail(serializers.Serializer[Refund]):
    """A refund."""

    id = serializers.CharField(source="pk")
    orderId = serializers.CharField(source="order_id")
    status = ChoiceField(
        choices=Refund.Status.choices,
        component="RefundStatus",
        help_text="PENDING until an operator has decided and the bank was asked. FAILED: nothing "
        "went back. REFUNDED: the payer's bank returned the refund to us.",
    )
    amount = AmountField()
    currency = ChoiceField(
        choices=Currency.choices, component="OrderCurrency", source="order.currency"
    )
    reason = serializers.CharField()
    requestedAt = TimestampField(source="created_at")
    approvedAt = TimestampField(source="approved_at", allow_null=True)
    rejectedAt = TimestampField(source="rejected_at", allow_null=True)
    completedAt = TimestampField(source="completed_at", allow_null=True)
    destinationUrl = serializers.SerializerMethodField(
        help_text="Send it to the payer, who names an account or an address there. Null if the "
        "money goes back by itself, or the account or address is known."
    )
    waitsFor = serializers.SerializerMethodField(
        help_text="DESTINATION: the payer, who opens destinationUrl. APPROVAL: an operator. "
        "PAYMENT: an operator who sends coins. CONFIRMATIONS: the network of the coins. Null: the "
        "payer's bank, or nothing."
    )
    coins = serializers.SerializerMethodField(
        help_text="Of a payment in coins that is returned to an address of the payer; else null."
    )
    failureReason = serializers.CharField(
        source="public_reason",
        allow_null=True,
        read_only=True,
        help_text="Why nothing went back, or why the bank returned it to us; else null.",
    )

    @extend_schema_field(ChoiceField(choices=list(WAITS), component="RefundWait", allow_null=True))
    def get_waitsFor(self, refund: Refund) -> str | None:
        return waits_for(refund) or None

    @extend_schema_field(ReturnedCoins(allow_null=True))
    def get_coins(self, refund: Refund) -> object:
        return ReturnedCoins(refund).data if refund.coin else None

    @extend_schema_field({"type": ["string", "null"], "format": "uri"})
    def get_destinationUrl(self, refund: Refund) -> str | None:
        is_needed = refund.needs_destination and not refund.has_ended
        return refund_destinations.link_of(refund) if is_needed else None


@openapi.describe(tags=["Refunds"])
class RefundViewSet(ApiViewSet):
    @openapi.creates("createRefund", RefundCreate, RefundDetail)
    def create(self, request: Request, order_id: str) -> EnvelopeResponse:
        """Refund an order, in whole or in part.

        The amount is held of your balance at once; an operator approves or rejects. You bear the
        whole amount: our fee is kept.
        """
        order = lookup.find_order(merchant=merchant_of(request), order_id=order_id)
        key = idempotency.read_key(request, required=True)
        body = self.read_body(RefundCreate, request)
        if body["amount"] is not None:
            check_decimals(body["amount"], order.currency)
        created = refund_requests.request_refund(
            order=order,
            new_refund=refund_requests.NewRefund(**body),
            requester=key_of(request),
            idempotency_key=key or "",
            now=clock.now(),
        )
        return self.answer_created(RefundDetail, created)

    @openapi.lists("listRefunds", query.PageQuery, RefundDetail)
    def list(self, request: Request, order_id: str) -> EnvelopeResponse:
        """List the refunds of an order, newest first.

        Also those that were rejected or failed.
        """
        order = lookup.find_order(merchant=merchant_of(request), order_id=order_id)
        page = validate(query.PageQuery, request.query_params)
        return self.answer_page(RefundDetail, refund_requests.list_refunds(order=order, **page))

    @openapi.describe(operation_id="getRefund", responses=RefundDetail)
    def retrieve(self, request: Request, order_id: str, refund_id: str) -> EnvelopeResponse:
        """Read one refund.

        Its `status` and `waitsFor` tell what it waits for.
        """
        order = lookup.find_order(merchant=merchant_of(request), order_id=order_id)
        refund = refund_requests.find_refund(order=order, refund_id=refund_id)
        return self.answer(serialize(RefundDetail, refund))
