"""GET /events (docs/gaps.md, Webhooks): an addition to the contract."""

from typing import Any

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from merchants.authentication import merchant_of
from payments.api import openapi
from payments.api.envelope import Answer
from payments.api.pagination import Query
from payments.api.serializing import serialize_many
from payments.api.views import ApiViewSet
from webhooks import feed


@extend_schema_field(OpenApiTypes.OBJECT)
class _Data(serializers.JSONField):
    def to_representation(self, value: Any) -> Any:
        return value


class EventDetail(serializers.Serializer[Any]):
    """An event with its place in the merchant's sequence."""

    sequence = serializers.IntegerField(help_text="1, 2, 3 ... without gaps.")
    id = serializers.CharField(help_text="As in the header X-Service-Event-Id.")
    event = serializers.CharField(help_text="The kind, as in the webhook.")
    data = _Data(help_text="As in the webhook.")  # type: ignore[assignment]
    timestamp = serializers.CharField(help_text="As in the webhook.")


AFTER = OpenApiParameter(
    "after", str, description="Id of the last event that you have; without it, from the first."
)
(LIMIT,) = [parameter for parameter in openapi.PAGE if parameter.name == "limit"]


@extend_schema(tags=["Events"])
class EventViewSet(ApiViewSet):
    """/events."""

    @extend_schema(
        operation_id="listEvents",
        parameters=[AFTER, LIMIT],
        responses=EventDetail(many=True),
    )
    def list(self, request: Request) -> Answer:
        """List events in the order of their sequence, oldest first.

        Ask with the id of the last one that you have. No event is ever skipped: one that is
        recorded late comes later in the sequence. Fewer than `limit` means that there are no more
        at present.
        """
        query = Query(request.query_params)
        after = query.text("after")
        limit = query.whole(
            "limit", default=settings.PAGE_DEFAULT_LIMIT, low=1, high=settings.PAGE_MAX_LIMIT
        )
        query.check()
        rows = feed.read(merchant_id=merchant_of(request).pk, after=after, limit=limit)
        return self.answer(serialize_many(EventDetail, rows))
