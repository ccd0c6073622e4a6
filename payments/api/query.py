"""Query parameters as serializers: one declaration validates them and describes them in OpenAPI.

Read strictly (docs/gaps.md, Lists): a repeated parameter, for example, is an error.
"""

import re
from collections.abc import Collection
from datetime import UTC, date, datetime
from typing import Any

from django.conf import settings
from django.http import QueryDict
from django.utils.dateparse import parse_datetime
from rest_framework import serializers
from rest_framework.fields import empty

from payments.api.fields import is_plain_text

_WHOLE = re.compile(r"[0-9]{1,19}", re.ASCII)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
# The largest number that PostgreSQL counts to.
MAX_OFFSET = 2**63 - 1


class Parameter(serializers.Field):
    """One parameter as text. Without `required` or `default` an absent one is None."""

    schema: dict[str, Any] = {"type": "string"}
    default_error_messages = {
        "required": "Is required.",
        "repeated": "Must be given once.",
        "text": "Is too long or contains control characters.",
    }

    def __init__(self, *, max_length: int = 200, **kwargs: Any) -> None:
        self.max_length = max_length
        if not kwargs.get("required"):
            kwargs.setdefault("default", None)
        super().__init__(**kwargs)

    def get_value(self, dictionary: QueryDict) -> object:  # type: ignore[override]
        return dictionary.getlist(self.field_name or "") or empty

    def to_internal_value(self, data: list[str]) -> object:
        if len(data) > 1:
            self.fail("repeated")
        if len(data[0]) > self.max_length or not is_plain_text(data[0]):
            self.fail("text")
        return self.parse(data[0])

    def parse(self, text: str) -> object:
        """The value of the only text. Raises a validation error."""
        return text


class ChoiceParameter(Parameter):
    """The empty text is an error."""

    default_error_messages = {"invalid_choice": "Must be one of {choices}."}

    def __init__(self, *, choices: Collection[str], **kwargs: Any) -> None:
        self.choices = list(choices)
        self.schema = {"type": "string", "enum": self.choices}
        super().__init__(**kwargs)

    def parse(self, text: str) -> str:
        if text not in self.choices:
            self.fail("invalid_choice", choices=", ".join(self.choices))
        return text


class TimestampParameter(Parameter):
    """An ISO 8601 date-time with its zone, in UTC."""

    schema = {"type": "string", "format": "date-time"}
    default_error_messages = {"invalid": "Must be an ISO 8601 date-time with a time zone."}

    def parse(self, text: str) -> datetime:
        try:
            timestamp = parse_datetime(text)
            if timestamp is not None and timestamp.tzinfo is not None:
                return timestamp.astimezone(UTC)  # overflows beyond the years 1 and 9999
        except (ValueError, OverflowError):
            pass
        raise serializers.ValidationError(self.error_messages["invalid"])


class DayParameter(Parameter):
    schema = {"type": "string", "format": "date"}
    default_error_messages = {"invalid": "Must be a day, as in 2026-01-31."}

    def parse(self, text: str) -> date:
        try:
            if _DAY.fullmatch(text):
                return date.fromisoformat(text)
        except ValueError:
            pass
        raise serializers.ValidationError(self.error_messages["invalid"])


class NumberParameter(Parameter):
    default_error_messages = {"range": "Must be a whole number from {low} to {high}."}

    def __init__(self, *, minimum: int, maximum: int, **kwargs: Any) -> None:
        self.minimum = minimum
        self.maximum = maximum
        self.schema = {"type": "integer", "minimum": minimum, "maximum": maximum}
        super().__init__(**kwargs)

    def parse(self, text: str) -> int:
        if not _WHOLE.fullmatch(text) or not self.minimum <= int(text) <= self.maximum:
            self.fail("range", low=self.minimum, high=self.maximum)
        return int(text)


class LimitParameter(NumberParameter):
    def __init__(self) -> None:
        super().__init__(
            minimum=1, maximum=settings.PAGE_MAX_LIMIT, default=settings.PAGE_DEFAULT_LIMIT
        )


class QuerySerializer(serializers.Serializer[object]):
    """The parameters of one route. Errors come in the order of declaration."""

    def get_fields(self) -> dict[str, serializers.Field]:
        """`from` is a keyword of Python, so it is declared as `from_`."""
        return {name.rstrip("_"): field for name, field in super().get_fields().items()}


class PageQuery(QuerySerializer):
    """A page of a list: at most `limit` rows after skipping `offset`."""

    limit = LimitParameter()
    offset = NumberParameter(minimum=0, maximum=MAX_OFFSET, default=0)
