"""The endpoints of /topup and the fields of their bodies (contract, Top-ups)."""

from typing import Any

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
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
from payments.core import clock
from payments.core.text import colombian_mobile
from payments.topup.models import TopUp
from payments.topup.services import catalogue, topups

# What begins as PENDING elsewhere is PROCESSING here: the rail is called inside the request.
STATUSES = ("processing", "completed", "failed", "refunded")
# For whoever holds the phone, in their language.
LEGEND = "Recarga realizada. Conserve este comprobante."


class TopupCreate(serializers.Serializer[Any]):
    """Body of POST /topup (contract, Top-ups)."""

    phone = TextField(
        max_length=40,
        help_text="A Colombian mobile: ten digits from 3; +57, spaces and dashes may be there.",
    )
    operatorCode = TextField(
        max_length=40, source="operator", help_text="A code of GET /topup/operators."
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

    def validate_phone(self, value: str) -> str:
        """As ten digits: two spellings of a number are the same request."""
        phone = colombian_mobile(value)
        if phone is None:
            raise serializers.ValidationError("Must be a Colombian mobile: ten digits from 3.")
        return phone

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The key is read apart: it is no part of what is asked."""
        attrs.pop("idempotencyKey", None)
        return attrs


class TopupOperator(serializers.Serializer[Any]):
    """An operator (contract, Top-up operator) and what it sells."""

    code = serializers.CharField(source="operator.pk")
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
    """What proves the top-up to whoever holds the phone (docs/gaps.md, Top-ups)."""

    number = serializers.SerializerMethodField(allow_null=True, help_text="The rail's own number.")
    authorization = serializers.SerializerMethodField(
        allow_null=True, help_text="The rail's approval code."
    )
    provider = serializers.CharField()
    issuedAt = TimestampField(source="completed_at")
    operator = serializers.CharField(source="operator_name")
    phone = serializers.CharField()
    amountCop = serializers.IntegerField(source="amount")
    legend = serializers.SerializerMethodField()

    def get_number(self, topup: TopUp) -> str | None:
        """Null where the rail has none."""
        return topup.provider_id or None

    def get_authorization(self, topup: TopUp) -> str | None:
        """Null where the rail gives none."""
        return topup.authorization or None

    def get_legend(self, topup: TopUp) -> str:
        """A line to print."""
        return LEGEND


class TopupDetail(serializers.Serializer[Any]):
    """A top-up (contract, Top-up)."""

    id = serializers.CharField(source="pk")
    status = serializers.SerializerMethodField()
    phone = serializers.CharField(help_text="Ten digits.")
    amountCop = serializers.IntegerField(source="amount")
    feeCop = serializers.IntegerField(
        source="fee_amount", help_text="On top, paid by the merchant."
    )
    totalCop = serializers.IntegerField(source="debit", help_text="amountCop + feeCop.")
    reference = serializers.CharField(source="provider_reference", help_text="Trace reference.")
    ticket = serializers.SerializerMethodField()
    operatorCode = serializers.CharField(source="operator_id")
    failureReason = serializers.SerializerMethodField(allow_null=True)
    createdAt = TimestampField(source="created_at")
    completedAt = TimestampField(source="completed_at", allow_null=True)

    @extend_schema_field(ChoiceField(choices=STATUSES, component="TopupStatus"))
    def get_status(self, topup: TopUp) -> str:
        """In lower case, as the contract shows it."""
        return topup.status.lower()

    @extend_schema_field(TopupTicket(allow_null=True))
    def get_ticket(self, topup: TopUp) -> Any:
        """Null unless the phone has the credit: a top-up that came back proves nothing."""
        if topup.status != TopUp.Status.COMPLETED:
            return None
        return serialize(TopupTicket, topup)

    def get_failureReason(self, topup: TopUp) -> str | None:
        """Why the phone does not have the credit; null while it has, or may have."""
        return topup.told_reason


LIST_PARAMETERS = [
    OpenApiParameter("status", {"type": "string", "enum": list(STATUSES)}),
    *openapi.PAGE,
    OpenApiParameter("createdFrom", OpenApiTypes.DATETIME, description="Included."),
    OpenApiParameter("createdTo", OpenApiTypes.DATETIME, description="Excluded."),
    openapi.TOTAL_COUNT,
]


@extend_schema(tags=["Top-ups"])
class TopupViewSet(ApiViewSet):
    """/topup: operators, create, list, retrieve. Reading needs no enablement (contract)."""

    @extend_schema(operation_id="listTopupOperators", responses=TopupOperator(many=True))
    def operators(self, request: Request) -> Answer:
        """List the mobile operators whose phones can be topped up."""
        return self.answer(serialize_many(TopupOperator, catalogue.offers()))

    @extend_schema(
        operation_id="createTopup",
        parameters=[openapi.IDEMPOTENCY_KEY, openapi.REPLAYED],
        request=TopupCreate,
        responses={201: TopupDetail},
    )
    def create(self, request: Request) -> Answer:
        """Buy credit for a mobile phone.

        Waits up to ten seconds for the operator; else the status is `processing`, and the same key
        or GET /topup/{id} answers what became of it. TOPUP_NOT_ENABLED is 503.
        """
        merchant = merchant_of(request)
        topups.check_enabled(merchant)
        key = idempotency.read_key(request, required=True, body_field="idempotencyKey")
        body = validate(TopupCreate, request.data)
        topup, replayed = topups.create_topup(
            merchant=merchant,
            key=key_of(request),
            idempotency_key=key or "",
            now=clock.now(),
            **body,
        )
        headers = idempotency.REPLAYED if replayed else None
        return self.answer(serialize(TopupDetail, topup), status=201, headers=headers)

    @extend_schema(
        operation_id="listTopups", parameters=LIST_PARAMETERS, responses=TopupDetail(many=True)
    )
    def list(self, request: Request) -> Answer:
        """List the merchant's top-ups, newest first."""
        query = Query(request.query_params)
        page = query.page()
        status = query.choice("status", [*STATUSES])
        created_from, created_to = query.moment("createdFrom"), query.moment("createdTo")
        query.check()
        rows, total = topups.list_topups(
            merchant=merchant_of(request),
            limit=page.limit,
            offset=page.offset,
            status=status.upper() if status else None,
            created_from=created_from,
            created_to=created_to,
        )
        return self.answer(serialize_many(TopupDetail, rows), headers={"X-Total-Count": str(total)})

    @extend_schema(operation_id="retrieveTopup", responses=TopupDetail)
    def retrieve(self, request: Request, topup_id: str) -> Answer:
        """Read one top-up."""
        topup = topups.find_topup(merchant=merchant_of(request), topup_id=topup_id)
        return self.answer(serialize(TopupDetail, topup))
