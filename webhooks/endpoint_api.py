"""Webhook endpoints: /webhook-endpoints and /webhook-endpoints/{id} (docs/gaps.md, Webhooks)."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from merchants.authentication import merchant_of
from merchants.models import Permission
from merchants.permissions import KeyPermission, key_of
from payments.api import idempotency, openapi, query
from payments.api.envelope import EnvelopeResponse
from payments.api.fields import StrictBooleanField, TextField, TimestampField
from payments.api.serializing import serialize, validate
from payments.api.views import ApiViewSet
from payments.core import clock
from webhooks import endpoints
from webhooks.endpoints import Destination

URL_HELP = "https or http, with a public address."
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


class ManagesEndpoints(KeyPermission):
    """Reads need no permission."""

    permission = Permission.WEBHOOK_MANAGE
    actions = frozenset({"create", "change", "destroy"})


@extend_schema(tags=["Webhook endpoints"])
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
        return self.answer_created(WebhookEndpointWithSecret, created)

    @openapi.lists("listWebhookEndpoints", query.PageQuery, WebhookEndpointDetail)
    def list(self, request: Request) -> EnvelopeResponse:
        """List the webhook endpoints: the one of the account, then the oldest first.

        Secrets are not in it.
        """
        page = validate(query.PageQuery, request.query_params)
        found = endpoints.list_destinations(merchant=merchant_of(request))
        start, end = page["offset"], page["offset"] + page["limit"]
        return self.answer_page(WebhookEndpointDetail, (found[start:end], len(found)))

    @extend_schema(operation_id="getWebhookEndpoint", responses=WebhookEndpointDetail)
    def retrieve(self, request: Request, endpoint_id: str) -> EnvelopeResponse:
        """Read one webhook endpoint, without its secret.

        The secret is returned once, when the endpoint is created.
        """
        return self.answer(serialize(WebhookEndpointDetail, self._find(request, endpoint_id)))

    @extend_schema(
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
        return self.answer(serialize(WebhookEndpointDetail, changed))

    @extend_schema(operation_id="deleteWebhookEndpoint", responses={200: WebhookEndpointDeletion})
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

    @staticmethod
    def _find(request: Request, endpoint_id: str) -> Destination:
        return endpoints.find_destination(merchant=merchant_of(request), endpoint_id=endpoint_id)


def _filled(body: dict[str, Any]) -> Any:
    """The URL of the account is empty when there is none."""
    return {name: "" if value is None else value for name, value in body.items()}
