"""`limit` and `offset` of lists, read strictly (docs/gaps.md, Lists)."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime

from django.conf import settings
from django.http import QueryDict
from django.utils.dateparse import parse_datetime

from payments.api.fields import is_plain_text
from payments.core.errors import ValidationFailed

_WHOLE = re.compile(r"[0-9]{1,19}", re.ASCII)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
# The largest that PostgreSQL counts to.
MAX_OFFSET = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Page:
    """A window on a list: at most `limit` rows after skipping `offset`."""

    limit: int
    offset: int


class Query:
    """Reads query parameters one by one and collects what is wrong with them.

    A repeated parameter is an error: which of the two was meant cannot be known.
    """

    def __init__(self, params: QueryDict) -> None:
        self._params = params
        self._errors: dict[str, str] = {}

    def text(self, name: str, *, max_length: int = 200) -> str | None:
        """The parameter, or None when absent; too long, repeated or with NUL is an error."""
        values = self._params.getlist(name)
        if not values:
            return None
        value = values[0]
        if len(values) > 1:
            self._errors[name] = "Must be given once."
        elif len(value) > max_length or not is_plain_text(value):
            self._errors[name] = "Is too long or contains control characters."
        return value if name not in self._errors else None

    def choice(self, name: str, choices: list[str]) -> str | None:
        """The parameter out of a closed list; the empty string is an error."""
        value = self.text(name)
        if value is not None and value not in choices:
            self._errors[name] = f"Must be one of {', '.join(choices)}."
            return None
        return value

    def moment(self, name: str) -> datetime | None:
        """An ISO 8601 date-time with its zone, in UTC."""
        value = self.text(name)
        if value is None:
            return None
        try:
            moment = parse_datetime(value)
            if moment is not None and moment.tzinfo is not None:
                return moment.astimezone(UTC)  # overflows beyond the years 1 and 9999
        except (ValueError, OverflowError):
            pass
        self._errors[name] = "Must be an ISO 8601 date-time with a time zone."
        return None

    def day(self, name: str, *, required: bool = False) -> date | None:
        """A calendar day, as in 2026-01-31."""
        value = self.text(name)
        if value is None:
            if required:
                self._errors.setdefault(name, "Is required.")
            return None
        try:
            if _DAY.fullmatch(value):
                return date.fromisoformat(value)
        except ValueError:
            pass
        self._errors[name] = "Must be a day, as in 2026-01-31."
        return None

    def whole(self, name: str, *, default: int, low: int, high: int) -> int:
        """An integer in ASCII digits between `low` and `high`."""
        value = self.text(name)
        if value is None:
            return default
        if not _WHOLE.fullmatch(value) or not low <= int(value) <= high:
            self._errors[name] = f"Must be a whole number from {low} to {high}."
            return default
        return int(value)

    def page(self) -> Page:
        """`limit` 1..100, default 20; `offset` from 0."""
        return Page(
            limit=self.whole(
                "limit", default=settings.PAGE_DEFAULT_LIMIT, low=1, high=settings.PAGE_MAX_LIMIT
            ),
            offset=self.whole("offset", default=0, low=0, high=MAX_OFFSET),
        )

    def check(self) -> None:
        """Raises ValidationFailed with every parameter that was wrong."""
        if self._errors:
            raise ValidationFailed(self._errors)
