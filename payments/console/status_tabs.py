"""Tabs by state above a list, with counts that cost little on a table of any size."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.admin.views.main import ALL_VAR, ORDER_VAR, PAGE_VAR, SEARCH_VAR
from django.db.models import Count, Model, Q, QuerySet
from django.http import HttpRequest

from payments.console import saved_filters, tab_words, tenancy
from payments.console.state_words import word_of
from payments.core import money

# Only the newest rows are counted: with more, each count is "at least".
COUNTED = 5_000
MOST_SHOWN = 1_000
_COUNTS = "_console_status_counts"


@dataclass(frozen=True, slots=True)
class Tab:
    label: str
    query: str
    count: str
    is_selected: bool


def counts(request: HttpRequest, page: Any) -> Mapping[str, int] | None:
    """{state: rows}; None while the list is narrowed by anything but its state."""
    if not page.tab_field or is_narrowed(request, _parameter(page)):
        return None
    if not hasattr(request, _COUNTS):
        setattr(request, _COUNTS, _count(page, newest(request, page)))
    found: Mapping[str, int] = getattr(request, _COUNTS)
    return found


def total(request: HttpRequest, page: Any) -> int | None:
    """The length of the list, if `counts` knows it exactly: it saves the paginator a query."""
    found = counts(request, page)
    if found is None or sum(found.values()) >= COUNTED:
        return None
    selected = request.GET.get(_parameter(page))
    return sum(found.values()) if selected is None else found.get(selected, 0)


def tabs(request: HttpRequest, page: Any, changes: Any) -> list[Tab]:
    """A state without rows has no tab. "All" leads away from a saved filter that is shown.

    A page may have tabs of its own (`own_tabs`).
    """
    if (own := getattr(page, "own_tabs", None)) is not None:
        found_here: list[Tab] = own(request, changes)
        return found_here
    if not page.tab_field:
        return []
    found, parameter = counts(request, page), _parameter(page)
    if found is None:
        found = _counts_of_filter(request, page, changes)
    selected = request.GET.get(parameter)
    is_saved = any(row["is_current"] for row in saved_filters.of_changes(request, changes))
    everything = "?" if is_saved else changes.get_query_string(remove=[parameter, PAGE_VAR])
    name = page.name_of_list
    shown = [Tab(tab_words.everything(name), everything, "", selected is None and not is_saved)]
    for state, label in _states(page.model, page.tab_field):
        if found is not None and not found.get(state) and state != selected:
            continue
        query = changes.get_query_string({parameter: state}, [PAGE_VAR])
        count = "" if found is None else count_text(found.get(state, 0), sum(found.values()))
        shown.append(Tab(tab_words.of_state(str(label), name), query, count, state == selected))
    return shown


def _parameter(page: Any) -> str:
    return f"{page.tab_field}__exact"


def is_narrowed(request: HttpRequest, parameter: str) -> bool:
    """By anything but the state."""
    return bool(set(request.GET) - {parameter, PAGE_VAR, ORDER_VAR, ALL_VAR})


def _states(model: type[Model], field: str) -> list[tuple[str, object]]:
    column: Any = model._meta.get_field(field)
    return [(state, word_of(model, state, name)) for state, name in column.choices]


def _counts_of_filter(request: HttpRequest, page: Any, changes: Any) -> Mapping[str, int] | None:
    """The counts of the rows that the other filters leave; None for a search, which is costly."""
    if request.GET.get(SEARCH_VAR):
        return None
    rows = changes.queryset
    if (parameter := _parameter(page)) in request.GET:
        spec = next((one for one in changes.filter_specs if parameter in one.used_parameters), None)
        if spec is None:
            return None
        rows = changes.get_queryset(request, exclude_parameters=spec.expected_parameters())
    return _count(page, rows)


def newest(request: HttpRequest, page: Any) -> QuerySet[Any]:
    """The rows of the whole list that the person may see."""
    rows: QuerySet[Any] = page.model._default_manager.all()
    if tenancy.is_merchant_user(request):
        rows = tenancy.limit(request, rows, page.merchant_path)
        return rows.order_by("-created_at", "-pk") if page.merchant_path == "merchant" else rows
    return rows.order_by("-pk")  # ids sort by time


def _count(page: Any, rows: QuerySet[Any]) -> Mapping[str, int]:
    states = [state for state, _label in _states(page.model, page.tab_field)]
    filters = {
        f"n{place}": Count("pk", filter=Q(**{page.tab_field: state}))
        for place, state in enumerate(states)
    }
    numbers = rows[:COUNTED].aggregate(**filters)
    return {state: numbers[f"n{place}"] for place, state in enumerate(states)}


def count_text(count: int, counted: int) -> str:
    if count >= MOST_SHOWN:
        return f"{money.grouped(str(MOST_SHOWN))}+"
    return f"{count}+" if counted >= COUNTED else str(count)
