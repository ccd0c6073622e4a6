"""Filters of a list in words: `Status: Completed` for `status__exact=COMPLETED`."""

from typing import Any

from django.contrib.admin.views.main import ORDER_VAR, PAGE_VAR, SEARCH_VAR
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model
from django.http import QueryDict
from django.utils.text import capfirst
from django.utils.translation import gettext


def in_words(model: type[Model], filters: dict[str, str]) -> list[tuple[str, str]]:
    return [_in_words(model, *each) for each in sorted(filters.items())]


def of_query(model: type[Model], query: str) -> list[tuple[str, str]]:
    found = QueryDict(query)
    shown = {name: ", ".join(found.getlist(name)) for name in found if name != PAGE_VAR}
    return in_words(model, shown)


def _in_words(model: type[Model], name: str, value: str) -> tuple[str, str]:
    if name == SEARCH_VAR:
        return gettext("Search"), value
    if name == ORDER_VAR:
        return gettext("Order of the rows"), value
    for end, form in (("_from", gettext("%s, from")), ("_to", gettext("%s, to"))):
        if name.endswith(end) and (column := _column(model, name.removesuffix(end))) is not None:
            return form % capfirst(str(column.verbose_name)), value
    column = _column(model, name.partition("__")[0])
    if column is None or not hasattr(column, "verbose_name"):  # rows of another table have none
        return name, value
    names = {str(key): str(label) for key, label in getattr(column, "flatchoices", ())}
    return capfirst(str(column.verbose_name)), names.get(value, value)


def _column(model: type[Model], name: str) -> Any:
    try:
        return model._meta.get_field(name)
    except FieldDoesNotExist:
        return None
