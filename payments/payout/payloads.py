"""A payout in answers and events. Events have the beneficiary masked."""

from rest_framework import serializers

from payments.api.fields import AmountField, ChoiceField, MetadataField, TimestampField
from payments.core import masking
from payments.outgoing.api import TextOrNull
from payments.outgoing.models import BalanceCurrency
from payments.payout.models import Payout

REASON = "Why the beneficiary does not have the money; null while they have it, or may have it."
NETWORK = "`bank` or `breb`."
REFERENCE = "Your own, as you gave it; null without one."
TRACE_CODE = "The trace code. Null until the provider has one."


class MaskedField(serializers.CharField):
    """The last characters of a text of the model. Null if it is empty."""

    def __init__(self, *, source: str) -> None:
        super().__init__(source=source, read_only=True, allow_null=True)

    def to_representation(self, value: str) -> str | None:  # type: ignore[override]
        return masking.contact(value) or None


class PayoutBeneficiary(serializers.Serializer[Payout]):
    """Who gets the money, masked. The names are those of POST /payout."""

    name = serializers.SerializerMethodField(help_text="The initials.")
    documentType = serializers.CharField(source="recipient_doc_type")
    documentNumber = MaskedField(source="recipient_doc_number")
    bankCanonicalId = TextOrNull(source="bank_id", help_text="Null for a key.")
    accountType = TextOrNull(source="account_type", help_text="SAVINGS, CHECKING; null for a key.")
    accountNumber = MaskedField(source="account_number")
    keyType = TextOrNull(source="key_type", help_text="Such as PHONE; null for an account.")
    keyValue = MaskedField(source="key_value")

    def get_name(self, payout: Payout) -> str:
        return masking.full_name(payout.recipient_name)


class PayoutPayload(serializers.Serializer[Payout]):
    """A payout at the time of the event."""

    id = serializers.CharField(source="pk", help_text="As `payoutId` of GET /payout/{id}.")
    reference = TextOrNull(help_text=REFERENCE)
    status = ChoiceField(choices=Payout.Status.choices, component="PayoutStatus")
    amount = AmountField(help_text="What the beneficiary gets, in COP.")
    feeAmount = AmountField(source="fee_amount", help_text="On top, in COP.")
    currency = ChoiceField(
        choices=BalanceCurrency.choices,
        component="PayoutCurrency",
        help_text="The balance that pays.",
    )
    network = serializers.CharField(source="public_network", help_text=NETWORK)
    beneficiary = PayoutBeneficiary(source="*")
    providerPayoutId = TextOrNull(source="provider_id", help_text=TRACE_CODE)
    failureReason = TextOrNull(source="public_reason", help_text=REASON)
    metadata = MetadataField()
    createdAt = TimestampField(source="created_at")
    completedAt = TimestampField(source="completed_at", allow_null=True)
