"""A moment in a request."""

from datetime import UTC, datetime

from django.utils.dateparse import parse_datetime
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

LENGTH_MAX = 64


def read_moment(text: str) -> datetime | None:
    """In UTC. None if the text is no ISO 8601 date-time with a time zone."""
    try:
        moment = parse_datetime(text)
        if moment is not None and moment.tzinfo is not None:
            return moment.astimezone(UTC)  # overflows beyond the years 1 and 9999
    except (ValueError, OverflowError):
        pass
    return None


@extend_schema_field({"type": "string", "format": "date-time"})
class InputTimestamp(serializers.Field):
    """ISO 8601 with a time zone."""

    default_error_messages = {"invalid": "Must be an ISO 8601 date-time with a time zone."}

    def to_internal_value(self, data: object) -> datetime:
        if isinstance(data, str) and len(data) <= LENGTH_MAX and (moment := read_moment(data)):
            return moment
        raise serializers.ValidationError(self.error_messages["invalid"])
