"""Create and read an order, as a tutorial of the framework would."""

import hashlib
import hmac
import uuid
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework import serializers
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchmarks.floor.models import Key, Merchant, Order

FEE = Decimal("0.0005")


class KeyAuthentication(BaseAuthentication):
    """Key and merchant in one query."""

    def authenticate(self, request: Request) -> tuple[Merchant, Key]:
        public_key = request.headers.get("X-Api-Key", "")
        key = Key.objects.select_related("merchant").filter(public_key=public_key).first()
        given = hashlib.sha256(request.headers.get("X-Api-Secret", "").encode()).digest()
        if key is None or not hmac.compare_digest(given, bytes(key.secret_hash)):
            raise AuthenticationFailed
        return key.merchant, key


class OrderSerializer(serializers.Serializer[Any]):
    """The fields of the contract's page, in and out."""

    id = serializers.CharField(read_only=True)
    reference = serializers.CharField(max_length=100)
    amount = serializers.DecimalField(max_digits=20, decimal_places=2)
    baseAmount = serializers.DecimalField(
        max_digits=20, decimal_places=2, source="base_amount", read_only=True
    )
    feeAmount = serializers.DecimalField(
        max_digits=20, decimal_places=2, source="fee_amount", read_only=True
    )
    currency = serializers.CharField(default="COP")
    description = serializers.CharField(max_length=500)
    customerName = serializers.CharField(max_length=200, source="customer_name")
    customerEmail = serializers.EmailField(source="customer_email")
    customerDocType = serializers.ChoiceField(
        choices=("CC", "CE", "NIT", "PP"), source="customer_doc_type"
    )
    customerDocNumber = serializers.CharField(max_length=40, source="customer_doc_number")
    status = serializers.CharField(read_only=True)
    expiresAt = serializers.DateTimeField(source="expires_at", read_only=True)
    createdAt = serializers.DateTimeField(source="created_at", read_only=True)


class Orders(APIView):
    """POST: validate, insert, answer."""

    authentication_classes = [KeyAuthentication]

    def post(self, request: Request) -> Response:
        body = OrderSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        given, now = body.validated_data, timezone.now()
        base = given.pop("amount")
        order = Order.objects.create(
            id=uuid.uuid4().hex,
            merchant=request.user,
            base_amount=base,
            fee_amount=base * FEE,
            amount=base + base * FEE,
            status="PENDING",
            expires_at=now + timedelta(hours=1),
            created_at=now,
            **given,
        )
        return Response(OrderSerializer(order).data, status=201)


class OneOrder(APIView):
    """GET: read, answer."""

    authentication_classes = [KeyAuthentication]

    def get(self, request: Request, order_id: str) -> Response:
        order = get_object_or_404(Order, pk=order_id, merchant=request.user)
        return Response(OrderSerializer(order).data)
