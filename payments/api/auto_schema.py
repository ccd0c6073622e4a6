"""What all operations share in the OpenAPI document: credentials, envelope, errors, headers.

Loaded when the document is made, and not before (openapi.py).
"""

from http import HTTPStatus
from importlib import import_module
from typing import Any

from django.conf import settings
from drf_spectacular.extensions import (
    OpenApiAuthenticationExtension,
    OpenApiSerializerFieldExtension,
)
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import Direction, OpenApiResponse, extend_schema_field
from rest_framework import serializers

from payments.api import openapi
from payments.api.component_names import NamedAutoSchema, component_name
from payments.api.envelope import JSON
from payments.api.fields import AmountField, EmailField
from payments.api.query import Parameter

Schema = dict[str, Any]

# The codes are added to them (payments/api/reference/operation_errors.py).
ERROR_TEXTS = {
    "400": "The request is wrong, or cannot be done in the present state.",
    "401": "The API key is missing, wrong or revoked, or the account is not active.",
    "403": "The product is not enabled for the account, or the key lacks the permission.",
    "404": "There is no such resource. Other merchants' resources are 404 as well.",
    "408": "The body did not arrive within 10 seconds. Nothing was done.",
    "413": "The body is larger than 64 KB.",
    "415": "The body must be sent as application/json.",
    "429": "Too many requests. Wait for the seconds in Retry-After.",
    "500": "Something went wrong on our side. Quote details.requestId to support.",
    "503": "Not available now. If there is a Retry-After, send it again after that time.",
}


def _header(description: str, kind: str = "string", **more: object) -> Schema:
    return {"description": description, "schema": {"type": kind}, **more}


REQUEST_ID = {
    "X-Request-Id": _header(
        "Id of this request in our logs. Send your own and we use it; quote it to support.",
        required=True,
    )
}
# Not required: they are missing while Redis is away.
RATE_LIMIT = {
    "X-RateLimit-Limit": _header("Requests per window.", "integer"),
    "X-RateLimit-Remaining": _header("Requests left in this window.", "integer"),
    "X-RateLimit-Reset": _header("Unix time in seconds at which the window resets.", "integer"),
}
UNKNOWN_FIELDS = {
    "X-Unknown-Fields": _header(
        "Fields of the request that we do not know and have ignored, separated by commas."
    )
}
RETRY_AFTER = {"Retry-After": _header("Seconds to wait.", "integer")}


class DescribedGenerator(SchemaGenerator):
    """Knows what the views have said (openapi.py)."""

    def get_schema(self, *arguments: Any, **options: Any) -> Schema:
        import_module(settings.ROOT_URLCONF)  # so that every view has described itself
        openapi.hand_over()
        schema: Schema = super().get_schema(*arguments, **options)
        return schema


class ApiKeyScheme(OpenApiAuthenticationExtension):
    target_class = "merchants.authentication.ApiKeyAuthentication"
    name = ["apiKey", "apiSecret"]

    def get_security_definition(self, auto_schema: AutoSchema) -> list[dict[str, str]]:
        return [
            {"type": "apiKey", "in": "header", "name": header}
            for header in ("X-Api-Key", "X-Api-Secret")
        ]

    def get_security_requirement(self, auto_schema: AutoSchema) -> dict[str, list[str]]:
        return {"apiKey": [], "apiSecret": []}


class ParameterSchema(OpenApiSerializerFieldExtension):
    target_class = Parameter
    match_subclasses = True

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> Schema:
        return dict(self.target.schema)


class ChoiceSchema(OpenApiSerializerFieldExtension):
    """A closed list under its own name, so that clients get one type for it."""

    target_class = "payments.api.fields.ChoiceField"

    def get_name(self) -> str:
        return component_name(str(self.target.component))

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> Schema:
        return {"type": "string", "enum": [str(choice) for choice in self.target.choices]}


class AmountSchema(OpenApiSerializerFieldExtension):
    target_class = AmountField
    match_subclasses = True

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> Schema:
        schema: Schema = {"type": "number"}
        if direction == "request":
            schema["maximum"] = settings.MAX_AMOUNT
            if self.target.minimum is not None:
                schema["minimum"] = self.target.minimum
            if self.target.must_be_positive:
                schema["exclusiveMinimum"] = 0
        return schema


class EmailSchema(OpenApiSerializerFieldExtension):
    target_class = EmailField

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> Schema:
        return {"type": "string", "format": "email", "maxLength": self.target.max_length}


@extend_schema_field(
    {
        "type": "object",
        "properties": {
            "field": {"type": "string", "description": "The first offending field, as a path."},
            "fields": {
                "type": "object",
                "additionalProperties": {"type": "string"},
                "description": "Every offending field with what is wrong with it.",
            },
        },
        "additionalProperties": True,
    }
)
class _Details(serializers.DictField):
    pass


class ErrorBody(serializers.Serializer[object]):
    """What went wrong."""

    code = serializers.CharField()
    message = serializers.CharField()
    details = _Details(required=False)


class Failure(serializers.Serializer[object]):
    """The envelope of every error."""

    success = serializers.BooleanField(help_text="Always false.")
    error = ErrorBody()


class EnvelopeAutoSchema(NamedAutoSchema):
    """Wraps every response in the envelope and adds the errors that any operation may return."""

    def get_summary(self) -> str:
        return str(super().get_description()).partition("\n")[0].rstrip(".")

    def get_description(self) -> str:  # type: ignore[override]
        return str(super().get_description()).partition("\n")[2].strip()

    def _get_response_bodies(self, direction: Direction = "response") -> Schema:
        responses = super()._get_response_bodies(direction)
        for status, response in responses.items():
            response["description"] = response["description"] or HTTPStatus(int(status)).phrase
            for media_type, content in response.get("content", {}).items():
                if media_type == JSON:  # a file is sent as it is
                    content["schema"] = self._named_envelope(content["schema"])
        for status in self._error_statuses():
            responses[status] = self._get_response_for_code(
                OpenApiResponse(Failure, ERROR_TEXTS[status]), status
            )
        return dict(sorted(responses.items()))

    def _named_envelope(self, data: Schema) -> Schema:
        """A component, because generators make odd names for the type of a schema without one."""
        target = data.get("$ref") or data.get("items", {}).get("$ref", "")
        payload = target.rpartition("/")[2] + ("List" if "items" in data else "")
        name = f"{payload or _capitalised(self.get_operation_id())}Response"
        component = ResolvedComponent(
            name, ResolvedComponent.SCHEMA, schema=_enveloped(data), object=name
        )
        self.registry.register_on_missing(component)
        reference: Schema = component.ref
        return reference

    def _get_response_headers_for_code(
        self, status_code: str, direction: Direction = "response"
    ) -> Schema:
        headers = {**REQUEST_ID, **super()._get_response_headers_for_code(status_code, direction)}
        if status_code not in ("401", "408", "413"):  # these come before the request is counted
            headers |= RATE_LIMIT
            if self.method in ("POST", "PATCH") and status_code not in ("429", "415"):
                headers |= UNKNOWN_FIELDS
        if status_code == "429":
            headers |= {"Retry-After": {**RETRY_AFTER["Retry-After"], "required": True}}
        if status_code == "503":  # a 503 has no Retry-After if waiting does not help
            headers |= RETRY_AFTER
        return headers

    def _error_statuses(self) -> list[str]:
        statuses = ["400", "401", "429", "500", "503"]  # 400: an unknown parameter, at least
        if self.method in ("POST", "PATCH"):
            statuses += ["408", "413", "415"]
        if "{" in self.path:
            statuses += ["404"]
        # More than being authenticated. Most refuse with 403; the contract wants 503 of some.
        for permission in self.view.permission_classes[1:]:
            refusal = getattr(permission, "refusal", None)
            statuses.append(str(refusal.status) if refusal else "403")
        return statuses


def _capitalised(name: str) -> str:
    return name[:1].upper() + name[1:]


def _enveloped(schema: Schema) -> Schema:
    # No `const` for `success`: clients of openapi-generator would refuse every response.
    return {
        "type": "object",
        "required": ["success", "data"],
        "properties": {
            "success": {"type": "boolean", "description": "Always true."},
            "data": schema,
        },
    }
