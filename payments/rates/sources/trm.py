"""TRM, the official price of a dollar, which holds for whole days of Colombia."""

from datetime import date, timedelta

from payments.core import clock, days
from payments.rates.reasons import Reason, Refused
from payments.rates.sources.ticker import Ticker, expect, field, get, make_ticker

# The newest row. In the evening that is the one of the next day.
QUERY = {"$limit": "1", "$order": "vigenciadesde DESC"}


def read(url: str, pair: str) -> Ticker:
    """`url` is the whole address. There is one pair only."""
    body = get("trm", url, QUERY).body
    row = field(body, 0)
    expect(field(row, "unidad"), "COP")
    first, last = (_day(field(row, name)) for name in ("vigenciadesde", "vigenciahasta"))
    today = days.day_of(clock.now())
    if not first <= str(today + timedelta(days=1)) or not str(today) <= last:
        raise Refused(Reason.OLD, f"from {first} to {last}")
    return make_ticker(field(row, "valor"), field(row, "valor"), None)


def _day(text: object) -> str:
    """The date of `2026-03-01T00:00:00.000`."""
    found = str(text)[:10]
    try:
        return date.fromisoformat(found).isoformat()
    except ValueError as error:
        raise Refused(Reason.NO_TIME, "not a date") from error
