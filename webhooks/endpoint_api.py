"""Webhook endpoints: /webhook-endpoints and /webhook-endpoints/{id} (docs/gaps.md, Webhooks)."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from merchants.authentication import merchant_of
from merchants.models import Permission
from merchants.permissions import KeyPermission, key_of
from payments.api import idempotency, openapi, query
from payments.api.envelope import EnvelopeResponse
from payments.api.fields import (
    ChoiceField,
    StrictBooleanField,
    TextField,
    TimestampField,
    WholeNumberField,
)
from payments.api.serializing import serialize, validate
from payments.api.timestamps import InputTimestamp
from payments.api.views import ApiViewSet
from payments.core import clock
from webhooks import endpoint_requests, endpoints, services
from webhooks.endpoint_models import EarlierSecret
from webhooks.endpoints import Destination
from webhooks.models import Delivery

SIGNATURES = [("OLD", "OLD"), ("NEW", "NEW")]
URL_HELP = "https (or http, which others can read), with a public address."
EVENTS_HELP = "The kinds of events that it gets. For the account's own: with those always sent."


class EventsField(serializers.ListField):
    """Kinds of events. `checked_kinds` refuses what the catalogue does not have."""

    child = TextField(max_length=60)


def _url(**more: Any) -> TextField:
    return TextField(max_length=2000, trim_whitespace=False, help_text=URL_HELP, **more)


class WebhookEndpointCreate(serializers.Serializer[Destination]):
    """Body of POST /webhook-endpoints."""

    url = _url()
    events = EventsField(source="kinds", help_text=EVENTS_HELP)
    description = TextField(max_length=200, default="", allow_blank=True)
    enabled = StrictBooleanField(
        source="is_enabled",
        default=True,
        help_text="While it is false, no new events go there, and what is on its way waits.",
    )


class WebhookEndpointUpdate(serializers.Serializer[Destination]):
    """Body of PATCH /webhook-endpoints/{id}. What is left out stays."""

    url = TextField(
        max_length=2000,
        trim_whitespace=False,
        required=False,
        allow_null=True,
        help_text=f"{URL_HELP} Null only for the account's own: then its events wait.",
    )
    events = EventsField(source="kinds", required=False, help_text=EVENTS_HELP)
    description = TextField(max_length=200, required=False, allow_blank=True)
    enabled = StrictBooleanField(source="is_enabled", required=False)


class WebhookEndpointRotation(serializers.Serializer[EarlierSecret]):
    """Two secrets are valid."""

    until = TimestampField(help_text="Until then webhook-signature has two values, new and old.")
    contractSignature = ChoiceField(
        choices=SIGNATURES,
        component="WebhookSignatureSecret",
        source="contract_signature",
        help_text="Which secret signs X-Service-Signature until then.",
    )


class WebhookEndpointDetail(serializers.Serializer[Destination]):
    """A webhook endpoint."""

    id = serializers.CharField(help_text="Begins with whe_.")
    url = serializers.CharField(
        allow_null=True, help_text="Null: the account has no webhook URL yet."
    )
    events = serializers.ListField(
        child=serializers.CharField(), source="kinds", help_text=EVENTS_HELP
    )
    description = serializers.CharField()
    enabled = serializers.BooleanField(
        source="is_enabled", help_text="Whether new events go there."
    )
    account = serializers.BooleanField(
        source="is_account",
        help_text="True for the webhook URL of the account: it cannot be deleted or switched off.",
    )
    rotation = WebhookEndpointRotation(
        source="overlap", allow_null=True, help_text="Null: one secret is valid."
    )
    createdAt = TimestampField(source="created_at")
    updatedAt = TimestampField(source="updated_at")


class WebhookEndpointWithSecret(WebhookEndpointDetail):
    """A webhook endpoint with its new secret."""

    secret = serializers.CharField(
        allow_null=True,
        help_text="whsec_ and base64. It is shown here and never again: keep it on your server. "
        "Null when the request is repeated with its key after more than 24 hours.",
    )


class WebhookEndpointDeletion(serializers.Serializer[Destination]):
    """What DELETE /webhook-endpoints/{id} returns."""

    id = serializers.CharField()
    deleted = serializers.BooleanField(help_text="Always true.")


class WebhookSecretRotate(serializers.Serializer[Destination]):
    """Body of POST /webhook-endpoints/{id}/rotate-secret."""

    overlapHours = WholeNumberField(
        source="overlap_hours",
        min_value=0,
        max_value=endpoint_requests.OVERLAP_HOURS_MAX,
        default=endpoint_requests.OVERLAP_HOURS,
        help_text="How long the old secret is valid, too. 0: not at all.",
    )
    contractSignature = ChoiceField(
        choices=SIGNATURES,
        component="WebhookSignatureSecret",
        source="contract_signature",
        default="OLD",
        help_text="Which secret signs X-Service-Signature during the overlap; then the new one.",
    )


class WebhookResend(serializers.Serializer[Destination]):
    """Body of POST /webhook-endpoints/{id}/resend: `eventId`, or `from` and `to`."""

    eventId = TextField(source="event_id", max_length=40, required=False, help_text="One event.")
    from_ = InputTimestamp(
        source="first", required=False, help_text="Events since then, this moment included."
    )
    to = InputTimestamp(
        source="last", required=False, help_text="Until then, not included. At most 31 days."
    )
    onlyMissing = StrictBooleanField(
        source="only_missing",
        default=True,
        help_text="Of a range only what the endpoint was never sent, or what has failed for good.",
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        """A field whose name is a keyword of Python is declared with `_` at its end: `from_`."""
        return {name.rstrip("_"): field for name, field in super().get_fields().items()}


class WebhookResendResult(serializers.Serializer[Destination]):
    """What is sent again."""

    id = serializers.CharField(help_text="Of the endpoint.")
    events = serializers.IntegerField(help_text="How many events are on their way again.")


class WebhookTestResult(serializers.Serializer[Delivery]):
    """The test event that is on its way."""

    id = serializers.CharField(help_text="Of the endpoint.")
    eventId = serializers.CharField(help_text="As in the header webhook-id.")


class ManagesEndpoints(KeyPermission):
    """Reads need no permission."""

    permission = Permission.WEBHOOK_MANAGE
    actions = frozenset({"create", "change", "destroy", "rotate", "test", "resend"})


@openapi.describe(tags=["Webhook endpoints"])
class EndpointViewSet(ApiViewSet):
    """/webhook-endpoints."""

    http_method_names = ["get", "post", "patch", "delete", "head"]
    permission_classes = [*ApiViewSet.permission_classes, ManagesEndpoints]

    @openapi.creates("createWebhookEndpoint", WebhookEndpointCreate, WebhookEndpointWithSecret)
    def create(self, request: Request) -> EnvelopeResponse:
        """Create a webhook endpoint.

        From now on each event of the kinds in `events` is sent there, too, signed with the secret
        of this endpoint. A merchant has at most 16, the one of the account included. The key needs
        the permission webhook:manage.
        """
        key = idempotency.read_key(request, required=False)
        body = self.read_body(WebhookEndpointCreate, request)
        created = endpoints.create_endpoint(
            merchant=merchant_of(request),
            new=endpoints.NewEndpoint(**body),
            actor=key_of(request).pk,
            now=clock.now(),
            idempotency_key=key,
        )
        return self._answer_with_secret(created)

    @openapi.lists("listWebhookEndpoints", query.PageQuery, WebhookEndpointDetail)
    def list(self, request: Request) -> EnvelopeResponse:
        """List the webhook endpoints.

        First the one of the account, then the others in the order of their creation. No secret is
        among them.
        """
        page = validate(query.PageQuery, request.query_params)
        found = endpoints.list_destinations(merchant=merchant_of(request))
        start, end = page["offset"], page["offset"] + page["limit"]
        shown = endpoints.with_overlaps(found[start:end], now=clock.now())
        return self.answer_page(WebhookEndpointDetail, (shown, len(found)))

    @openapi.describe(operation_id="getWebhookEndpoint", responses=WebhookEndpointDetail)
    def retrieve(self, request: Request, endpoint_id: str) -> EnvelopeResponse:
        """Read one webhook endpoint.

        Its secret is shown only when it is made: by creating the endpoint, or by a rotation.
        """
        return self._answer(self._find(request, endpoint_id))

    @openapi.describe(
        operation_id="updateWebhookEndpoint",
        request=WebhookEndpointUpdate,
        responses=WebhookEndpointDetail,
    )
    def change(self, request: Request, endpoint_id: str) -> EnvelopeResponse:
        """Change a webhook endpoint, or switch it on or off.

        Deliveries that are on their way go to the new URL. While an endpoint is off they wait;
        events that happen then are not sent there later. The key needs the permission
        webhook:manage.
        """
        destination = self._find(request, endpoint_id)
        body = self.read_body(WebhookEndpointUpdate, request)
        changed = endpoints.change_destination(
            destination=destination, actor=key_of(request).pk, now=clock.now(), **_filled(body)
        )
        return self._answer(changed)

    @openapi.describe(
        operation_id="deleteWebhookEndpoint", responses={200: WebhookEndpointDeletion}
    )
    def destroy(self, request: Request, endpoint_id: str) -> EnvelopeResponse:
        """Delete a webhook endpoint.

        What is on its way to it is not sent any more. The endpoint of the account cannot be
        deleted. The same request again succeeds, too. The key needs the permission webhook:manage.
        """
        destination = endpoints.find_destination(
            merchant=merchant_of(request), endpoint_id=endpoint_id, or_deleted=True
        )
        endpoints.delete_endpoint(
            destination=destination, actor=key_of(request).pk, now=clock.now()
        )
        return self.answer({"id": destination.id, "deleted": True})

    @openapi.creates("rotateWebhookEndpointSecret", WebhookSecretRotate, WebhookEndpointWithSecret)
    def rotate(self, request: Request, endpoint_id: str) -> EnvelopeResponse:
        """Give a webhook endpoint a new secret.

        During the overlap webhook-signature has two values, made with the new secret and with the
        old one: a library of Standard Webhooks accepts either. X-Service-Signature has room for
        one, which `contractSignature` chooses. Another rotation ends the overlap of the one before.
        The key needs the permission webhook:manage.
        """
        key = idempotency.read_key(request, required=False)
        destination = self._find(request, endpoint_id)
        body = self.read_body(WebhookSecretRotate, request)
        rotated = endpoint_requests.rotate_secret(
            destination=destination,
            rotation=endpoint_requests.Rotation(
                overlap_hours=body["overlap_hours"],
                is_earlier_for_contract=body["contract_signature"] == "OLD",
            ),
            actor=key_of(request).pk,
            now=clock.now(),
            idempotency_key=key,
        )
        return self._answer_with_secret(rotated)

    @openapi.describe(
        operation_id="testWebhookEndpoint", request=None, responses={201: WebhookTestResult}
    )
    def test(self, request: Request, endpoint_id: str) -> EnvelopeResponse:
        """Send a test event to a webhook endpoint.

        It is webhook.test, signed and retried like every event, whatever kinds the endpoint takes.
        The key needs the permission webhook:manage.
        """
        destination = self._find(request, endpoint_id)
        sent = services.send_test_event(
            merchant=destination.merchant,
            endpoint=destination.endpoint,
            actor=key_of(request).pk,
            now=clock.now(),
        )
        return self.answer({"id": destination.id, "eventId": sent.event_id}, status=201)

    @openapi.creates("resendWebhookEvents", WebhookResend, WebhookResendResult)
    def resend(self, request: Request, endpoint_id: str) -> EnvelopeResponse:
        """Send events to a webhook endpoint again.

        One event, or those of a range that the endpoint takes, at most 500 in 31 days. Each has the
        same body and event id as before, in a new delivery with attempts of its own. A new endpoint
        gets events from before its creation in this way. The key needs the permission
        webhook:manage.
        """
        key = idempotency.read_key(request, required=False)
        destination = self._find(request, endpoint_id)
        body = self.read_body(WebhookResend, request)
        done = endpoint_requests.resend(
            destination=destination,
            chosen=endpoint_requests.Resend(**body),
            actor=key_of(request).pk,
            now=clock.now(),
            idempotency_key=key,
        )
        return self.answer_created(WebhookResendResult, done)

    def _answer(self, destination: Destination) -> EnvelopeResponse:
        (shown,) = endpoints.with_overlaps([destination], now=clock.now())
        return self.answer(serialize(WebhookEndpointDetail, shown))

    def _answer_with_secret(self, created: tuple[Destination, bool]) -> EnvelopeResponse:
        destination, is_replayed = created
        (shown,) = endpoints.with_overlaps([destination], now=clock.now())
        return self.answer_created(WebhookEndpointWithSecret, (shown, is_replayed))

    @staticmethod
    def _find(request: Request, endpoint_id: str) -> Destination:
        return endpoints.find_destination(merchant=merchant_of(request), endpoint_id=endpoint_id)


def _filled(body: dict[str, Any]) -> Any:
    """The URL of the account is empty when there is none."""
    return {name: "" if value is None else value for name, value in body.items()}
