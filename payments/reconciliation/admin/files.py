"""Statements that were imported."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console.buttons import Button, button
from payments.console.exports import columns
from payments.console.formatting import amount, anchor, link_column, timestamp_column
from payments.console.model_admins import ReadOnlyAdmin
from payments.core import money
from payments.reconciliation.models import StatementFile
from payments.reconciliation.services import imports


def pesos(field: str, label: Any) -> Any:
    @display(description=label)
    def column(_page: object, row: object) -> str:
        return amount(getattr(row, field), money.FIAT)

    return column


def _add_button(context: dict[str, Any], added: Button) -> None:
    context["actions_list"] = [*(context.get("actions_list") or ()), added]


@admin.register(StatementFile)
class StatementFileAdmin(ReadOnlyAdmin):
    imported = timestamp_column("imported_at", _("imported at"))
    of_account = link_column("account", _("bank account"))
    opened = pesos("opening", _("opening balance"))
    closed = pesos("closing", _("closing balance"))
    came_in = pesos("credits", _("credits"))
    went_out = pesos("debits", _("debits"))
    shown_if_empty = _(
        "Statements of our own bank accounts that were taken in. Import the first one."
    )
    list_display = [
        *("name", "of_account", "format", "first_day", "last_day", "lines", "new_lines"),
        *("closed", "imported"),
    ]
    list_select_related = ["account"]
    list_filter = ["account", "format", "source"]
    search_fields = ["=sha256", "=name"]
    search_help_text = _("Name of the file, or its SHA-256")
    ordering = ["-id"]
    fields = [
        ("name", "of_account"),
        ("format", "is_complete"),
        ("first_day", "last_day"),
        ("opened", "closed"),
        ("lines", "new_lines"),
        ("came_in", "went_out"),
        ("movements", "gap_shown"),
        ("sha256", "size"),
        ("source", "imported"),
        "imported_by",
    ]
    readonly_fields = [
        *("of_account", "opened", "closed", "came_in", "went_out", "movements", "gap_shown"),
        "imported",
    ]
    export_columns = [
        *columns.fields(account="account_id", file="name", sha256="sha256", format="format"),
        *columns.fields(firstDay="first_day", lastDay="last_day", lines="lines"),
        *columns.fields(newLines="new_lines", opening="opening", closing="closing"),
        *columns.fields(credits="credits", debits="debits", importedAt="imported_at"),
        *columns.fields(importedBy="imported_by"),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[StatementFile]:
        rows: QuerySet[StatementFile] = super().get_queryset(request)
        return rows.select_related("account", "gap")

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Adds the buttons of the upload and of the refused files, of which only the audit log
        knows.
        """
        response: HttpResponse = super().changelist_view(request, extra_context)
        context = getattr(response, "context_data", None)
        if context is not None and request.user.has_perm("reconciliation.add_statementupload"):
            address = reverse("admin:reconciliation_statementupload_add")
            _add_button(context, button(_("Import a statement"), "upload_file", address))
        if context is not None and request.user.has_perm("core.view_auditentry"):
            address = f"{reverse('admin:core_auditentry_changelist')}?action={imports.REFUSED}"
            _add_button(context, button(_("Refused files"), "block", address))
        return response

    @display(description=_("movements"))
    def movements(self, file: StatementFile) -> SafeString | str:
        """Also those that an earlier file had."""
        address = reverse("admin:reconciliation_statementline_changelist")
        return anchor(f"{address}?sources__file__id__exact={file.pk}", gettext("Show"))

    @display(description=_("gap before it"))
    def gap_shown(self, file: StatementFile) -> str:
        gap = getattr(file, "gap", None)
        if gap is None:
            return "-"
        return f"{gap.first_day} - {gap.last_day}: {gap.reason} ({gap.accepted_by})"
