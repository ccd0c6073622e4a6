"""The endpoints under /sandbox (docs/gaps.md, Sandbox): additions to the contract."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from merchants.models import Method
from payments.api.fields import AmountField, ChoiceField, check_decimals
from payments.api.views import ApiViewSet
from payments.collect.api import OrderDetail
from payments.collect.models import Order
from payments.collect.services import orders
from payments.core import clock
from payments.sandbox import services

BALANCES = ("COPM", "USDT", "USDC", "BTC", "ETH")
OUTCOMES = (Order.Status.COMPLETED, Order.Status.FAILED, Order.Status.EXPIRED)


class PositiveAmountField(AmountField):
    """A JSON number above zero."""

    default_error_messages = {"positive": "Must be more than zero."}

    def to_internal_value(self, data: Any) -> Any:
        amount = super().to_internal_value(data)
        if amount <= 0:
            self.fail("positive")
        return amount


class OrderOutcome(serializers.Serializer[Any]):
    """Body of POST /sandbox/collect/{id}."""

    status = ChoiceField(choices=[(status.value, status.value) for status in OUTCOMES])
    method = ChoiceField(choices=Method.choices, default=None, allow_null=True)
    amount = PositiveAmountField(default=None, allow_null=True)


class BalanceCredit(serializers.Serializer[Any]):
    """Body of POST /sandbox/balance."""

    currency = ChoiceField(choices=BALANCES)
    amount = PositiveAmountField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The currency decides the decimals."""
        check_decimals(attrs["amount"], attrs["currency"])
        return attrs


class Balance(serializers.Serializer[Any]):
    """What is available after the credit."""

    currency = serializers.CharField()
    available = AmountField()


@extend_schema(tags=["Sandbox"])
class SandboxViewSet(ApiViewSet):
    """/sandbox: the developer plays the payer, the bank, and the treasury."""

    @extend_schema(request=OrderOutcome, responses=OrderDetail)
    def collect(self, request: Request, order_id: str) -> Response:
        """Bring a collection order to an outcome, as its rail would."""
        order = orders.find_order(merchant=request.user, order_id=order_id)
        body = OrderOutcome(data=request.data)
        body.is_valid(raise_exception=True)
        if body.validated_data["amount"] is not None:
            check_decimals(body.validated_data["amount"], order.currency)
        services.answer_order(order=order, now=clock.now(), **body.validated_data)
        order.refresh_from_db()
        return self.answer(OrderDetail(order).data)

    @extend_schema(request=BalanceCredit, responses=Balance)
    def balance(self, request: Request) -> Response:
        """Credit play money to the merchant's balance."""
        body = BalanceCredit(data=request.data)
        body.is_valid(raise_exception=True)
        available = services.credit_balance(
            merchant=request.user, now=clock.now(), **body.validated_data
        )
        currency = body.validated_data["currency"]
        return self.answer(Balance({"currency": currency, "available": available}).data)
