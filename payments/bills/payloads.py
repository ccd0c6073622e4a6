"""`data` of each event about a bill payment: what is sent, and documented."""

from rest_framework import serializers

from payments.api.fields import ChoiceField, TimestampField
from payments.bills.models import BillPayment
from payments.core import masking
from payments.outgoing.api import LOWER_CASE_STATUSES, TextOrNull


class BillPayload(serializers.Serializer[BillPayment]):
    """A bill payment at the time of the event, as GET /bills/payments/{id} shows it, with the
    bill's reference masked."""

    id = serializers.CharField(source="pk")
    status = ChoiceField(
        choices=LOWER_CASE_STATUSES, source="public_status", component="BillPaymentStatus"
    )
    agreementId = serializers.IntegerField(source="agreement_id")
    agreementName = serializers.CharField(source="agreement_name")
    billReference = serializers.SerializerMethodField(help_text="The last characters.")
    amountCop = serializers.IntegerField(source="amount")
    feeCop = serializers.IntegerField(source="fee_amount", help_text="On top.")
    totalCop = serializers.IntegerField(source="debit", help_text="amountCop + feeCop.")
    reference = serializers.CharField(source="provider_reference", help_text="Trace reference.")
    failureReason = TextOrNull(
        source="public_reason", help_text="Why the bill is not paid; null while it is, or may be."
    )
    createdAt = TimestampField(source="created_at")
    completedAt = TimestampField(source="completed_at", allow_null=True)

    def get_billReference(self, payment: BillPayment) -> str:
        return masking.tail(payment.bill_reference)
