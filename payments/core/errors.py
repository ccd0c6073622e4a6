"""Errors that a client may see. Services raise them; `payments.api.errors` renders the envelope."""

from collections.abc import Mapping
from typing import Any, ClassVar


class ServiceError(Exception):
    """A refusal with a machine-readable code (contract, Errors).

    Subclasses are declared beside the service that raises them and set `status` and `code`.
    `details` is shown to the client; `headers` are added to the response.
    """

    status: ClassVar[int] = 400
    code: ClassVar[str] = "VALIDATION_ERROR"
    message: str = "The request is not valid."

    def __init__(
        self,
        message: str | None = None,
        *,
        details: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message or self.message)
        self.message = message or self.message
        self.details = dict(details or {})
        self.headers = dict(headers or {})


class ValidationFailed(ServiceError):
    """400 VALIDATION_ERROR. `errors` maps camelCase paths to messages, in the order of the request.

    `details.field` names the first, `details.fields` all of them (docs/gaps.md).
    """

    def __init__(self, errors: Mapping[str, str], **details: Any) -> None:
        field, message = next(iter(errors.items()))
        super().__init__(
            f"{field}: {message}" if field else message,
            details={**({"field": field, "fields": dict(errors)} if field else {}), **details},
        )


class NotFound(ServiceError):
    """404 NOT_FOUND: absent, malformed and another merchant's look the same."""

    status = 404
    code = "NOT_FOUND"
    message = "Not found."


class Unavailable(ServiceError):
    """503: something we depend on is away for a moment."""

    status = 503
    code = "SERVICE_UNAVAILABLE"
    message = "The service is temporarily unavailable. Try again in a moment."

    def __init__(self, message: str | None = None, *, retry_after_seconds: int = 5) -> None:
        super().__init__(message, headers={"Retry-After": str(retry_after_seconds)})
