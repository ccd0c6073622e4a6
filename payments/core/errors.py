"""Errors that a client may see. Services raise them; `payments.api.errors` renders the envelope."""

from collections.abc import Mapping
from typing import ClassVar

from django.utils.translation import gettext, override
from django.utils.translation import gettext_noop as _


class ServiceError(Exception):
    """A refusal with a machine-readable code (contract, Errors).

    Each subclass stands beside the service that raises it. API clients get `message`, in English.
    A text that people may see is marked with gettext_noop and gets its figures from `values`, so
    that `shown` can translate it.
    """

    status: ClassVar[int] = 400
    code: ClassVar[str] = "VALIDATION_ERROR"
    message: str = _("The request is not valid.")

    def __init__(
        self,
        message: str | None = None,
        *,
        values: Mapping[str, object] | None = None,
        details: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.sentence = message or self.message
        self.values = dict(values or {})
        with override("en"):  # amounts among the values
            self.message = self._with_values(self.sentence)
        super().__init__(self.message)
        self.details = dict(details or {})
        self.headers = dict(headers or {})

    def shown(self) -> str:
        """The message in the reader's language."""
        return self._with_values(gettext(self.sentence))

    def _with_values(self, sentence: str) -> str:
        return sentence % self.values if self.values else sentence


class ValidationFailed(ServiceError):
    """400 VALIDATION_ERROR. `errors` maps camelCase paths to messages, in the order of the request.

    `details.field` names the first, `details.fields` all of them (docs/gaps.md).
    """

    def __init__(self, errors: Mapping[str, str], **details: object) -> None:
        field, message = next(iter(errors.items()))
        super().__init__(
            f"{field}: {message}" if field else message,
            details={**({"field": field, "fields": dict(errors)} if field else {}), **details},
        )
        self.sentence = message  # Shown in forms, where a JSON path means nothing to the reader.


class NotAllowed(ServiceError):
    """400: the state of the record does not allow this, or this person may not do it."""

    code = "NOT_ALLOWED"
    message = _("The payment does not allow this now.")


class NotFound(ServiceError):
    """The same for an id that is absent, malformed or another merchant's."""

    status = 404
    code = "NOT_FOUND"
    message = _("Not found.")


class Unavailable(ServiceError):
    """A dependency is away."""

    status = 503
    code = "SERVICE_UNAVAILABLE"
    message = _("The service is temporarily unavailable. Try again in a moment.")

    def __init__(self, message: str | None = None, *, retry_after_seconds: int = 5) -> None:
        super().__init__(message, headers={"Retry-After": str(retry_after_seconds)})
