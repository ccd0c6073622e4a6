"""Settlement files of acquirers: the list, and the import."""

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget

from payments.console.actions import Cleaned, ConfirmedAction
from payments.console.exports.columns import fields as columns
from payments.console.formatting import actor, amount, badge, link, table, timestamp_column
from payments.console.model_admins import ReadOnlyAdmin
from payments.console.widgets import DateWidget, FileWidget
from payments.core import clock, money
from payments.rails.models import ProviderAccount
from payments.reconciliation.models import Disbursement, SettlementFile
from payments.reconciliation.services.disbursements.imports import (
    SettlementUpload,
    import_settlement,
)
from payments.reconciliation.settlement_formats import PARSERS

STATUS_LABELS = {"ANNOUNCED": "info", "LATE": "danger", "ARRIVED": "success"}


def accounts() -> list[tuple[str, str]]:
    """Also those that are switched off: their last money is still to come."""
    rows = ProviderAccount.objects.filter(provider__in=PARSERS).order_by("pk")
    return [(row.pk, str(row)) for row in rows]


class ImportForm(forms.Form):
    account = forms.ChoiceField(
        label=_("Provider account"), choices=accounts, widget=UnfoldAdminSelectWidget()
    )
    file = forms.FileField(
        label=_("File"),
        widget=FileWidget({"accept": ".csv,.txt,text/csv"}),
        help_text=_("The CSV of disbursements, as the acquirer's dashboard gives it."),
    )
    day = forms.DateField(
        label=_("Day of the disbursement"),
        required=False,
        widget=DateWidget(),
        help_text=_("Only for a file that does not name it."),
    )


IMPORT = ConfirmedAction(
    verb="add",
    title=_("Import a settlement file"),
    explanation=_(
        "The file is taken whole, or refused whole with the line and the reason. The same file "
        "twice changes nothing."
    ),
    submit=_("Import"),
    form_class=ImportForm,
)


@admin.register(SettlementFile)
class SettlementFileAdmin(ReadOnlyAdmin):
    imported = timestamp_column("imported_at", _("imported at"))
    shown_if_empty = _(
        "Files of an acquirer that say which payments it sent to the bank as one sum, and what "
        "it took."
    )
    list_display = ["name", "account", "payments", "new_payments", "imported_by", "imported"]
    list_filter = ["account"]
    search_fields = ["=id", "=sha256", "name__icontains"]
    ordering = ["-id"]
    list_select_related = ["account"]
    fields = [
        ("name", "account"),
        ("payments", "new_payments"),
        ("imported_by", "imported"),
        ("sha256", "size"),
    ]
    readonly_fields = [name for pair in fields for name in pair]
    change_form_outer_after_template = "admin/tables.html"
    export_columns = [
        *columns(id="pk", account="account_id", file="name", sha256="sha256", bytes="size"),
        *columns(payments="payments", newPayments="new_payments"),
        *columns(importedBy="imported_by", importedAt="imported_at"),
    ]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("reconciliation.add_settlementfile"))

    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied

        def perform(form: Cleaned) -> HttpResponse:
            file: UploadedFile = form["file"]
            taken = import_settlement(
                upload=SettlementUpload(
                    account=form["account"],
                    name=file.name or "",
                    data=file.read(),
                    day=form["day"],
                ),
                actor=actor(request),
                now=clock.now(),
            )
            text = gettext("%(count)d new payments.") % {"count": taken.file.new_payments}
            if not taken.is_new:
                text = gettext("This very file was imported before. Nothing was changed.")
            return self.done(request, taken.file, IMPORT, text)

        return self.confirm_first(request, None, IMPORT, perform)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        response = super().change_view(request, object_id, form_url, extra_context)
        context = getattr(response, "context_data", None)
        if context is not None and (row := context.get("original")) is not None:
            context["tables"] = [_disbursements(row)]
        return response


def _disbursements(file: SettlementFile) -> dict[str, object]:
    headers = (_("day"), _("disbursement"), _("payments"), _("gross"), _("net"), _("status"))
    rows = [
        [
            f"{one.day}",
            link(one, one.number or one.pk),
            one.payments,
            amount(one.gross, money.FIAT),
            amount(one.net, money.FIAT),
            status_label(one),
        ]
        for one in file.disbursements.order_by("day", "number")[:100]
    ]
    return table(_("Disbursements that were new"), headers, rows)


def status_label(row: Disbursement) -> str:
    return badge(row.get_status_display(), STATUS_LABELS[row.status])
