"""The page to drop a statement on, and what became of the files."""

from django import forms
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget

from payments.console.actions import Cleaned, ConfirmedAction
from payments.console.formatting import actor, admin_url, badge, link_column, timestamp_column
from payments.console.model_admins import PossibleActions
from payments.console.widgets import FileWidget
from payments.core import clock, money
from payments.reconciliation.models import BankAccount, StatementUpload
from payments.reconciliation.services import uploads

Status = StatementUpload.Status
KINDS = {
    Status.WAITING: "info",
    Status.RUNNING: "info",
    Status.DONE: "success",
    Status.REFUSED: "danger",
}
REFRESH_SECONDS = 2


class UploadForm(forms.Form):
    file = forms.FileField(
        label=_("File of the bank"),
        max_length=200,
        widget=FileWidget(),
        help_text=_("Its format is recognised by its content."),
    )
    account = forms.ModelChoiceField(
        label=_("Bank account"),
        queryset=BankAccount.objects.order_by("slug"),
        required=False,
        empty_label=_("The one with the number in the file"),
        widget=UnfoldAdminSelectWidget(),
    )
    accepted_gap = forms.CharField(
        label=_("If movements before it are missing: why it is imported nevertheless"),
        min_length=3,
        max_length=500,
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text=_("Leave it empty to be told what is missing."),
    )

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        most = settings.BANK_STATEMENT_UPLOAD_MAX_BYTES
        if (file.size or 0) > most:
            text = gettext("It has %(size)s bytes, and at most %(most)s can be uploaded.")
            raise forms.ValidationError(text % {"size": file.size, "most": most})
        return file


UPLOAD = ConfirmedAction(
    verb="add",
    title=_("Import a statement"),
    explanation=_(
        "The file is imported whole, or refused whole with the line and the reason. The same "
        "movement is stored once, whatever files have it."
    ),
    submit=_("Import"),
    form_class=UploadForm,
)
ACCEPT_GAP = ConfirmedAction(
    verb="add",
    title=_("Import it nevertheless"),
    explanation=_(
        "The movements that are missing before the file stay missing until their file is imported. "
        "Reconciliation shows their sum as a difference until then."
    ),
    submit=_("Import"),
    danger=True,
)


@admin.register(StatementUpload)
class StatementUploadAdmin(PossibleActions):
    uploaded = timestamp_column("uploaded_at", _("uploaded at"))
    finished = timestamp_column("finished_at", _("finished at"))
    became = link_column("file", _("statement"))
    shown_if_empty = _("Files that people uploaded, until they are taken in or refused.")
    list_display = ["name", "state", "progress", "reason", "became", "uploaded_by", "uploaded"]
    list_filter = ["status"]
    list_select_related = ["file"]
    search_fields = ["=name", "=sha256"]
    search_help_text = _("Name of the file, or its SHA-256")
    ordering = ["-id"]
    fields = [
        ("name", "size"),
        ("state", "progress"),
        ("reason", "line"),
        ("became", "accepted_gap"),
        "sha256",
        ("uploaded", "finished"),
        "uploaded_by",
    ]
    readonly_fields = ["state", "progress", "became", "uploaded", "finished"]
    actions_detail = ["accept_gap"]

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return self.has_right(request, "add")

    def get_queryset(self, request: HttpRequest) -> QuerySet[StatementUpload]:
        rows: QuerySet[StatementUpload] = super().get_queryset(request)
        return rows.select_related("file", "account")

    def possible(self, row: StatementUpload) -> set[str]:
        return {"accept_gap"} if row.is_gap else set()

    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied

        def perform(form: Cleaned) -> HttpResponse:
            new = uploads.NewUpload(
                name=form["file"].name,
                chunks=form["file"].chunks(),
                account=form["account"].pk if form["account"] else "",
                accepted_gap=form["accepted_gap"],
            )
            upload = uploads.store_upload(new=new, actor=actor(request), now=clock.now())
            return redirect(str(admin_url(upload)))

        return self.confirm_first(request, None, UPLOAD, perform)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """The page loads itself again until the import has ended, also without JavaScript."""
        response: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
        upload = (getattr(response, "context_data", None) or {}).get("original")
        if upload is not None and upload.status in StatementUpload.OPEN:
            response.headers["Refresh"] = str(REFRESH_SECONDS)
        return response

    @display(description=_("status"), ordering="status")
    def state(self, upload: StatementUpload) -> SafeString:
        return badge(upload.get_status_display(), KINDS[Status(upload.status)])

    @display(description=_("progress"))
    def progress(self, upload: StatementUpload) -> str:
        if upload.status != Status.RUNNING:
            return "-"
        if (found := uploads.progress_of(upload)) is None:
            return gettext("reading the file")
        done, total = (money.grouped(str(count)) for count in found)
        return gettext("%(done)s of %(total)s movements") % {"done": done, "total": total}

    @action(description=ACCEPT_GAP.title, icon="playlist_add_check", permissions=["add"])
    def accept_gap(self, request: HttpRequest, object_id: str) -> HttpResponse:
        upload: StatementUpload = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            uploads.accept_gap(upload=upload, actor=actor(request), now=clock.now(), **form)
            return self.done(request, upload, ACCEPT_GAP)

        return self.confirm_first(request, upload, ACCEPT_GAP, perform)
