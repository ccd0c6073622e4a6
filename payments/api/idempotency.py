"""The idempotency key of a request and the fingerprint of its input.

Uniqueness is a constraint on the resource's row; nothing is stored here.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Protocol, TypeVar, cast

from django.db import IntegrityError
from rest_framework.request import Request

from payments.core import jsontext
from payments.core.errors import ServiceError, ValidationFailed

HEADER = "Idempotency-Key"
REPLAYED = {"Idempotent-Replayed": "true"}
MALFORMED = (
    "The header Idempotency-Key or this field must be 1 to 255 visible ASCII characters, no spaces."
)
_KEY = re.compile(r"[\x21-\x7e]{1,255}")


class IdempotencyKeyRequired(ServiceError):
    """The operation moves money and needs a key."""

    code = "IDEMPOTENCY_KEY_REQUIRED"
    message = "Send an idempotency key in the header Idempotency-Key."


class IdempotencyKeyReused(ServiceError):
    """The same key came before with another request."""

    code = "IDEMPOTENCY_KEY_REUSED"
    message = "This idempotency key was used before with a different request."


def read_key(request: Request, *, required: bool, body_field: str | None = None) -> str | None:
    """The key from the header or from `body_field`: 1 to 255 visible ASCII characters.

    Raises IdempotencyKeyRequired, and ValidationFailed for a malformed key or two different keys.
    """
    header = request.META.get("HTTP_IDEMPOTENCY_KEY")
    body = cast(Mapping[str, object], request.data)  # The parser refuses everything but objects.
    in_body = body.get(body_field) if body_field else None
    if header is not None and in_body is not None and header != in_body:
        raise ValidationFailed(
            {"idempotencyKey": "Must be the same as the header Idempotency-Key."}
        )
    key = header if header is not None else in_body
    if required and not key:
        raise IdempotencyKeyRequired
    if key is None:
        return None
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise ValidationFailed({"idempotencyKey": MALFORMED})
    return key


class Keyed(Protocol):
    """A row with the fingerprint of the request that created it."""

    fingerprint: bytes | memoryview


K = TypeVar("K", bound=Keyed)


def create_once(
    fingerprint: bytes, *, find: Callable[[], K | None], create: Callable[[], K]
) -> tuple[K, bool]:
    """Creates a row once for each idempotency key. Returns it and whether it existed already.

    `find` returns the row with the key, `create` inserts it under the unique constraint. Raises
    IdempotencyKeyReused if the row has another fingerprint.
    """
    if (known := find()) is None:
        try:
            return create(), False
        except (IntegrityError, ServiceError):
            # The first request with this key may have committed since then and caused the error. If
            # so, its row is the result.
            if (known := find()) is None:
                raise
    if bytes(known.fingerprint) != fingerprint:
        raise IdempotencyKeyReused
    return known, True


def fingerprint(data: Mapping[str, object]) -> bytes:
    """SHA-256 of the parsed input, so that spaces and the order of keys make no difference."""
    canonical = jsontext.dumps({name: _plain(data[name]) for name in sorted(data)})
    return hashlib.sha256(canonical.encode()).digest()


def _plain(value: object) -> object:
    return f"{value.normalize():f}" if isinstance(value, Decimal) else value
