"""Authentication by two headers (contract, Authentication).

One query reads the key with its merchant. An unknown key takes as long as a wrong secret.
"""

import hmac
from collections.abc import Callable
from typing import cast

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from merchants.models import ApiKey, Merchant, hash_secret
from payments.api import limits
from payments.core.compiled_queries import CompiledQuery
from payments.core.errors import ServiceError

_NO_HASH = bytes(32)
# Without the webhook secret, because its decryption takes time.
_BY_PUBLIC_KEY = CompiledQuery(
    lambda public_key: (
        ApiKey.objects.select_related("merchant")
        .defer("merchant__webhook_secret")
        .filter(public_key=public_key)
    )
)


class Unauthorized(ServiceError):
    """401. Each subclass has a code of the contract."""

    status = 401


class MissingCredentials(Unauthorized):
    code = "MISSING_CREDENTIALS"
    message = "Send your credentials in the headers X-Api-Key and X-Api-Secret."


class InvalidCredentials(Unauthorized):
    code = "INVALID_CREDENTIALS"
    message = "The API key or its secret is not valid."


class InvalidApiKey(Unauthorized):
    """The key is unknown or revoked, on POST /collect (docs/gaps.md, 401)."""

    code = "INVALID_API_KEY"
    message = "The API key is not valid."


class MerchantNotActive(Unauthorized):
    code = "MERCHANT_NOT_ACTIVE"
    message = "The merchant account is not active."


def merchant_of(request: Request) -> Merchant:
    """DRF's user is our merchant."""
    return cast(Merchant, request.user)


def key_of(request: Request) -> ApiKey:
    """The key of the credentials."""
    return cast(ApiKey, request.auth)


class ApiKeyAuthentication(BaseAuthentication):
    """Sets `request.user` to the merchant and `request.auth` to the key.

    A view may name the error for an unknown or revoked key in `unknown_key_error`. A view with
    `find_key` reads the key itself, with what it needs besides, in one statement.
    """

    def authenticate(self, request: Request) -> tuple[Merchant, ApiKey]:
        # Not `request.headers`, which makes a dictionary of all headers.
        public_key = request.META.get("HTTP_X_API_KEY", "").strip()
        secret = request.META.get("HTTP_X_API_SECRET", "").strip()
        if not public_key or not secret:
            raise MissingCredentials
        try:
            return self._identify(request, public_key, secret)
        except (InvalidCredentials, InvalidApiKey):
            limits.count_failed_credentials(request)
            raise

    def _identify(self, request: Request, public_key: str, secret: str) -> tuple[Merchant, ApiKey]:
        view = request.parser_context["view"]
        key = _find(public_key, getattr(view, "find_key", find_key))
        matches = hmac.compare_digest(
            hash_secret(secret), bytes(key.secret_hash) if key else _NO_HASH
        )
        if key is None or key.revoked_at is not None:
            raise getattr(view, "unknown_key_error", InvalidCredentials)
        if not matches:
            raise InvalidCredentials
        if not key.merchant.is_active:
            raise MerchantNotActive
        return key.merchant, key


def find_key(public_key: str) -> ApiKey | None:
    """With its merchant."""
    return _BY_PUBLIC_KEY.first(public_key=public_key)


def _find(public_key: str, find: Callable[[str], ApiKey | None]) -> ApiKey | None:
    # Keys are ASCII, and PostgreSQL refuses NUL.
    if not public_key.isascii() or "\x00" in public_key:
        return None
    return find(public_key)
