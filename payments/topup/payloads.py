"""`data` of each event about a top-up: what is sent, and documented."""

from rest_framework import serializers

from payments.api.fields import ChoiceField, TimestampField
from payments.core import masking
from payments.outgoing.api import LOWER_CASE_STATUS_HELP, LOWER_CASE_STATUSES, TextOrNull
from payments.topup.models import TopUp


class TopupPayload(serializers.Serializer[TopUp]):
    """A top-up at the time of the event, as GET /topup/{id} shows it, with the phone masked."""

    id = serializers.CharField(source="pk")
    status = ChoiceField(
        choices=LOWER_CASE_STATUSES,
        source="public_status",
        component="TopupStatus",
        help_text=LOWER_CASE_STATUS_HELP,
    )
    phone = serializers.SerializerMethodField(help_text="The last digits.")
    operatorCode = serializers.CharField(source="operator_id")
    amountCop = serializers.IntegerField(source="amount")
    feeCop = serializers.IntegerField(source="fee_amount", help_text="On top.")
    totalCop = serializers.IntegerField(source="debit", help_text="amountCop + feeCop.")
    reference = serializers.CharField(source="provider_reference", help_text="Trace reference.")
    failureReason = TextOrNull(
        source="public_reason",
        help_text="Why the phone does not have the credit; null while it has, or may have.",
    )
    createdAt = TimestampField(source="created_at")
    completedAt = TimestampField(source="completed_at", allow_null=True)

    def get_phone(self, topup: TopUp) -> str:
        return masking.tail(topup.phone)
