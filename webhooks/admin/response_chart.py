"""The chart of the receivers' response times, on the list of deliveries and on each of them."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console.charts import Place, Series, draw
from payments.console.overview import NOW_SECONDS, cached
from payments.core import clock, money
from webhooks.response_times import DayTimes, Times, times_of_day

HOURS = 24
_HOUR = timedelta(hours=1)


def context(merchants: Collection[str] | None) -> dict[str, Any]:
    """`response_chart` and `response_summary`, or nothing if nothing was sent in 24 hours."""
    now = clock.now()
    scope = None if merchants is None else frozenset(merchants)
    found = cached(
        "response-times", scope, NOW_SECONDS, lambda: times_of_day(merchants=scope, now=now)
    )
    if found.whole is None:
        return {}
    return {"response_chart": _chart(found, now), "response_summary": summary(found.whole)}


def summary(times: Times) -> str:
    """`mediana 118 ms · 95 % en 2.041 ms o menos`."""
    return gettext("median %(median)s · 95 %% within %(p95)s") % {
        "median": milliseconds(times.median),
        "p95": milliseconds(times.p95),
    }


def milliseconds(value: int) -> str:
    return f"{money.grouped(str(value))} ms"


def _chart(found: DayTimes, now: datetime) -> dict[str, object]:
    last = now.replace(minute=0, second=0, microsecond=0)
    hours = [last - _HOUR * back for back in range(HOURS - 1, -1, -1)]
    none = Times(attempts=0, median=0, p95=0)
    times = [found.hours.get(hour, none) for hour in hours]
    highest = max(times, key=lambda each: each.p95)
    return draw(
        title=_("Response times, 24 hours"),
        note=_(
            "By hour in Bogotá. The lower part is the median: half of the attempts were answered "
            "within it. The whole bar is p95: 95 % were answered within it."
        ),
        places=[_place(hour) for hour in hours],
        series=[
            Series(_("median"), "good", [t.median for t in times], _texts(times, "median")),
            Series(
                _("p95"),
                "open",
                [t.p95 - t.median for t in times],
                _texts(times, "p95"),
            ),
            Series(_("attempts"), "", [0] * HOURS, [f"{t.attempts}" for t in times]),
        ],
        top=milliseconds(highest.p95),
    ) | {"first_header": _("Hour")}


def _texts(times: list[Times], name: str) -> list[str]:
    return [milliseconds(getattr(t, name)) if t.attempts else "-" for t in times]


def _place(hour: datetime) -> Place:
    local = localtime(hour)
    return Place(date_format(local, "H:i"), date_format(local, "Y-m-d H:i"))
