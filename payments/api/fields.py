"""Serializer fields without DRF's coercion: "1000", true and 60.9 are not whole numbers."""

import re
from base64 import b64decode
from contextlib import suppress
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError as DjangoValidationError
from django.core.validators import validate_email
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import empty

from payments.core import clock, jsontext, money
from payments.core.text import normalised_document

# C0 and C1 controls, and lone surrogates, which JSON can contain and UTF-8 cannot.
_FORBIDDEN_TEXT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_NOT_STORABLE = re.compile("[\x00\ud800-\udfff]")
MAX_URL_LENGTH = 2000
BROWSER_URL = r"^(https://|http://(localhost|127\.0\.0\.1)([:/?#]|$))"
_LOCAL = re.compile(r"http://(localhost|127\.0\.0\.1)(?=[:/?#]|\Z)")


def is_plain_text(value: str) -> bool:
    """Whether it has no control characters, NUL or lone surrogates."""
    return not _FORBIDDEN_TEXT.search(value)


def check_text(value: str) -> str:
    if not is_plain_text(value):
        raise serializers.ValidationError("Must not contain control characters.")
    return value


class TextField(serializers.CharField):
    """A JSON string without control characters; spaces at the ends are trimmed."""

    default_error_messages = {"invalid": "Must be a string."}

    def to_internal_value(self, data: object) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(check_text(data))


class DocumentField(TextField):
    """A document's number or a bill's reference, kept as sent: at least one letter or digit."""

    def run_validation(self, data: object = empty) -> str:
        value: str = super().run_validation(data)
        if not normalised_document(value):
            raise serializers.ValidationError("Must contain letters or digits.")
        return value


class EmailField(TextField):
    """An e-mail address; CR, LF and a second @ are refused."""

    def to_internal_value(self, data: object) -> str:
        value = super().to_internal_value(data)
        try:
            validate_email(value)
        except DjangoValidationError as error:
            raise serializers.ValidationError("Must be a valid e-mail address.") from error
        return value


@extend_schema_field(
    {
        "type": "string",
        "format": "uri",
        "pattern": BROWSER_URL,
        "maxLength": MAX_URL_LENGTH,
    }
)
class HttpsUrlField(TextField):
    """An absolute HTTPS URL without credentials, for redirects of a payer's browser.

    In a sandbox also http on the developer's own machine.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=MAX_URL_LENGTH, trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: object) -> str:
        value = super().to_internal_value(data)
        if not is_browser_url(value):
            raise serializers.ValidationError(
                "Must be a valid HTTPS URL, as in https://shop.example/thanks."
            )
        return value


def is_browser_url(value: str) -> bool:
    """Whether a payer's browser may be led there."""
    if settings.SANDBOX and _LOCAL.match(value):
        return is_https_url(value.replace("http://", "https://", 1))
    return is_https_url(value)


_HOST = re.compile(r"[A-Za-z0-9](?:(?:[A-Za-z0-9-]|\.(?!\.))*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]")


def is_https_url(value: str) -> bool:
    """Stricter than the standards, because browsers and libraries parse some URLs differently."""
    if not value.startswith("https://") or re.search(r"[\s\\<>\"^`{|}]", value):
        return False
    try:
        parts = urlsplit(value)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    netloc_is_plain = "@" not in parts.netloc and "%" not in parts.netloc
    host = f"[{host}]" if ":" in host else host
    return netloc_is_plain and port != 0 and bool(_HOST.fullmatch(host))


@extend_schema_field({"type": "string", "format": "byte"})
class Base64Field(serializers.Field):
    """Bytes, as base64 without line breaks (RFC 4648)."""

    def to_internal_value(self, data: object) -> bytes:
        if isinstance(data, str):
            with suppress(ValueError):
                return b64decode(data, validate=True)
        raise serializers.ValidationError("Must be base64 (RFC 4648).")


class WholeNumberField(serializers.IntegerField):
    """A JSON integer: not a bool, not a string, not 60.9."""

    default_error_messages = {"invalid": "Must be a whole number."}

    def __init__(self, *, unit: str = "", **kwargs: Any) -> None:
        """`unit` is for messages about the limits."""
        self.unit = unit
        super().__init__(**kwargs)

    def to_internal_value(self, data: object) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return data


class ChoiceField(serializers.ChoiceField):
    """A JSON string of a closed list, whose name in the OpenAPI document is `component`."""

    # Without the value, because its characters may be impossible to encode.
    default_error_messages = {"invalid_choice": "Must be one of {choices}."}

    def __init__(self, *, component: str, **kwargs: Any) -> None:
        self.component = component
        super().__init__(**kwargs)

    def to_internal_value(self, data: object) -> str:
        if not isinstance(data, str) or data not in self.choices:
            self.fail("invalid_choice", choices=", ".join(self.choices))
        return data


class StrictBooleanField(serializers.BooleanField):
    """A JSON boolean, and no word or number for one."""

    def to_internal_value(self, data: object) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class AmountField(serializers.Field):
    """A JSON number, in requests and responses. `check_decimals` checks its decimals."""

    MAX_DIGITS = 40
    default_error_messages = {
        "invalid": "Must be a JSON number.",
        "digits": "Must have at most {most} digits.",
        "max": "Must be at most {max}.",
        "min": "Must be at least {min}.",
        "positive": "Must be more than zero.",
    }

    def __init__(
        self,
        *,
        minimum: Decimal | None = None,
        must_be_positive: bool = False,
        unit: str = "",
        **kwargs: Any,
    ) -> None:
        """`unit` is for messages, where the currency does not depend on another field."""
        self.minimum = minimum
        self.unit = unit
        self.must_be_positive = must_be_positive
        super().__init__(**kwargs)

    def to_internal_value(self, data: object) -> Decimal:
        if isinstance(data, bool) or not isinstance(data, int | Decimal):
            self.fail("invalid")
        amount = Decimal(data)
        # Before any arithmetic, so that 1e400 does not become a long number.
        if not amount.is_finite() or amount.adjusted() > 15 or amount > settings.MAX_AMOUNT:
            self.fail("max", max=self._spoken(settings.MAX_AMOUNT))
        # Zeros at the end count as digits. PostgreSQL accepts at most 16,383 digits after the
        # point.
        if len(amount.as_tuple().digits) > self.MAX_DIGITS:
            self.fail("digits", most=self.MAX_DIGITS)
        if self.minimum is not None and amount < self.minimum:
            self.fail("min", min=self._spoken(self.minimum))
        if self.must_be_positive and amount <= 0:
            self.fail("positive")
        return amount

    def _spoken(self, limit: Decimal) -> str:
        return f"{money.grouped(money.text(limit))} {self.unit}".rstrip()

    to_representation: Any = staticmethod(money.number)


def name_currency(detail: Any, currency: object) -> Any:
    """Adds the currency to what a field says about the limits of `amount`.

    For a body whose currency is another field, which the field `amount` cannot see.
    """
    messages = detail.get("amount") if isinstance(detail, dict) else None
    if messages and messages[0].code in ("min", "max") and currency in settings.CURRENCIES:
        return {**detail, "amount": [f"{messages[0].removesuffix('.')} {currency}."]}
    return detail


def check_decimals(amount: Decimal, currency: str) -> None:
    """Raises ValidationError if the amount has more decimals than requests may have."""
    allowed = money.input_decimals(currency)
    # Without normalize(), which rounds to 28 digits.
    _, digits, exponent = amount.as_tuple()
    zeros = len(digits) - len("".join(map(str, digits)).rstrip("0"))
    if isinstance(exponent, int) and -exponent - zeros > allowed:
        message = f"Must have at most {allowed} decimals in {currency}."
        raise serializers.ValidationError({"amount": message})


@extend_schema_field({"type": "string", "format": "date-time"})
class TimestampField(serializers.Field):
    """ISO 8601 in UTC with milliseconds and Z. Output only."""

    to_representation: Any = staticmethod(clock.iso)


@extend_schema_field({"type": "object", "additionalProperties": True})
class MetadataField(serializers.Field):
    """Any JSON object of at most 1 KB as compact UTF-8 and 20 levels.

    It is stored as text, which keeps the order of the keys and all digits of the numbers.
    """

    MAX_BYTES = 1024
    MAX_DEPTH = 20
    default_error_messages = {
        "invalid": "Must be a JSON object.",
        "too_large": "Must be at most 1 KB as compact JSON.",
        "too_deep": "Must be at most 20 levels deep.",
        "not_storable": "Must not contain NUL or lone surrogates.",
    }

    def to_internal_value(self, data: object) -> str:
        if not isinstance(data, dict):
            self.fail("invalid")
        self._check(data, 1)
        text = jsontext.dumps(data)
        if len(text.encode()) > self.MAX_BYTES:
            self.fail("too_large")
        return text

    def _check(self, value: object, depth: int) -> None:
        if isinstance(value, str):
            self._check_storable(value)
        if not isinstance(value, dict | list):
            return
        if depth > self.MAX_DEPTH:
            self.fail("too_deep")
        if isinstance(value, dict):
            for key in value:
                self._check_storable(key)
        for item in value.values() if isinstance(value, dict) else value:
            self._check(item, depth + 1)

    def _check_storable(self, value: str) -> None:
        if _NOT_STORABLE.search(value):
            self.fail("not_storable")

    to_representation: Any = staticmethod(jsontext.raw)
