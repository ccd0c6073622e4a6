"""What can go wrong. `APIError.of` chooses the class of an answer."""

from collections.abc import Mapping
from typing import Any


class PasarelaError(Exception):
    """The base of all errors of this package."""


class ConnectionFailed(PasarelaError):
    """No answer came. Whether the request was carried out is unknown.

    Send it again with the same `idempotency_key`, which is here.
    """

    def __init__(self, message: str, idempotency_key: str | None) -> None:
        super().__init__(message)
        self.idempotency_key = idempotency_key


class TimedOut(ConnectionFailed):
    """The answer did not come in time."""


class WebhookNotGenuine(PasarelaError):
    """A message without a valid signature, or an old one. Answer it with 400."""


class APIError(PasarelaError):
    """The service refused: `code` is for programs, `message` for people."""

    def __init__(
        self,
        status: int,
        error: Mapping[str, Any],
        *,
        request_id: str | None = None,
        retry_after: float | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        self.status = status
        self.code: str = str(error.get("code") or f"HTTP_{status}")
        self.message: str = str(
            error.get("message") or f"HTTP {status}: not an answer of the service."
        )
        self.details: dict[str, Any] = dict(error.get("details") or {})
        # The first field that is wrong, and all of them with what is wrong.
        self.field: str | None = self.details.get("field")
        self.fields: dict[str, str] = self.details.get("fields") or {}
        self.request_id = request_id
        self.retry_after = retry_after
        self.idempotency_key = idempotency_key
        super().__init__(f"{self.code}: {self.message}")

    @staticmethod
    def of(status: int) -> "type[APIError]":
        general = ServerError if status >= 500 else InvalidRequest if status >= 400 else APIError
        return _BY_STATUS.get(status) or general


class InvalidRequest(APIError):
    """Nothing was done: correct the request. `code` says which rule it broke."""


class AuthenticationFailed(APIError):
    """401: the keys are missing, wrong or revoked, or the account is switched off."""


class PermissionDenied(APIError):
    """403: the account does not have the product, or the key lacks the permission."""


class NotFound(APIError):
    """404: there is no such record in this account."""


class RateLimited(APIError):
    """429: too many requests. `retry_after` is in seconds."""


class ServerError(APIError):
    """5xx: send it again with the same `idempotency_key`; report `request_id`."""


class ServiceUnavailable(ServerError):
    """503: for the moment, if there is a `retry_after`; else a product that is not enabled."""


_BY_STATUS: dict[int, type[APIError]] = {
    401: AuthenticationFailed,
    403: PermissionDenied,
    404: NotFound,
    429: RateLimited,
    503: ServiceUnavailable,
}
