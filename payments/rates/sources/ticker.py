"""What a source says of one pair, parsed strictly: a wrong price costs money, a missing one not."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from payments.core import clock
from payments.providers import http
from payments.providers.ports.errors import ProviderTimeout, ProviderUnreachable
from payments.rates.reasons import Reason, Refused

WHOLE_DIGITS, DECIMALS = 15, 18
_PLAIN = re.compile(rf"[0-9]{{1,{WHOLE_DIGITS}}}(?:\.[0-9]{{1,{DECIMALS}}})?")


@dataclass(frozen=True, slots=True)
class Ticker:
    """What buyers give and sellers want for one. `at` is None if the price holds for a day."""

    bid: Decimal
    ask: Decimal
    at: datetime | None


def make_ticker(bid: object, ask: object, at: datetime | None) -> Ticker:
    """Raises Refused."""
    ticker = Ticker(parse_price(bid), parse_price(ask), at)
    if ticker.bid > ticker.ask:
        raise Refused(Reason.INVALID_PRICE, "buyers give more than sellers want")
    return ticker


def parse_price(value: object) -> Decimal:
    """Above zero, with 15 digits before and 18 after the point at most. Raises Refused."""
    number = _number(value)
    if number is None or not number.is_finite() or number <= 0:
        raise Refused(Reason.INVALID_PRICE, "not a number above zero")
    exponent = number.as_tuple().exponent
    if number.adjusted() >= WHOLE_DIGITS or (isinstance(exponent, int) and exponent < -DECIMALS):
        raise Refused(Reason.INVALID_PRICE, "too many digits")
    return number


def _number(value: object) -> Decimal | None:
    if isinstance(value, str):
        return Decimal(value) if _PLAIN.fullmatch(value) else None
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return Decimal(value)
    return None


def get(source: str, url: str, query: dict[str, str] | None = None) -> http.RailAnswer:
    """Redirects are not followed. Raises Refused."""
    request = http.RailCall(method="GET", url=url, operation=f"rates.{source}", query=query or {})
    try:
        answer = http.call(request)
    except ProviderUnreachable as error:
        raise Refused(Reason.UNREACHABLE, str(error)) from error
    except ProviderTimeout as error:
        is_late = isinstance(error.__cause__, TimeoutError)
        raise Refused(Reason.TIME_LIMIT if is_late else Reason.UNREADABLE, str(error)) from error
    if not answer.is_success:
        raise Refused(Reason.UNREADABLE, f"status {answer.status}")
    return answer


def time_of(answer: http.RailAnswer) -> datetime:
    """When the source sent the answer, by its own clock (Date). Raises Refused."""
    if answer.skew_seconds is None:
        raise Refused(Reason.NO_TIME, "no Date header")
    try:
        return clock.now() + timedelta(seconds=answer.skew_seconds)
    except OverflowError as error:
        raise Refused(Reason.NO_TIME, "impossible Date header") from error


def parse_time(text: object) -> datetime:
    """ISO 8601 with a time zone. Raises Refused."""
    try:
        at = datetime.fromisoformat(text) if isinstance(text, str) else None
        if at is None or at.tzinfo is None:
            raise Refused(Reason.NO_TIME, "no time with a time zone")
        return at.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Refused(Reason.NO_TIME, "not a time") from error


def field(body: object, *path: str | int) -> Any:
    """`field(body, "ticker", "max_bid", 0)`. Raises Refused if there is no such field."""
    for step in path:
        is_there = (isinstance(step, str) and isinstance(body, dict) and step in body) or (
            isinstance(step, int) and isinstance(body, list) and len(body) > step
        )
        if not is_there:
            raise Refused(Reason.UNREADABLE, f"no field {step}")
        body = body[step]  # type: ignore[index]
    return body


def expect(found: object, expected: str) -> None:
    """The answer is about the pair that was asked for, and in its currency. Raises Refused."""
    if not isinstance(found, str) or found.upper() != expected.upper():
        raise Refused(Reason.UNREADABLE, f"not about {expected}")
