"""What the console's own templates need: moments as everywhere in the console, saved filters."""

from datetime import datetime
from typing import Any

from django import template
from django.utils.safestring import SafeString

from payments.console import cells, formatting, tenancy
from payments.console import saved_filters as saved

register = template.Library()


@register.filter
def when(timestamp: datetime | None) -> str:
    return formatting.when(timestamp)


@register.simple_tag(takes_context=True)
def saved_filters(context: template.Context) -> dict[str, Any]:
    """The filters that are kept of the list that is shown, and what could be kept now."""
    request, changes = context["request"], context["cl"]
    page = changes.model._meta.label_lower
    rows = saved.of_list(request, page)
    query = saved.part_of(changes, request.GET)
    # What is kept already need not be kept again.
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
