"""The `webhooks` of the OpenAPI document, from webhooks/catalogue.py."""

from collections.abc import Iterator, Mapping

from django.conf import settings
from django.utils.module_loading import import_string
from drf_spectacular.utils import (
    OpenApiResponse,
    OpenApiWebhook,
    extend_schema,
    extend_schema_field,
    inline_serializer,
)
from rest_framework import serializers

from payments.api.component_names import NamedAutoSchema
from payments.api.fields import TimestampField
from payments.api.reference.document import Document
from webhooks import catalogue

ACCEPTED = OpenApiResponse(description="Any 2xx within 10 seconds; everything else is tried again.")
PREFIX = settings.WEBHOOK_HEADER_PREFIX


def _header(
    name: str, schema: Mapping[str, object], text: str, required: bool = True
) -> dict[str, object]:
    about = {"name": name, "required": required, "schema": schema, "description": text}
    return {"in": "header", **about}


TEXT, COUNT = {"type": "string"}, {"type": "integer", "minimum": 1}
# As webhooks/signing.py makes them.
HEADERS = [
    _header(f"{PREFIX}Timestamp", COUNT, "When this attempt was made, Unix time in milliseconds."),
    _header(
        f"{PREFIX}Signature",
        {"type": "string", "pattern": "^sha256=[0-9a-f]{64}$"},
        "sha256= and the HMAC-SHA256 of timestamp, dot and raw body, in lower-case hexadecimal.",
    ),
    _header(f"{PREFIX}Event-Id", TEXT, "The event's id, the same on every attempt."),
    _header(
        f"{PREFIX}Attempt",
        {**COUNT, "maximum": len(settings.WEBHOOK_RETRY_DELAYS)},
        "Which attempt of the delivery it is.",
    ),
    _header("webhook-id", TEXT, "Standard Webhooks: the event's id.", required=False),
    _header("webhook-timestamp", COUNT, "Standard Webhooks: Unix time in seconds.", required=False),
    _header(
        "webhook-signature",
        {"type": "string", "pattern": "^v1,"},
        "Standard Webhooks: the signature of id, timestamp and body.",
        required=False,
    ),
]
TAG = "Webhooks"
TAG_TEXT = "What we POST to the webhook URL of the account: each event, signed."


def with_headers(result: Document, **_: object) -> Document:
    """Adds the headers and removes the credentials, which drf-spectacular cannot do."""
    for item in result.get("webhooks", {}).values():
        item["post"] |= {"parameters": HEADERS, "security": []}
    return result


def with_tag(result: Document, **_: object) -> Document:
    result.setdefault("tags", []).append({"name": TAG, "description": TAG_TEXT})
    return result


def with_feed(result: Document, **_: object) -> Document:
    """Makes the element of GET /events one of the events, told apart by `event`.

    It keeps properties of its own for generators that cannot choose by such a text, as that for
    PHP. Each choice has all of them, because other generators look at nothing beside the choice.
    """
    schemas = result["components"]["schemas"]
    element = schemas["FeedEvent"]
    choices = {}
    for kind in result["webhooks"]:
        sent = schemas[f"{_name(kind)}Event"]
        schemas[f"{_name(kind)}FeedEvent"] = {
            **sent,
            "properties": element["properties"] | sent["properties"],
            "required": element["required"],
        }
        choices[kind] = f"#/components/schemas/{_name(kind)}FeedEvent"
    element["oneOf"] = [{"$ref": reference} for reference in choices.values()]
    element["discriminator"] = {"propertyName": "event", "mapping": choices}
    return result


def webhook(event: catalogue.EventKind) -> OpenApiWebhook:
    is_optional = event.sent is catalogue.Sent.IF_ENABLED
    optional = " Sent if enabled for the account." if is_optional else ""
    described = extend_schema(
        operation_id=f"on{_name(event.kind)}",
        request=_message(event),
        responses={200: ACCEPTED},
        summary=event.summary,
        description=f"Verify the signature before you use it.{optional}",
        tags=[TAG],
    )

    def decorate(view: type) -> type:
        view.schema = NamedAutoSchema()  # type: ignore[attr-defined]  # without our envelope and errors
        decorated: type = described(view)
        return decorated

    return OpenApiWebhook(name=event.kind, decorator=decorate)


def _name(kind: str) -> str:
    return "".join(word.capitalize() for word in kind.replace("_", ".").split("."))


def _message(event: catalogue.EventKind) -> serializers.Serializer[object]:
    const = extend_schema_field({"type": "string", "const": event.kind})
    field = const(type("Kind", (serializers.CharField,), {}))
    fields = {
        "event": field(),
        "data": import_string(event.payload)(),
        "timestamp": TimestampField(),
    }
    message: serializers.Serializer[object]
    message = inline_serializer(f"{_name(event.kind)}Event", fields)
    return message


class _Webhooks:
    """Evaluated late, because drf-spectacular imports this module before the apps are loaded."""

    def __iter__(self) -> Iterator[OpenApiWebhook]:
        return map(webhook, catalogue.EVENTS)


WEBHOOKS = _Webhooks()
