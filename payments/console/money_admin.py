"""Base of the read-only pages of money. Rows have `merchant`, `created_at`, `status` and our id."""

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, TypeVar

from django.contrib.admin import AdminSite
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console.changelist import DaysFilter, RecordFilter
from payments.console.formatting import link
from payments.console.model_admins import ReadOnlyAdmin
from payments.console.state_words import add_state_colours, state_badge

# A search that finds more ids than this is too vague.
FOUND_MAX = 1000
WHOSE_AND_WHEN = [("merchant", RecordFilter), ("created_at", DaysFilter)]


M = TypeVar("M", bound=Model)


class MoneyRow(Protocol):
    merchant: Model
    status: str

    def get_status_display(self) -> str: ...


class MoneyAdmin(ReadOnlyAdmin):
    """Rows of one table, of all merchants, newest first."""

    # The colour of each status: success, danger, warning, info or default.
    labels: ClassVar[Mapping[str, str]]
    tab_field = "status"
    # Rows of other tables that the list shows.
    related: ClassVar[tuple[str, ...]] = ()
    search_fields = ["id__startswith"]  # shows the box; get_search_results decides
    change_form_outer_after_template = "admin/tables.html"

    def __init__(self, model: type[Model], site: AdminSite) -> None:
        super().__init__(model, site)
        if hasattr(self, "labels"):
            add_state_colours(str(model._meta.model_name), self.labels)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        return rows.select_related("merchant", *self.related).defer("merchant__webhook_secret")

    def get_ordering(self, request: HttpRequest) -> list[str]:
        """Newest first, along the index that serves the filter. Ids sort by time."""
        if "merchant__id__exact" in request.GET:
            return ["-created_at", "-id"]
        return ["-id"]

    @display(description=_("merchant"))
    def merchant_link(self, row: MoneyRow) -> str | SafeString:
        return link(row.merchant)

    @display(description=_("status"), ordering="status")
    def status_label(self, row: MoneyRow) -> SafeString:
        return state_badge(row, self.labels)


def by_id(rows: QuerySet[M], beginning: str) -> QuerySet[M]:
    """Rows whose id begins with the term.

    It uses a range, because a prepared statement cannot use the index for LIKE.
    """
    return rows.filter(pk__gte=beginning, pk__lt=beginning + "{")
