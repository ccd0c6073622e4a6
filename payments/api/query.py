"""Query parameters as serializers, which validate them and describe them in OpenAPI.

They are read strictly (docs/gaps.md, Lists): a repeated parameter, for example, is an error.
"""

import re
from collections.abc import Collection
from datetime import date, datetime
from typing import Any

from django.conf import settings
from django.http import QueryDict
from rest_framework import serializers
from rest_framework.fields import empty

from payments.api.fields import is_plain_text
from payments.api.timestamps import read_moment
from payments.api.unknown_names import MAX_NAME, MAX_UNKNOWN, nearest_name

_WHOLE = re.compile(r"[0-9]{1,19}", re.ASCII)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
# The largest bigint of PostgreSQL.
MAX_OFFSET = 2**63 - 1


class Parameter(serializers.Field):
    """A parameter as text. If absent it is None, unless it has a `default` or is `required`."""

    schema: dict[str, Any] = {"type": "string"}
    default_error_messages = {
        "required": "This parameter is required.",
        "repeated": "Must be given once.",
        "text": "Must be at most {most} characters, without control characters.",
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
            self.fail("text", most=self.max_length)
        return self.parse(data[0])

    def parse(self, text: str) -> object:
        """Raises ValidationError."""
        return text


class ChoiceParameter(Parameter):
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
    """An ISO 8601 date-time with a time zone, converted to UTC."""

    schema = {"type": "string", "format": "date-time"}
    default_error_messages = {"invalid": "Must be an ISO 8601 date-time with a time zone."}

    def parse(self, text: str) -> datetime:
        if timestamp := read_moment(text):
            return timestamp
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
    default_error_messages = {
        "range": "Must be a whole number from {low:,} to {high:,}.",
        "positive": "Must be zero or a positive whole number.",
    }

    def __init__(self, *, minimum: int, maximum: int, **kwargs: Any) -> None:
        self.minimum = minimum
        self.maximum = maximum
        self.schema = {"type": "integer", "minimum": minimum, "maximum": maximum}
        super().__init__(**kwargs)

    def parse(self, text: str) -> int:
        if not _WHOLE.fullmatch(text) or not self.minimum <= int(text) <= self.maximum:
            if (self.minimum, self.maximum) == (0, MAX_OFFSET):
                self.fail("positive")
            self.fail("range", low=self.minimum, high=self.maximum)
        return int(text)


class LimitParameter(NumberParameter):
    def __init__(self) -> None:
        super().__init__(
            minimum=1, maximum=settings.PAGE_MAX_LIMIT, default=settings.PAGE_DEFAULT_LIMIT
        )


class QuerySerializer(serializers.Serializer[object]):
    """The parameters of a route. Errors are in the order of the fields."""

    def get_fields(self) -> dict[str, serializers.Field]:
        """A field whose name is a keyword of Python is declared with `_` at its end: `from_`."""
        return {name.rstrip("_"): field for name, field in super().get_fields().items()}

    def run_validation(self, data: Any = empty) -> Any:
        """A name that the route does not know is an error, so that a misspelt filter is noticed."""
        if unknown := [name for name in data if name not in self.fields]:
            raise serializers.ValidationError(
                {
                    name[:MAX_NAME]: f"Unknown parameter. {nearest_name(name, self.fields)}"
                    for name in unknown[:MAX_UNKNOWN]
                }
            )
        return super().run_validation(data)


class PageQuery(QuerySerializer):
    """A page of a list: at most `limit` rows after skipping `offset`."""

    limit = LimitParameter()
    offset = NumberParameter(minimum=0, maximum=MAX_OFFSET, default=0)
