"""The filters that narrow a list now, each with the address of the list without it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.admin.utils import get_fields_from_path
from django.contrib.admin.views.main import (
    ALL_VAR,
    ERROR_FLAG,
    ORDER_VAR,
    PAGE_VAR,
    SEARCH_VAR,
    ChangeList,
)
from django.core.exceptions import FieldDoesNotExist
from django.http import HttpRequest
from django.utils.text import capfirst
from unfold.utils import parse_date_str

from payments.console import formatting, tenancy
from payments.console.exports import filter_names
from payments.console.state_filter import StateFilter

_NO_FILTERS = frozenset({ALL_VAR, ERROR_FLAG, ORDER_VAR, PAGE_VAR, SEARCH_VAR})


@dataclass(frozen=True, slots=True)
class AppliedFilter:
    name: str
    value: str
    without: str


def applied(request: HttpRequest, changes: ChangeList) -> list[AppliedFilter]:
    """Without the state, which the tabs show."""
    return list(_applied(request, changes))


def _applied(request: HttpRequest, changes: ChangeList) -> Iterator[AppliedFilter]:
    page: Any = changes.model_admin
    given = {name for name, value in request.GET.items() if value} - _NO_FILTERS
    given.discard(f"{page.tab_field}__exact")
    for spec in changes.filter_specs:
        names = [name for name in spec.expected_parameters() if name in given]
        if isinstance(spec, StateFilter):
            given -= set(names)
        elif names:
            given -= set(names)
            yield AppliedFilter(
                capfirst(str(spec.title)),
                _value(request, changes, spec, names),
                changes.get_query_string(remove=[*names, PAGE_VAR]),
            )
    for name in sorted(given):
        title, value = filter_names.in_words(changes.model, {name: request.GET[name]})[0]
        yield AppliedFilter(title, value, changes.get_query_string(remove=[name, PAGE_VAR]))


def _value(request: HttpRequest, changes: ChangeList, spec: Any, names: list[str]) -> str:
    choices = (choice for choice in spec.choices(changes) if "display" in choice)
    chosen = [str(choice["display"]) for choice in choices if choice.get("selected")]
    if chosen:
        return ", ".join(chosen)
    values = {name: request.GET[name] for name in names}
    if any(name.endswith(("_from", "_to")) for name in names):
        return " – ".join(
            next((_day(text) for name, text in values.items() if name.endswith(end)), "…")
            for end in ("_from", "_to")
        )
    return ", ".join(_record(request, changes, name, text) for name, text in values.items())


def _day(text: str) -> str:
    try:
        found = parse_date_str(text)
    except ValueError:
        found = None
    return formatting.day(found) if found else text


def _record(request: HttpRequest, changes: ChangeList, name: str, text: str) -> str:
    """The name of the record that a filter names by its id, if this person may see it."""
    try:
        field = get_fields_from_path(changes.model, name.partition("__")[0])[-1]
    except FieldDoesNotExist:
        return text
    if (model := getattr(field, "related_model", None)) is None:
        return text
    if (page := tenancy.page_of(request, model)) is None:
        return text
    row = page.get_queryset(request).filter(pk=text).first()
    return str(row) if row is not None else text
