"""The endpoints of /bills and the fields of their bodies (contract, Bill payments)."""

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from merchants.authentication import merchant_of
from payments.api import openapi, query
from payments.api.envelope import EnvelopeResponse
from payments.api.fields import (
    AmountField,
    ChoiceField,
    DocumentField,
    TextField,
    TimestampField,
    WholeNumberField,
)
from payments.api.serializing import serialize, validate
from payments.bills.models import Agreement, BillPayment
from payments.bills.services import agreements, bill_payments
from payments.bills.services.engine import PRODUCT
from payments.outgoing.api import (
    LOWER_CASE_STATUSES,
    KeyInBody,
    OutgoingViewSet,
    PaymentQuery,
    TextOrNull,
)
from payments.providers.ports import BillProduct

MAX_ID = 2**63 - 1
MAX_QUERY = 100
# For payers, in their language.
LEGEND = "Pago de factura realizado. Conserve este comprobante."


class BillFields(serializers.Serializer[None]):
    agreementId = WholeNumberField(min_value=1, max_value=MAX_ID, source="agreement_id")
    reference = DocumentField(
        max_length=100,
        source="bill_reference",
        help_text="The payer's reference; what it is, the agreement's referenceLabel says.",
    )


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
    idempotencyKey = KeyInBody()


class BillingAgreement(serializers.Serializer[Agreement]):
    """Element of data.items (contract, Billing agreement)."""

    agreementId = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    referenceLabel = serializers.CharField(source="reference_label")
    type = serializers.CharField()


class AgreementPage(serializers.Serializer[dict[str, object]]):
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


class BillCheckResult(serializers.Serializer[dict[str, object]]):
    """Answer of POST /bills/check (contract, Bill check result)."""

    agreementId = serializers.IntegerField(source="agreement.pk")
    agreementName = serializers.CharField(source="agreement.name")
    supplierMessage = serializers.CharField(
        allow_null=True, help_text="The biller's own words, for the payer."
    )
    products = Bill(many=True)


class BillTicket(serializers.Serializer[BillPayment]):
    """What proves the payment to the payer (docs/gaps.md, Bill payments)."""

    # Null if an operator completed the payment.
    number = TextOrNull(source="provider_id", help_text="The provider's own number.")
    authorization = TextOrNull(help_text="The provider's approval code. Null if it has none.")
    provider = serializers.CharField()
    issuedAt = TimestampField(source="completed_at")
    agreement = serializers.CharField(source="agreement_name")
    reference = serializers.CharField(source="bill_reference")
    amountCop = serializers.IntegerField(source="amount")
    legend = serializers.SerializerMethodField(help_text="A line to print, for the payer.")

    def get_legend(self, payment: BillPayment) -> str:
        return LEGEND


class BillPaymentDetail(serializers.Serializer[BillPayment]):
    """A bill payment (contract, Bill payment)."""

    id = serializers.CharField(source="pk")
    status = ChoiceField(
        choices=LOWER_CASE_STATUSES, source="public_status", component="BillPaymentStatus"
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
    failureReason = TextOrNull(
        source="public_reason", help_text="Why the bill is not paid; null while it is, or may be."
    )
    createdAt = TimestampField(source="created_at")
    completedAt = TimestampField(source="completed_at", allow_null=True)


@extend_schema_field({"type": "integer", "minimum": 1})
class PageNumber(query.NumberParameter):
    """The schema leaves out the maximum, which is only a limit of the database."""


class AgreementQuery(query.QuerySerializer):
    q = query.Parameter(max_length=MAX_QUERY, help_text="Words of the name, type or number.")
    page = PageNumber(minimum=1, maximum=MAX_ID // settings.BILLS_PAGE_SIZE, default=1)


@openapi.describe(tags=["Bill payments"])
class BillsViewSet(OutgoingViewSet):
    query_actions = ("list", "agreements")
    product = PRODUCT
    request_serializer = BillPay
    response_serializer = BillPaymentDetail
    input_type = bill_payments.NewBillPayment
    create_payment = bill_payments.pay_bill

    @openapi.describe(
        operation_id="listBillingAgreements", parameters=[AgreementQuery], responses=AgreementPage
    )
    def agreements(self, request: Request) -> EnvelopeResponse:
        """Search the billing agreements.

        Case and accents do not count. Pages have a fixed size; one past the end is empty.
        """
        parameters = validate(AgreementQuery, request.query_params)
        items, total = agreements.search(query=parameters["q"] or "", page=parameters["page"])
        return self.answer(serialize(AgreementPage, {"items": items, "total": total}))

    @openapi.describe(
        operation_id="checkBill", request=BillCheckRequest, responses={200: BillCheckResult}
    )
    def check(self, request: Request) -> EnvelopeResponse:
        """Query what is owed on a reference.

        Charges nothing. Send `codeRecord` and the amount of a bill to POST /bills/pay.
        """
        body = self.read_body(BillCheckRequest, request)
        agreement, found = bill_payments.check_bill(
            agreement_id=body["agreement_id"], reference=body["bill_reference"]
        )
        result = {
            "agreement": agreement,
            "supplierMessage": found.supplier_message or None,
            "products": found.products,
        }
        return self.answer(serialize(BillCheckResult, result))

    @openapi.creates("createBillPayment", BillPay, BillPaymentDetail)
    def pay(self, request: Request) -> EnvelopeResponse:
        """Pay a bill.

        The debt is checked again first. Waits up to ten seconds for the biller; else the status is
        `processing`, and the same key or GET /bills/payments/{id} answers what became of it.
        BILL_PAYMENT_NOT_ENABLED is 503.
        """
        bill_payments.check_enabled(merchant_of(request))
        return self.create_from(request)

    @openapi.lists("listBillPayments", PaymentQuery, BillPaymentDetail)
    def list(self, request: Request) -> EnvelopeResponse:
        """List your bill payments, newest first.

        Also those that failed.
        """
        return self.list_page(request)

    @openapi.describe(operation_id="getBillPayment", responses=BillPaymentDetail)
    def retrieve(self, request: Request, payment_id: str) -> EnvelopeResponse:
        """Read one bill payment.

        `ticket` is the proof for the payer.
        """
        return self.retrieve_one(request, payment_id)
