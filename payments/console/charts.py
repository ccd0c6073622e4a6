"""Bar charts of days as SVG, drawn by the server, each with a table of the same values."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.utils.formats import date_format

HEIGHT, STEP, GAP = 100, 20, 4


@dataclass(frozen=True, slots=True)
class Series:
    """`values` and `texts` have an entry for each day.

    A series without a colour is in the table only.
    """

    label: object
    colour: str
    values: Sequence[Decimal | int]
    texts: Sequence[str]


def chart(
    title: object, note: object, days: Sequence[date], series: list[Series]
) -> dict[str, object]:
    """The context of templates/admin/chart.html. Bars of one day are stacked."""
    totals = [Decimal(sum(each.values[i] for each in series)) for i in range(len(days))]
    top = max(totals, default=Decimal(0))
    coloured = [each for each in series if each.colour]
    highest = totals.index(top) if top else 0
    return {
        "title": title,
        "note": note,
        "width": STEP * len(days),
        "height": HEIGHT,
        "legend": [(each.label, each.colour) for each in series],
        "bars": [bar for i in range(len(days)) for bar in _day(i, series, top)],
        "columns": [_column(i, day, series) for i, day in enumerate(days)],
        "ticks": [_short(days[i]) for i in (0, len(days) // 2, len(days) - 1)] if days else [],
        # The value at the full height.
        "top": coloured[0].texts[highest] if len(coloured) == 1 else f"{top:f}",
        "headers": [each.label for each in series],
        "rows": [
            (f"{day:%Y-%m-%d}", [each.texts[i] for each in series])
            for i, day in reversed(list(enumerate(days)))
        ],
        "is_empty": not top,
    }


def _day(i: int, series: list[Series], top: Decimal) -> list[dict[str, object]]:
    bars: list[dict[str, object]] = []
    base = float(HEIGHT)
    for each in series:
        if not top or not each.values[i]:
            continue
        # Small values stay visible.
        height = max(1.0, float(each.values[i] / top) * HEIGHT)
        base -= height
        x = i * STEP + GAP / 2
        place = {"x": f"{x:g}", "y": f"{max(base, 0):.1f}", "height": f"{height:.1f}"}
        bars.append({**place, "width": STEP - GAP, "colour": each.colour})
    return bars


def _column(i: int, day: date, series: list[Series]) -> dict[str, object]:
    values = ", ".join(f"{each.label}: {each.texts[i]}" for each in series if each.values[i])
    return {"x": i * STEP, "width": STEP, "title": f"{_short(day)} · {values or 0}"}


def _short(day: date) -> str:
    return date_format(day, "j M")
