"""Template tags of the console: formatted times and saved filters."""

from datetime import datetime
from typing import Any

from django import template
from django.utils.safestring import SafeString

from payments.console import buttons, cells, formatting, tenancy
from payments.console import saved_filters as saved
from payments.console import status_tabs as states

register = template.Library()


@register.filter
def when(timestamp: datetime | None) -> str:
    return formatting.when(timestamp)


@register.simple_tag(takes_context=True)
def saved_filters(context: template.Context) -> dict[str, object]:
    """The saved filters of the displayed list, and the filter that could be saved now."""
    request, changes = context["request"], context["cl"]
    page = changes.model._meta.label_lower
    rows = saved.of_list(request, page)
    query = saved.part_of(changes, request.GET)
    # A filter that is already saved is not offered again.
    is_kept = any(row["is_own"] and row["query"] == query for row in rows)
    return {
        "rows": rows,
        "page": page,
        "query": "" if is_kept else query,
        "may_share": not tenancy.is_merchant_user(request),
    }


@register.filter
def bounded(cell: str) -> SafeString:
    """Leaves room for the other cells of the row."""
    return cells.bounded(cell)


@register.filter
def amounts_on_one_line(table: dict[str, Any]) -> dict[str, Any]:
    """The table with cells like `50.025 COP` that do not wrap."""
    rows = [[cells.on_one_line(cell) for cell in row] for row in table["rows"]]
    return {**table, "rows": rows}


@register.inclusion_tag("admin/status_tabs.html", takes_context=True)
def status_tabs(context: template.Context) -> dict[str, object]:
    changes = context["cl"]
    return {"tabs": states.tabs(context["request"], changes.model_admin, changes)}


@register.simple_tag(takes_context=True)
def header_buttons(context: template.Context) -> buttons.HeaderButtons:
    """The buttons beside the title of a list or of a record."""
    listed, detailed = context.get("actions_list"), context.get("actions_detail")
    most = buttons.SHOWN_OF_LIST if listed else buttons.SHOWN_OF_RECORD
    others = [context.get("actions_items"), context.get("nav_global")]
    return buttons.arranged([*(listed or ()), *(detailed or ())], most, others)
