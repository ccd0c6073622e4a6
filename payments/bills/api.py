"""The endpoints of /bills and the fields of their bodies (contract, Bill payments)."""

from typing import Any

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from merchants.authentication import merchant_of
from merchants.permissions import key_of
from payments.api import idempotency, openapi
from payments.api.envelope import Answer
from payments.api.fields import (
    AmountField,
    ChoiceField,
    TextField,
    TimestampField,
    WholeNumberField,
)
from payments.api.pagination import Query
from payments.api.serializing import serialize, serialize_many, validate
from payments.api.views import ApiViewSet
from payments.bills.models import BillPayment
from payments.bills.services import agreements, bill_payments
from payments.core import clock
from payments.core.text import normalised_document
from payments.providers.ports import BillProduct

# What begins as PENDING elsewhere is PROCESSING here: the rail is called inside the request.
STATUSES = ("processing", "completed", "failed", "refunded")
MAX_ID = 2**63 - 1
MAX_QUERY = 100
# For payers, in their language.
LEGEND = "Pago de factura realizado. Conserve este comprobante."


class BillFields(serializers.Serializer[Any]):
    """Which debt is meant."""

    agreementId = WholeNumberField(min_value=1, max_value=MAX_ID, source="agreement_id")
    reference = TextField(
        max_length=100,
        source="bill_reference",
        help_text="The payer's reference; what it is, the agreement's referenceLabel says.",
    )

    def validate_reference(self, value: str) -> str:
        """Kept as sent; it must hold a letter or digit."""
        if not normalised_document(value):
            raise serializers.ValidationError("Must contain letters or digits.")
        return value


class BillCheckRequest(BillFields):
    """Body of POST /bills/check."""


class BillPay(BillFields):
    """Body of POST /bills/pay."""

    codeRecord = TextField(
        max_length=64,
        default=None,
        allow_null=True,
        source="code_record",
        help_text="Of POST /bills/check. Optional when there is a single bill.",
    )
    amountCop = WholeNumberField(
        min_value=1, max_value=int(settings.MAX_AMOUNT), source="amount", help_text="Whole pesos."
    )
    idempotencyKey = serializers.CharField(
        required=False,
        allow_null=True,
        write_only=True,
        help_text="Alternative to the header Idempotency-Key.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The key is read apart: it is no part of what is asked."""
        attrs.pop("idempotencyKey", None)
        return attrs


class BillingAgreement(serializers.Serializer[Any]):
    """Element of data.items (contract, Billing agreement)."""

    agreementId = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    referenceLabel = serializers.CharField(source="reference_label")
    type = serializers.CharField()


class AgreementPage(serializers.Serializer[Any]):
    """Answer of GET /bills/agreements."""

    items = BillingAgreement(many=True)
    total = serializers.IntegerField()


class Bill(serializers.Serializer[BillProduct]):
    """Element of data.products (contract, Bill check result)."""

    codeRecord = serializers.CharField(source="code_record")
    description = serializers.CharField()
    amount = AmountField()
    minAmount = AmountField(source="min_amount", allow_null=True)
    maxAmount = AmountField(source="max_amount", allow_null=True)


class BillCheckResult(serializers.Serializer[Any]):
    """Answer of POST /bills/check (contract, Bill check result)."""

    agreementId = serializers.IntegerField(source="agreement.pk")
    agreementName = serializers.CharField(source="agreement.name")
    supplierMessage = serializers.CharField(
        allow_null=True, help_text="The biller's own words, for the payer."
    )
    products = Bill(many=True)


class BillTicket(serializers.Serializer[BillPayment]):
    """What proves the payment to the payer (docs/gaps.md, Bill payments)."""

    number = serializers.SerializerMethodField(allow_null=True, help_text="The rail's own number.")
    authorization = serializers.SerializerMethodField(
        allow_null=True, help_text="The rail's approval code, where it has them."
    )
    provider = serializers.CharField()
    issuedAt = TimestampField(source="completed_at")
    agreement = serializers.CharField(source="agreement_name")
    reference = serializers.CharField(source="bill_reference")
    amountCop = serializers.IntegerField(source="amount")
    legend = serializers.SerializerMethodField(help_text="A line to print, for the payer.")

    def get_number(self, payment: BillPayment) -> str | None:
        """Null when a person found out that the bill was paid."""
        return payment.provider_id or None

    def get_authorization(self, payment: BillPayment) -> str | None:
        """Null on rails that have none."""
        return payment.authorization or None

    def get_legend(self, payment: BillPayment) -> str:
        """The same for all."""
        return LEGEND


class BillPaymentDetail(serializers.Serializer[Any]):
    """A bill payment (contract, Bill payment)."""

    id = serializers.CharField(source="pk")
    status = ChoiceField(
        choices=STATUSES, source="status_in_lower_case", component="BillPaymentStatus"
    )
    amountCop = serializers.IntegerField(source="amount")
    feeCop = serializers.IntegerField(source="fee_amount", help_text="On top.")
    totalCop = serializers.IntegerField(source="debit", help_text="amountCop + feeCop.")
    reference = serializers.CharField(source="provider_reference", help_text="Trace reference.")
    ticket = BillTicket(allow_null=True, help_text="Null until completed.")
    agreementId = serializers.IntegerField(source="agreement_id")
    agreementName = serializers.CharField(source="agreement_name")
    billReference = serializers.CharField(source="bill_reference")
    codeRecord = serializers.CharField(source="code_record")
    failureReason = serializers.SerializerMethodField(allow_null=True)
    createdAt = TimestampField(source="created_at")
    completedAt = TimestampField(source="completed_at", allow_null=True)

    def get_failureReason(self, payment: BillPayment) -> str | None:
        """Why the bill is not paid; null while it is, or may be."""
        return payment.public_reason


AGREEMENT_PARAMETERS = [
    OpenApiParameter("q", str, description="Words of the name, type or number."),
    OpenApiParameter("page", {"type": "integer", "minimum": 1, "default": 1}),
]
LIST_PARAMETERS = [
    OpenApiParameter("status", {"type": "string", "enum": list(STATUSES)}),
    *openapi.PAGE,
    OpenApiParameter("createdFrom", OpenApiTypes.DATETIME, description="Included."),
    OpenApiParameter("createdTo", OpenApiTypes.DATETIME, description="Excluded."),
    openapi.TOTAL_COUNT,
]


@extend_schema(tags=["Bill payments"])
class BillsViewSet(ApiViewSet):
    """/bills: agreements, check, pay, and what was paid."""

    @extend_schema(
        operation_id="listBillingAgreements",
        parameters=AGREEMENT_PARAMETERS,
        responses=AgreementPage,
    )
    def agreements(self, request: Request) -> Answer:
        """Search the billing agreements.

        Case and accents do not count. Pages have a fixed size; one past the end is empty.
        """
        query = Query(request.query_params)
        text = query.text("q", max_length=MAX_QUERY) or ""
        page = query.whole("page", default=1, low=1, high=MAX_ID // settings.BILLS_PAGE_SIZE)
        query.check()
        items, total = agreements.search(query=text, page=page)
        return self.answer(serialize(AgreementPage, {"items": items, "total": total}))

    @extend_schema(
        operation_id="checkBill", request=BillCheckRequest, responses={200: BillCheckResult}
    )
    def check(self, request: Request) -> Answer:
        """Ask what is owed on a reference. Charges nothing."""
        body = validate(BillCheckRequest, request.data)
        agreement, found = bill_payments.check_bill(
            agreement_id=body["agreement_id"], reference=body["bill_reference"]
        )
        result = {
            "agreement": agreement,
            "supplierMessage": found.supplier_message or None,
            "products": found.products,
        }
        return self.answer(serialize(BillCheckResult, result))

    @extend_schema(
        operation_id="payBill",
        parameters=[openapi.IDEMPOTENCY_KEY, openapi.REPLAYED],
        request=BillPay,
        responses={201: BillPaymentDetail},
    )
    def pay(self, request: Request) -> Answer:
        """Pay a bill.

        The debt is checked again first. Waits up to ten seconds for the biller; else the status is
        `processing`, and the same key or GET /bills/payments/{id} answers what became of it.
        BILL_PAYMENT_NOT_ENABLED is 503.
        """
        bill_payments.check_enabled(merchant_of(request))
        key = idempotency.read_key(request, required=True, body_field="idempotencyKey")
        body = validate(BillPay, request.data)
        payment, replayed = bill_payments.pay_bill(
            merchant=merchant_of(request),
            key=key_of(request),
            idempotency_key=key or "",
            now=clock.now(),
            **body,
        )
        headers = idempotency.REPLAYED if replayed else None
        return self.answer(serialize(BillPaymentDetail, payment), status=201, headers=headers)

    @extend_schema(
        operation_id="listBillPayments",
        parameters=LIST_PARAMETERS,
        responses=BillPaymentDetail(many=True),
    )
    def list(self, request: Request) -> Answer:
        """List the merchant's bill payments, newest first."""
        query = Query(request.query_params)
        page = query.page()
        status = query.choice("status", list(STATUSES))
        created_from, created_to = query.moment("createdFrom"), query.moment("createdTo")
        query.check()
        rows, total = bill_payments.list_payments(
            merchant=merchant_of(request),
            limit=page.limit,
            offset=page.offset,
            status=status.upper() if status else None,
            created_from=created_from,
            created_to=created_to,
        )
        return self.answer(
            serialize_many(BillPaymentDetail, rows), headers={"X-Total-Count": str(total)}
        )

    @extend_schema(operation_id="retrieveBillPayment", responses=BillPaymentDetail)
    def retrieve(self, request: Request, payment_id: str) -> Answer:
        """Read one bill payment."""
        payment = bill_payments.find_payment(merchant=merchant_of(request), payment_id=payment_id)
        return self.answer(serialize(BillPaymentDetail, payment))
