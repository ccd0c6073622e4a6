"""Console pages of the kernel: the audit log and transitions. Operators: operators.py."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console import action_words  # noqa: F401  registers them
from payments.console.changelist import DaysFilter, RecentValuesFilter
from payments.console.exports.columns import Column
from payments.console.exports.columns import fields as columns
from payments.console.formatting import badge, detail_lines, timestamp_column
from payments.console.prepared_rows import PreparedRows
from payments.console.record_names import (
    People,
    Person,
    action_name,
    kind_name,
    people_of,
    record_link,
)
from payments.console.timeline import (
    act_reason,
    reason_shown,
    state_colour,
    state_name,
    state_names,
    who,
)
from payments.core import jsontext
from payments.core.models import AuditEntry, Transition


class KindFilter(RecentValuesFilter):
    def choices(self, changelist: ChangeList) -> Any:
        for choice in super().choices(changelist):
            yield {**choice, "display": kind_name(str(choice["display"]))}


class ActionFilter(RecentValuesFilter):
    def choices(self, changelist: ChangeList) -> Any:
        for choice in super().choices(changelist):
            yield {**choice, "display": action_name(str(choice["display"]))}


class StateFilter(RecentValuesFilter):
    def choices(self, changelist: ChangeList) -> Any:
        names = state_names()
        for choice in super().choices(changelist):
            shown = str(choice["display"])
            yield {**choice, "display": names.get(shown, shown)}


@display(description=_("who"), ordering="actor")
def _actor(_page: object, row: AuditEntry | Transition) -> str:
    return str(who(row.actor)) or "-"


@display(description=_("kind of record"), ordering="subject_type")
def _kind(_page: object, row: AuditEntry | Transition) -> str:
    return kind_name(row.subject_type, row.subject_id, _person(row))


def _person(row: Any) -> Person | None:
    """Whom the row is about. A list has read those of its rows at once."""
    people: People = row.people if hasattr(row, "people") else people_of([row])
    return people.get((row.subject_type, row.subject_id))


class Records(PreparedRows):
    """Lists whose rows are about a record of any kind."""

    when = timestamp_column("at", _("when"))
    kind = _kind
    actor_shown = _actor

    def prepare(self, rows: list[Any]) -> list[Any]:
        """Sets `people`, those whom rows are about."""
        people = people_of(rows)
        for row in rows:
            row.people = people
        return super().prepare(rows)

    @display(description=_("record"))
    def record(self, row: Any) -> str | SafeString:
        person = _person(row)
        return record_link(row.subject_type, row.subject_id, person.name if person else "")


def _state_badge(move: Transition, state: str) -> str | SafeString:
    shown = state_name(move.subject_type, state)
    return badge(shown, state_colour(move.subject_type, state)) if state else shown


@admin.register(AuditEntry)
class AuditEntryAdmin(Records):
    shown_if_empty = _("Each act of a person in the console and each command, with its reason.")
    list_display = ["when", "actor_shown", "action_shown", "kind", "record", "reason_shown"]
    list_filter = [("action", ActionFilter), ("subject_type", KindFilter), ("at", DaysFilter)]
    search_fields = ["subject_id__exact", "actor__exact"]
    search_help_text = _("Id of the record, or who acted")
    ordering = ["-id"]
    fields = [*list_display, "details_text"]
    readonly_fields = fields
    export_columns = [
        Column("id", lambda entry: str(entry.pk)),
        *columns(at="at", actor="actor", action="action", subjectType="subject_type"),
        *columns(subjectId="subject_id", reason="reason"),
        Column("details", lambda entry: jsontext.dumps(entry.details)),
    ]

    def title_of(self, row: AuditEntry) -> str:
        return action_name(row.action)

    @display(description=_("action"), ordering="action")
    def action_shown(self, entry: AuditEntry) -> str:
        return action_name(entry.action)

    @display(description=_("details"))
    def details_text(self, entry: AuditEntry) -> str | SafeString:
        return detail_lines(entry.details, entry.subject_type, record_link)

    @display(description=_("reason"), ordering="reason")
    def reason_shown(self, entry: AuditEntry) -> str:
        return act_reason(entry.reason) or "-"


@admin.register(Transition)
class TransitionAdmin(Records):
    shown_if_empty = _(
        "Each change of a state: of orders, payments, payouts and all else that has one."
    )
    list_display = ["when", "kind", "record", "states", "actor_shown", "why"]
    list_filter = [("subject_type", KindFilter), ("to_state", StateFilter), ("at", DaysFilter)]
    search_fields = ["subject_id__exact"]
    search_help_text = _("Id of the record")
    ordering = ["-id"]
    fields = list_display
    readonly_fields = fields

    def title_of(self, row: Transition) -> str:
        """`dispersión: Pendiente → En proceso`."""
        states = (state_name(row.subject_type, each) for each in (row.from_state, row.to_state))
        kind = kind_name(row.subject_type, row.subject_id)
        return f"{kind}: {' → '.join(states)}"

    @display(description=_("status, before and after"))
    def states(self, move: Transition) -> SafeString:
        before, after = (_state_badge(move, each) for each in (move.from_state, move.to_state))
        return format_html('<span class="shell-states">{} → {}</span>', before, after)

    @display(description=_("why"), ordering="reason")
    def why(self, move: Transition) -> str:
        return reason_shown(move) or "-"
