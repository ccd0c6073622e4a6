"""How the API describes itself: credential headers, the envelope, the errors of each operation."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers

ERROR_TEXTS = {
    "400": "VALIDATION_ERROR, or a refusal with a code of its own.",
    "401": "MISSING_CREDENTIALS, INVALID_CREDENTIALS, INVALID_API_KEY, MERCHANT_NOT_ACTIVE.",
    "404": "Absent, or another merchant's.",
    "415": "UNSUPPORTED_MEDIA_TYPE: only application/json.",
    "429": "RATE_LIMIT_EXCEEDED, with the X-RateLimit headers and Retry-After.",
    "503": "SERVICE_UNAVAILABLE, with Retry-After.",
}


class ApiKeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The two headers of contract, Authentication."""

    target_class = "merchants.authentication.ApiKeyAuthentication"
    name = ["apiKey", "apiSecret"]

    def get_security_definition(self, auto_schema: AutoSchema) -> list[dict[str, str]]:
        return [
            {"type": "apiKey", "in": "header", "name": header}
            for header in ("X-Api-Key", "X-Api-Secret")
        ]

    def get_security_requirement(self, auto_schema: AutoSchema) -> dict[str, list[str]]:
        return {"apiKey": [], "apiSecret": []}


class ErrorBody(serializers.Serializer[Any]):
    """error (contract, Errors)."""

    code = serializers.CharField()
    message = serializers.CharField()
    details = serializers.DictField(required=False)


class Failure(serializers.Serializer[Any]):
    """The envelope of every error."""

    success = serializers.BooleanField(default=False)
    error = ErrorBody()


class EnvelopeAutoSchema(AutoSchema):
    """Wraps every answer in the envelope and adds the errors that any operation may give."""

    def get_operation_id(self) -> str:
        parts = [part for part in self.path.strip("/").split("/") if not part.startswith("{")]
        return f"{self.view.action}_{'_'.join(parts[2:])}".replace("-", "_")

    def _get_response_bodies(self, direction: str = "response") -> dict[str, Any]:
        responses = super()._get_response_bodies(direction)
        for response in responses.values():
            for content in response.get("content", {}).values():
                content["schema"] = _enveloped(content["schema"])
        for status in self._error_statuses():
            responses[status] = self._get_response_for_code(
                OpenApiResponse(Failure, ERROR_TEXTS[status]), status
            )
        return responses

    def _error_statuses(self) -> list[str]:
        statuses = ["401", "429", "503"]
        if self.method == "POST":
            statuses += ["400", "415"]
        elif self.get_override_parameters():
            statuses += ["400"]
        if "{" in self.path:
            statuses += ["404"]
        return sorted(statuses)


def _enveloped(schema: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["success", "data"],
        "properties": {"success": {"type": "boolean", "const": True}, "data": schema},
    }
