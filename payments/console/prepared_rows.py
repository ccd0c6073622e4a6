"""Lists that read what they show beside their rows for the whole page at once."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console.model_admins import ReadOnlyAdmin
from payments.console.subjects import NOTHING, about, facts_of


class PreparedRows(ReadOnlyAdmin):
    """A handful of queries for a page, however many rows it has."""

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        response: HttpResponse = super().changelist_view(request, extra_context)
        context = getattr(response, "context_data", None)
        if context is not None and (changes := context.get("cl")) is not None:
            changes.result_list = self.prepare(list(changes.result_list))
        return response

    def prepare(self, rows: list[Any]) -> list[Any]:
        """Sets attributes that the columns show."""
        return rows


class RowsAboutRecords(PreparedRows):
    """Rows that are about a record of another kind, such as an order."""

    def subject_holder(self, row: Any) -> Any:
        """What has the `subject_id`: the row, or a record that it belongs to."""
        return row

    def prepare(self, rows: list[Any]) -> list[Any]:
        """Sets `subject_facts` on the holder of each."""
        holders = [self.subject_holder(row) for row in rows]
        known = facts_of(holder.subject_id for holder in holders)
        for holder in holders:
            holder.subject_facts = known.get(holder.subject_id, NOTHING)
        return super().prepare(rows)

    @display(description=_("about"))
    def about_shown(self, row: Any) -> str:
        """The reference and the other party, with a link."""
        holder = self.subject_holder(row)
        if not holder.subject_id:
            return "-"
        known = getattr(holder, "subject_facts", None)
        if known is None:
            known = facts_of([holder.subject_id]).get(holder.subject_id, NOTHING)
        return about(holder.subject_id, known)
