"""GET /events (docs/gaps.md, Webhooks): an addition to the contract."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from merchants.authentication import merchant_of
from payments.api import query
from payments.api.envelope import EnvelopeResponse
from payments.api.serializing import serialize_many, validate
from payments.api.views import ApiViewSet
from webhooks import feed


class EventDetail(serializers.Serializer[feed.FeedItem]):
    """An event with its place in the merchant's sequence."""

    sequence = serializers.IntegerField(help_text="1, 2, 3 ... without gaps.")
    id = serializers.CharField(help_text="As in the header X-Service-Event-Id.")
    event = serializers.CharField(help_text="The kind, as in the webhook.")
    data = serializers.DictField(help_text="As in the webhook.")  # type: ignore[assignment]
    timestamp = serializers.CharField(help_text="As in the webhook.")


class EventQuery(query.QuerySerializer):
    """Parameters of GET /events."""

    after = query.Parameter(
        help_text="Id of the last event that you have; without it, from the first."
    )
    limit = query.LimitParameter()


@extend_schema(tags=["Events"])
class EventViewSet(ApiViewSet):
    """/events."""

    @extend_schema(
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
