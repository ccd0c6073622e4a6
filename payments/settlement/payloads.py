"""`data` of settlement.closed (docs/gaps.md, Settlement)."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from payments.api.fields import AmountField, ChoiceField, TimestampField
from payments.ledger.services.movements import CURRENCIES
from payments.settlement import days
from payments.settlement.models import Settlement


class DayFigures(serializers.Serializer[Settlement]):
    id = serializers.CharField(source="pk")
    date = serializers.DateField(help_text="The day in Bogota.")
    timezone = serializers.SerializerMethodField()
    currency = ChoiceField(choices=CURRENCIES, component="BalanceCurrency")
    collected = AmountField(help_text="What payers paid for the orders completed on the day.")
    fee = AmountField(help_text="Ours, without the tax in it.")
    tax = AmountField(help_text="The taxes in our fee.")
    net = AmountField(help_text="What reached the balance.")
    refunded = AmountField(help_text="By refunds completed on the day.")
    orderCount = serializers.IntegerField(source="order_count")
    refundCount = serializers.IntegerField(source="refund_count")

    def get_timezone(self, settlement: Settlement) -> str:
        return days.TIMEZONE


class SettlementPayload(DayFigures):
    """A closed day of one balance. collected = net + fee + tax."""

    closedAt = TimestampField(source="closed_at")

    @extend_schema_field({"type": "string", "const": days.TIMEZONE})
    def get_timezone(self, settlement: Settlement) -> str:
        return days.TIMEZONE
