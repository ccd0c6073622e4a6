"""What the endpoints of payouts, top-ups and bill payments share."""

from datetime import datetime
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request

from merchants.authentication import merchant_of
from merchants.permissions import key_of
from payments.api import idempotency, openapi, query
from payments.api.envelope import Answer
from payments.api.serializing import serialize, validate
from payments.api.views import ApiViewSet
from payments.core import clock
from payments.outgoing import lookup
from payments.outgoing.creation import PaymentRequest
from payments.outgoing.models import OutgoingPayment
from payments.outgoing.product import Product

# Where the rail is called inside the request: what begins as PENDING elsewhere is PROCESSING here.
LOWER_CASE_STATUSES = ("processing", "completed", "failed", "refunded")
CREATE_PARAMETERS = [openapi.IDEMPOTENCY_KEY, openapi.REPLAYED]


class PaymentQuery(query.PageQuery):
    """Parameters of a list of payments. Statuses are kept in upper case."""

    status = query.ChoiceParameter(choices=LOWER_CASE_STATUSES)
    createdFrom = query.TimestampParameter(source="created_from", help_text="Included.")
    createdTo = query.TimestampParameter(source="created_to", help_text="Excluded.")

    def validate_status(self, value: str | None) -> str | None:
        return value and value.upper()


class KeyInBody(serializers.CharField):
    """`idempotencyKey` is read apart from the other fields: the fingerprint leaves it out."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            allow_null=True,
            write_only=True,
            help_text="Alternative to the header Idempotency-Key.",
        )


class TextOrNull(serializers.CharField):
    """A text of the model, null instead of an empty one."""

    def __init__(self, *, source: str | None = None, help_text: str | None = None) -> None:
        super().__init__(source=source, read_only=True, allow_null=True, help_text=help_text)

    def to_representation(self, value: str) -> str | None:  # type: ignore[override]
        return value or None


class OutgoingViewSet(ApiViewSet):
    """Create, list and retrieve. A product's own methods carry the documentation."""

    product: ClassVar[Product[Any]]
    request_serializer: ClassVar[type[serializers.Serializer[Any]]]
    response_serializer: ClassVar[type[serializers.Serializer[Any]]]
    # A dataclass with the fields of `request_serializer`.
    input_type: ClassVar[type]
    query_serializer: ClassVar[type[query.PageQuery]] = PaymentQuery

    def create_payment(
        self, request: PaymentRequest[Any], now: datetime
    ) -> tuple[OutgoingPayment, bool]:
        raise NotImplementedError

    def create_from(self, request: Request) -> Answer:
        """201 with the payment, also for a replay."""
        key = idempotency.read_key(request, required=True, body_field="idempotencyKey")
        fields = validate(self.request_serializer, request.data)
        fields.pop("idempotencyKey", None)
        wanted = PaymentRequest(
            merchant=merchant_of(request),
            requester=key_of(request),
            idempotency_key=key or "",
            wanted=self.input_type(**fields),
        )
        payment, is_replayed = self.create_payment(wanted, clock.now())
        headers = idempotency.REPLAYED if is_replayed else None
        return self.answer(
            serialize(self.response_serializer, payment), status=201, headers=headers
        )

    def list_page(self, request: Request) -> Answer:
        filters = validate(self.query_serializer, request.query_params)
        page = lookup.list_payments(
            self.product,
            merchant=merchant_of(request),
            limit=filters.pop("limit"),
            offset=filters.pop("offset"),
            filters=lookup.PaymentFilters(**filters),
        )
        return self.answer_page(self.response_serializer, page)

    def retrieve_one(self, request: Request, payment_id: str) -> Answer:
        merchant = merchant_of(request)
        found = lookup.find_payment(self.product, merchant=merchant, payment_id=payment_id)
        return self.answer(serialize(self.response_serializer, found))
