"""Client of the Pasarela payments API."""

from . import codes, models, types, webhooks
from ._client import Pasarela
from ._version import __version__
from .errors import (
    APIError,
    AuthenticationFailed,
    ConnectionFailed,
    InvalidRequest,
    NotFound,
    PasarelaError,
    PermissionDenied,
    RateLimited,
    ServerError,
    ServiceUnavailable,
    TimedOut,
    WebhookNotGenuine,
)

__all__ = [
    "APIError",
    "AuthenticationFailed",
    "ConnectionFailed",
    "InvalidRequest",
    "NotFound",
    "Pasarela",
    "PasarelaError",
    "PermissionDenied",
    "RateLimited",
    "ServerError",
    "ServiceUnavailable",
    "TimedOut",
    "WebhookNotGenuine",
    "__version__",
    "codes",
    "models",
    "types",
    "webhooks",
]
