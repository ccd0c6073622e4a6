"""Bar charts as SVG, drawn by the server, each with a table of the same values."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from payments.console.formatting import short_day

HEIGHT, STEP, GAP = 100, 20, 4


@dataclass(frozen=True, slots=True)
class Series:
    """`values` and `texts` have an entry for each place.

    A series without a colour is in the table only.
    """

    label: object
    colour: str
    values: Sequence[Decimal | int]
    texts: Sequence[str]


@dataclass(frozen=True, slots=True)
class Place:
    """A column of a chart: its label below the axis, and the one in the table."""

    label: str
    table_label: str


def chart(
    title: object, note: object, days: Sequence[date], series: list[Series]
) -> dict[str, object]:
    """Bars of days."""
    places = [Place(short_day(day), f"{day:%Y-%m-%d}") for day in days]
    return draw(title=title, note=note, places=places, series=series)


def draw(
    *, title: object, note: object, places: Sequence[Place], series: list[Series], top: str = ""
) -> dict[str, object]:
    """The context of templates/admin/chart.html. Bars of one place are stacked.

    `top` is what the full height stands for, if it is not what the bars add up to.
    """
    count = len(places)
    totals = [Decimal(sum(each.values[i] for each in series)) for i in range(count)]
    most = max(totals, default=Decimal(0))
    coloured = [each for each in series if each.colour]
    highest = totals.index(most) if most else 0
    return {
        "title": title,
        "note": note,
        "width": STEP * count,
        "height": HEIGHT,
        "legend": [(each.label, each.colour) for each in series],
        "bars": [bar for i in range(count) for bar in _day(i, series, most)],
        "columns": [_column(i, place.label, series) for i, place in enumerate(places)],
        "ticks": [places[i].label for i in (0, count // 2, count - 1)] if places else [],
        # The value at the full height.
        "top": top or (coloured[0].texts[highest] if len(coloured) == 1 else f"{most:f}"),
        "headers": [each.label for each in series],
        "rows": [
            (place.table_label, [each.texts[i] for each in series])
            for i, place in reversed(list(enumerate(places)))
        ],
        "is_empty": not most,
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


def _column(i: int, label: str, series: list[Series]) -> dict[str, object]:
    values = ", ".join(f"{each.label}: {each.texts[i]}" for each in series if each.values[i])
    return {"x": i * STEP, "width": STEP, "title": f"{label} · {values or 0}"}
