"""A filter, and tabs above the list, by a state that no single column has."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import PAGE_VAR
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from payments.console import status_tabs, tab_words
from payments.console.registry import Text
from payments.console.status_tabs import Tab


@dataclass(frozen=True, slots=True)
class State:
    label: Text
    where: Q


class StateFilter(admin.SimpleListFilter):
    """A subclass says which states there are. `states` is read at each request: time is in it."""

    title = _("state")
    parameter_name = "state"

    @classmethod
    def states(cls) -> Mapping[str, State]:
        raise NotImplementedError

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [(name, str(state.label)) for name, state in self.states().items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        state = self.states().get(self.value() or "")
        return queryset.filter(state.where) if state is not None else queryset


def tabs(
    request: HttpRequest, changes: Any, kind: type[StateFilter], rows: QuerySet[Any] | None = None
) -> list[Tab]:
    """A state without rows has no tab. `rows`: of the whole list, if the table has others, too."""
    page, parameter, states = changes.model_admin, kind.parameter_name, kind.states()
    selected = request.GET.get(parameter)
    found = None
    if not status_tabs.is_narrowed(request, parameter):
        found = _counts(status_tabs.newest(request, page) if rows is None else rows, states)
    name = page.name_of_list
    everything = changes.get_query_string(remove=[parameter, PAGE_VAR])
    shown = [Tab(tab_words.everything(name), everything, "", selected not in states)]
    for state, each in states.items():
        if found is not None and not found[state] and state != selected:
            continue
        query = changes.get_query_string({parameter: state}, [PAGE_VAR])
        count = "" if found is None else status_tabs.count_text(found[state], sum(found.values()))
        label = tab_words.of_state(str(each.label), name)
        shown.append(Tab(label, query, count, state == selected))
    return shown


def _counts(rows: QuerySet[Any], states: Mapping[str, State]) -> dict[str, int]:
    """In one query."""
    named = {f"n{place}": state for place, state in enumerate(states)}
    counted = rows[: status_tabs.COUNTED].aggregate(
        **{name: Count("pk", filter=states[state].where) for name, state in named.items()}
    )
    return {state: counted[name] for name, state in named.items()}
