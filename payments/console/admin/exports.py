"""The user's own exports: the list, one with its progress, the download."""

from django.apps import apps
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console import crumbs
from payments.console.exports import filter_names, requests
from payments.console.exports.changelist import EXPORT, file_response
from payments.console.formatting import admin_url, badge, list_url, timestamp_column, when
from payments.console.model_admins import ReadOnlyAdmin
from payments.console.models import Export
from payments.core import clock

Status = Export.Status
LABELS = {
    Status.WAITING: "info",
    Status.RUNNING: "info",
    Status.READY: "success",
    Status.FAILED: "danger",
    Status.CANCELLED: "default",
    Status.FORGOTTEN: "default",
}


@admin.register(Export)
class ExportAdmin(ReadOnlyAdmin):
    empty_text = _(
        "Every list has the button “Export”: large files are made here, and you download "
        "them when they are ready."
    )
    shown_if_empty = _(
        "Lists have a button “Export”. Large files are made here, and you download them when "
        "they are ready."
    )
    asked = timestamp_column("created_at", _("asked at"))
    list_display = ["asked", "list_name", "format", "status_label", "rows_done"]
    list_display_links = ["asked"]
    ordering = ["-id"]

    user_path = "user"
    merchant_pages = frozenset({"changelist_view", "change_view", "state", "download", "cancel"})

    # Users see only their own exports, so the right to view does not apply.

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm(EXPORT))

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return bool(request.user.has_perm(EXPORT))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Export]:
        return Export.objects.filter(user=request.user.pk)

    def get_urls(self) -> list[URLPattern]:
        own = [
            path(f"<path:object_id>/{name}/", self.admin_site.admin_view(view), name=full)
            for name, full, view in (
                ("state", "console_export_state", self.state),
                ("download", "console_export_download", self.download),
                ("cancel", "console_export_cancel", self.cancel),
            )
        ]
        return [*own, *super().get_urls()]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        context = {"title": _("Your exports"), **(extra_context or {})}
        return super().changelist_view(request, context)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """Shows the progress and the possible actions. Without JavaScript the page reloads."""
        export = self._own(request, object_id)
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        opts = apps.get_model(export.model)._meta
        address = reverse(f"admin:{opts.app_label}_{opts.model_name}_changelist")
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": self.list_name(export),
            "export": export,
            "status_badge": self.status_label(export),
            "percent": percent(export),
            "is_open": export.status in Export.OPEN,
            "is_ready": export.status == Status.READY,
            "filters": filter_names.in_words(
                apps.get_model(export.model), requests.filters_shown(export.query)
            ),
            "asked": when(export.created_at),
            "until": when(requests.kept_until(export)),
            "crumbs": [crumbs.Crumb(_("Your exports"), list_url(Export))],
            "list_url": f"{address}?{export.query}",
        }
        return TemplateResponse(request, "admin/export.html", context)

    def state(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The JSON that the page polls while the export is made."""
        export = self._own(request, object_id)
        return JsonResponse(
            {
                "status": export.status,
                "rowsDone": export.rows_done,
                "rowsTotal": export.rows_total,
                "percent": percent(export),
            }
        )

    def download(self, request: HttpRequest, object_id: str) -> HttpResponseBase:
        """Only the owner can download, and only while the owner's rights are unchanged."""
        export = self._own(request, object_id)
        if request.method != "GET":
            return HttpResponseNotAllowed(["GET"])
        if export.status != Status.READY:
            return redirect(admin_url(export) or "admin:index")
        return file_response(export)

    def cancel(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The worker that writes the export notices the cancellation at its next piece."""
        export = self._own(request, object_id)
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        requests.cancel(export, clock.now())
        return redirect(admin_url(export) or "admin:index")

    def _own(self, request: HttpRequest, object_id: str) -> Export:
        """Raises PermissionDenied and Http404.

        An export of another user looks as if it did not exist.
        """
        if not self.has_view_permission(request):
            raise PermissionDenied
        export = self.get_queryset(request).filter(pk=unquote(object_id)).first()
        if export is None:
            raise Http404
        return export

    @display(description=_("list"))
    def list_name(self, export: Export) -> str:
        return capfirst(str(apps.get_model(export.model)._meta.verbose_name_plural))

    @display(description=_("status"))
    def status_label(self, export: Export) -> SafeString:
        return badge(export.get_status_display(), LABELS[Status(export.status)])


def percent(export: Export) -> int:
    if export.status == Status.READY:
        return 100
    return min(99, 100 * export.rows_done // export.rows_total) if export.rows_total else 0
