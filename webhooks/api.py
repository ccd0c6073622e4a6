"""GET /events (docs/gaps.md, Webhooks): an addition to the contract."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from merchants.authentication import merchant_of
from payments.api import openapi, query
from payments.api.envelope import EnvelopeResponse
from payments.api.serializing import serialize_many, validate
from payments.api.views import ApiViewSet
from webhooks import feed


@extend_schema_field({"type": "string", "format": "date-time"})
class _Timestamp(serializers.CharField):
    """It is stored as text."""


class EventDetail(serializers.Serializer[feed.FeedItem]):
    """An event with its place in the merchant's sequence."""

    sequence = serializers.IntegerField(
        help_text="Place in your sequence of events: 1, 2, 3 and so on, without gaps."
    )
    id = serializers.CharField(help_text="Id of the event, as in the webhook's header webhook-id.")
    event = serializers.CharField(
        help_text="Kind of the event. The kind decides which fields `data` has. Ignore a kind that "
        "you do not know: more may be added."
    )
    data = serializers.DictField(help_text="The same fields as in the webhook of this kind.")  # type: ignore[assignment]
    timestamp = _Timestamp(help_text="When it happened, in UTC, as in the webhook.")


class EventQuery(query.QuerySerializer):
    """Parameters of GET /events."""

    after = query.Parameter(
        help_text="Id of the last event that you have; without it, from the first."
    )
    limit = query.LimitParameter()


@openapi.describe(tags=["Events"])
class EventViewSet(ApiViewSet):
    """/events."""

    @openapi.describe(
        operation_id="listEvents", parameters=[EventQuery], responses=EventDetail(many=True)
    )
    def list(self, request: Request) -> EnvelopeResponse:
        """List events in the order of their sequence, oldest first.

        Ask with the id of the last one that you have. No event is ever skipped: one that is
        recorded late comes later in the sequence. Fewer than `limit` means that there are no more
        at present.
        """
        page = validate(EventQuery, request.query_params)
        rows = feed.read(merchant_id=merchant_of(request).pk, **page)
        return self.answer(serialize_many(EventDetail, rows))
