"""The endpoints of /voucher, and the fields of their bodies."""

from rest_framework import serializers
from rest_framework.request import Request

from payments.api import openapi
from payments.api.envelope import EnvelopeResponse
from payments.api.fields import ChoiceField, TextField, WholeNumberField
from payments.outgoing.api import LOWER_CASE_STATUSES, KeyInBody, OutgoingViewSet, PaymentQuery
from tests.products.voucher.models import Voucher
from tests.products.voucher.services import vouchers
from tests.products.voucher.services.engine import PRODUCT


class VoucherCreate(serializers.Serializer[None]):
    shop = TextField(max_length=40, help_text="Where the voucher counts.")
    amountCop = WholeNumberField(
        min_value=1, max_value=vouchers.MOST, source="amount", help_text="Whole pesos."
    )
    idempotencyKey = KeyInBody()


class VoucherDetail(serializers.Serializer[Voucher]):
    id = serializers.CharField(source="pk")
    status = ChoiceField(
        choices=LOWER_CASE_STATUSES, source="public_status", component="VoucherStatus"
    )
    shop = serializers.CharField()
    amountCop = serializers.IntegerField(source="amount")
    reference = serializers.CharField(source="provider_reference")


@openapi.describe(tags=["Vouchers"])
class VoucherViewSet(OutgoingViewSet):
    product = PRODUCT
    request_serializer = VoucherCreate
    response_serializer = VoucherDetail
    input_type = vouchers.NewVoucher
    create_payment = vouchers.create_voucher

    @openapi.creates("createVoucher", VoucherCreate, VoucherDetail)
    def create(self, request: Request) -> EnvelopeResponse:
        """Buy a voucher."""
        return self.create_from(request)

    @openapi.lists("listVouchers", PaymentQuery, VoucherDetail)
    def list(self, request: Request) -> EnvelopeResponse:
        """List the merchant's vouchers, newest first."""
        return self.list_page(request)

    @openapi.describe(operation_id="retrieveVoucher", responses=VoucherDetail)
    def retrieve(self, request: Request, voucher_id: str) -> EnvelopeResponse:
        """Read one voucher."""
        return self.retrieve_one(request, voucher_id)
