"""Lists that read what they show beside their rows for the whole page at once."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from payments.console.model_admins import ReadOnlyAdmin


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
