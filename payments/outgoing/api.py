"""What the endpoints of outgoing payments share."""

from collections.abc import Callable
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request

from merchants.authentication import merchant_of
from merchants.permissions import key_of
from payments.api import idempotency, query
from payments.api.envelope import EnvelopeResponse
from payments.api.serializing import SerializerClass, serialize, validate
from payments.api.views import ApiViewSet
from payments.core import clock
from payments.outgoing import lookup
from payments.outgoing.creation import PaymentRequest
from payments.outgoing.models import OutgoingPayment
from payments.outgoing.product import Product

# There is no PENDING here: only a payout waits to be sent, and its API has its own statuses.
LOWER_CASE_STATUSES = ("processing", "completed", "failed", "refunded")
LOWER_CASE_STATUS_HELP = (
    "`processing` is under way: do not send it again. `completed`, `failed` and "
    "`refunded` are final."
)


class PaymentQuery(query.PageQuery):
    """Parameters of a list of payments. Statuses are kept in upper case."""

    status = query.ChoiceParameter(choices=LOWER_CASE_STATUSES)
    createdFrom = query.TimestampParameter(source="created_from", help_text="Included.")
    createdTo = query.TimestampParameter(source="created_to", help_text="Excluded.")

    def validate_status(self, value: str | None) -> str | None:
        return value and value.upper()


class KeyInBody(serializers.CharField):
    """`idempotencyKey`, which the fingerprint of the body leaves out."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            allow_null=True,
            write_only=True,
            help_text="Alternative to the header Idempotency-Key.",
        )


class TextOrNull(serializers.CharField):
    """A text of the model. Null if it is empty."""

    def __init__(self, *, source: str | None = None, help_text: str | None = None) -> None:
        super().__init__(source=source, read_only=True, allow_null=True, help_text=help_text)

    def to_representation(self, value: str) -> str | None:  # type: ignore[override]
        return value or None


class OutgoingViewSet(ApiViewSet):
    """Create, list and retrieve. A product's own methods carry the documentation."""

    product: ClassVar[Product[Any]]
    request_serializer: ClassVar[SerializerClass]
    response_serializer: ClassVar[SerializerClass]
    # A dataclass with the fields of `request_serializer`.
    input_type: ClassVar[type]
    query_serializer: ClassVar[type[query.PageQuery]] = PaymentQuery
    # The service that creates a payment: `(request, *, now)` -> the payment, and whether it was
    # replayed.
    create_payment: ClassVar[Callable[..., tuple[OutgoingPayment, bool]]]

    def create_from(self, request: Request) -> EnvelopeResponse:
        key = idempotency.read_key(request, required=True, body_field="idempotencyKey")
        fields = self.read_body(self.request_serializer, request)
        fields.pop("idempotencyKey", None)
        wanted = PaymentRequest(
            merchant=merchant_of(request),
            requester=key_of(request),
            idempotency_key=key or "",
            wanted=self.input_type(**fields),
        )
        created = type(self).create_payment(wanted, now=clock.now())
        return self.answer_created(self.response_serializer, created)

    def list_page(self, request: Request) -> EnvelopeResponse:
        filters = validate(self.query_serializer, request.query_params)
        page = lookup.list_payments(
            self.product,
            merchant=merchant_of(request),
            limit=filters.pop("limit"),
            offset=filters.pop("offset"),
            filters=lookup.PaymentFilters(**filters),
        )
        return self.answer_page(self.response_serializer, page)

    def retrieve_one(self, request: Request, payment_id: str) -> EnvelopeResponse:
        merchant = merchant_of(request)
        found = lookup.find_payment(self.product, merchant=merchant, payment_id=payment_id)
        return self.answer(serialize(self.response_serializer, found))
