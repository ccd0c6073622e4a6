"""The endpoints of /topup and the fields of their bodies (contract, Top-ups)."""

from django.conf import settings
from rest_framework import serializers
from rest_framework.request import Request

from merchants.authentication import merchant_of
from payments.api import openapi
from payments.api.envelope import EnvelopeResponse
from payments.api.fields import (
    AmountField,
    ChoiceField,
    TextField,
    TimestampField,
    WholeNumberField,
)
from payments.api.serializing import serialize_many
from payments.core.text import colombian_mobile
from payments.outgoing.api import (
    LOWER_CASE_STATUS_HELP,
    LOWER_CASE_STATUSES,
    KeyInBody,
    OutgoingViewSet,
    PaymentQuery,
    TextOrNull,
)
from payments.topup.models import TopUp
from payments.topup.services import catalogue, topups
from payments.topup.services.engine import PRODUCT

# For the owner of the phone, in their language.
LEGEND = "Recarga realizada. Conserve este comprobante."


class TopupCreate(serializers.Serializer[None]):
    """Body of POST /topup (contract, Top-ups)."""

    phone = TextField(
        max_length=40,
        help_text="A Colombian mobile: ten digits from 3; +57, spaces and dashes may be there.",
    )
    operatorCode = TextField(
        max_length=40, source="operator", help_text="A code of GET /topup/operators."
    )
    amountCop = WholeNumberField(
        min_value=1,
        max_value=int(settings.MAX_AMOUNT),
        source="amount",
        unit="COP",
        help_text="Whole pesos.",
    )
    idempotencyKey = KeyInBody()

    def validate_phone(self, value: str) -> str:
        """Returns ten digits, so that two spellings of a number are the same request."""
        phone = colombian_mobile(value)
        if phone is None:
            raise serializers.ValidationError(
                "Must be a Colombian mobile: 10 digits that begin with 3, as in 3001234567."
            )
        return phone


class TopupOperator(serializers.Serializer[catalogue.Offer]):
    """An operator (contract, Top-up operator) and what it sells."""

    code = serializers.CharField(
        source="operator.pk", help_text="Id of the operator; send it as `operatorCode`."
    )
    name = serializers.CharField(source="operator.name")
    logo = serializers.URLField()
    minAmount = AmountField(source="minimum", allow_null=True)
    maxAmount = AmountField(source="maximum")
    allowedAmounts = serializers.ListField(
        child=serializers.IntegerField(),
        source="packages",
        allow_null=True,
        help_text="Null: every amount within the limits. Else only these.",
    )


class TopupTicket(serializers.Serializer[TopUp]):
    """What proves the top-up to the person who holds the phone (docs/gaps.md, Top-ups)."""

    number = TextOrNull(source="provider_id", help_text="The provider's own number.")
    authorization = TextOrNull(help_text="The provider's approval code.")
    provider = serializers.CharField()
    issuedAt = TimestampField(source="completed_at")
    operator = serializers.CharField(source="operator_name")
    phone = serializers.CharField()
    amountCop = serializers.IntegerField(source="amount")
    legend = serializers.SerializerMethodField()

    def get_legend(self, topup: TopUp) -> str:
        return LEGEND


class TopupDetail(serializers.Serializer[TopUp]):
    """A top-up (contract, Top-up)."""

    id = serializers.CharField(source="pk")
    status = ChoiceField(
        choices=LOWER_CASE_STATUSES,
        source="public_status",
        component="TopupStatus",
        help_text=LOWER_CASE_STATUS_HELP,
    )
    phone = serializers.CharField(help_text="Ten digits.")
    amountCop = serializers.IntegerField(source="amount")
    feeCop = serializers.IntegerField(
        source="fee_amount", help_text="On top, paid by the merchant."
    )
    totalCop = serializers.IntegerField(source="debit", help_text="amountCop + feeCop.")
    reference = serializers.CharField(source="provider_reference", help_text="Trace reference.")
    ticket = TopupTicket(allow_null=True, read_only=True)
    operatorCode = serializers.CharField(source="operator_id")
    failureReason = TextOrNull(
        source="public_reason",
        help_text="Why the phone does not have the credit; null while it has, or may have.",
    )
    createdAt = TimestampField(source="created_at")
    completedAt = TimestampField(source="completed_at", allow_null=True)


@openapi.describe(tags=["Top-ups"])
class TopupViewSet(OutgoingViewSet):
    """/topup: operators, create, list, retrieve. Reading needs no enablement (contract)."""

    product = PRODUCT
    request_serializer = TopupCreate
    response_serializer = TopupDetail
    input_type = topups.NewTopUp
    create_payment = topups.create_topup

    @openapi.describe(operation_id="listTopupOperators", responses=TopupOperator(many=True))
    def operators(self, request: Request) -> EnvelopeResponse:
        """List the mobile operators whose phones can be topped up.

        With the amounts that each sells.
        """
        return self.answer(serialize_many(TopupOperator, catalogue.offers()))

    @openapi.creates("createTopup", TopupCreate, TopupDetail)
    def create(self, request: Request) -> EnvelopeResponse:
        """Buy credit for a mobile phone.

        Waits up to ten seconds for the operator; else the status is `processing`, and the same key
        or GET /topup/{id} answers what became of it. TOPUP_NOT_ENABLED is 503.
        """
        topups.check_enabled(merchant_of(request))
        return self.create_from(request)

    @openapi.lists("listTopups", PaymentQuery, TopupDetail)
    def list(self, request: Request) -> EnvelopeResponse:
        """List your top-ups, newest first.

        Also those that failed.
        """
        return self.list_page(request)

    @openapi.describe(operation_id="getTopup", responses=TopupDetail)
    def retrieve(self, request: Request, topup_id: str) -> EnvelopeResponse:
        """Read one top-up.

        `ticket` is the proof for the holder of the phone.
        """
        return self.retrieve_one(request, topup_id)
