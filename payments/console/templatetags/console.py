"""Template tags of the console: formatted times and saved filters."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from django import template
from django.apps import apps
from django.contrib.admin.utils import quote
from django.forms import BaseForm, BoundField
from django.template.defaultfilters import stringfilter
from django.urls import NoReverseMatch, reverse
from django.utils.safestring import SafeString

from payments.console import (
    applied_filters,
    buttons,
    cells,
    crumbs,
    formatting,
    list_headers,
    tenancy,
)
from payments.console import saved_filters as saved
from payments.console import status_tabs as states
from payments.console.registry import Text, entries
from payments.core import text as texts

register = template.Library()


@register.filter
def when(timestamp: datetime | None) -> str:
    return formatting.when(timestamp)


@register.filter(is_safe=True)
@stringfilter
def one_stop(sentence: str) -> str:
    return texts.one_stop(sentence)


@register.filter
def wrong_fields(form: BaseForm) -> list[tuple[BoundField, str]]:
    """The visible fields with an error, and the id of what a person fills in."""
    found = []
    for field in form.visible_fields():
        if field.errors:
            # Of radio buttons each has an id, and their group has none.
            found.append((field, field.id_for_label or f"{field.auto_id}_0"))
    return found


@register.filter
def short_id(text: str) -> str:
    """`col_…5ty4xz`."""
    return cells.short_id(text)


@register.simple_tag(takes_context=True)
def saved_filters(context: template.Context) -> dict[str, object]:
    """The saved filters of the displayed list, and the filter that could be saved now."""
    request, changes = context["request"], context["cl"]
    page = changes.model._meta.label_lower
    rows = saved.of_changes(request, changes)
    query = saved.part_of(changes, request.GET)
    # A filter that is already saved is not offered again.
    is_kept = any(row["is_own"] and row["query"] == query for row in rows)
    return {
        "rows": rows,
        "page": page,
        "query": "" if is_kept else query,
        "applied": applied_filters.applied(request, changes),
        "may_share": not tenancy.is_merchant_user(request),
    }


@register.simple_tag(takes_context=True)
def list_rows(
    context: template.RequestContext,
    results: Iterable[Iterable[str]],
    headers: Sequence[dict[str, Any]],
) -> list[list[SafeString]]:
    """Cells that leave room for the others of the row."""
    list_headers.mark_order(context.request, context["cl"], headers)
    return cells.rows_of(results, headers)


@register.filter
def parts(table: dict[str, Any]) -> dict[str, Any]:
    return cells.parts_of(table)


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


@register.simple_tag(takes_context=True)
def first_action(context: template.Context, inline: Any) -> tuple[Text, str] | None:
    """The label and address of what makes the first row of a record's empty table."""
    add, row = getattr(inline, "add_if_empty", None), context.get("original")
    if add is None or row is None:
        return None
    label, name = add
    offered = str([context.get("actions_detail"), context.get("record_step")])
    if f"/{name}/" not in offered:
        return None
    opts = row._meta
    return label, reverse(f"admin:{opts.app_label}_{opts.model_name}_{name}", args=[quote(row.pk)])


@register.filter
def crumb(part: dict[str, Any]) -> object:
    """A part of the title. A list has the word of the menu."""
    return menu_words().get(str(part.get("link") or "")) or part["title"]


def menu_words() -> dict[str, Text]:
    """{address of a list: its word in the menu}. People of merchants have fewer lists."""
    found: dict[str, Text] = {}
    is_merchant = tenancy.current_user_is_merchant()
    for entry in entries():
        with suppress(NoReverseMatch):
            address = formatting.list_url(apps.get_model(entry.model))
            if not entry.url_name:
                found.setdefault(address, entry.label_for(is_merchant=is_merchant))
            for child, name in entry.children.items():
                found.setdefault(formatting.list_url(apps.get_model(child)), name)
    return found


@register.simple_tag
def crumb_above(part: dict[str, Any]) -> crumbs.Crumb | None:
    """The list that the list of this part of the title belongs to."""
    address = str(part.get("link") or "")
    is_merchant = tenancy.current_user_is_merchant()
    for entry in entries():
        with suppress(NoReverseMatch):
            children = (formatting.list_url(apps.get_model(child)) for child in entry.children)
            if address in children:
                above = formatting.list_url(apps.get_model(entry.model))
                return crumbs.Crumb(entry.label_for(is_merchant=is_merchant), above)
    return None
