"""The button on a list, and the page that asks for the kind of file."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.core.exceptions import PermissionDenied
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    StreamingHttpResponse,
)
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from payments.console import crumbs, tenancy
from payments.console.buttons import button
from payments.console.changelist import COUNT_CAP
from payments.console.exports import builder, column_names, filter_names, permissions, requests
from payments.console.exports.columns import Column, has_personal_data
from payments.console.formatting import admin_url
from payments.console.models import Export
from payments.console.registry import menu_word
from payments.core import clock
from payments.core.errors import ServiceError

EXPORT = "core.export_rows"
# A list with at most this many rows is made inside the request.
AT_ONCE = 2000
FOR_PEOPLE = _("For people: headings and states in words, times in the time of Colombia.")
FOR_PROGRAMS = _("For programs: the names and codes of the API, and times in UTC (ISO 8601).")


class ExportingAdmin(ModelAdmin):
    """Lists with `export_columns` can be exported."""

    export_columns: ClassVar[Sequence[Column]] = ()

    def has_export_permission(self, request: HttpRequest, obj: object = None) -> bool:
        may = self.has_view_permission(request) and request.user.has_perm(EXPORT)
        return bool(self.export_columns) and bool(may)

    def get_urls(self) -> list[URLPattern]:
        urls: list[URLPattern] = super().get_urls()
        if not self.export_columns:
            return urls
        view = self.admin_site.admin_view(self.export)
        return [path("export/", view, name=self._export_name), *urls]

    @property
    def _export_name(self) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_export"

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type:
        """Exports use the list's filters and search, but not its pages."""
        if permissions.is_unpaged(request):
            return permissions.Unpaged
        listed: type = super().get_changelist(request, **kwargs)
        return listed

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Adds the export button, which keeps the filters."""
        response: HttpResponse = super().changelist_view(request, extra_context)
        context = getattr(response, "context_data", None)
        if context is not None and self.has_export_permission(request):
            address = (
                f"{reverse(f'admin:{self._export_name}')}?{permissions.filters_of(request.GET)}"
            )
            export = button(_("Export"), "download", address)
            context["actions_list"] = [*(context.get("actions_list") or ()), export]
        return response

    def export(self, request: HttpRequest) -> HttpResponseBase:
        """Shows a preview of the file. A POST requests the export; a short list is sent at once."""
        if not self.has_export_permission(request):
            raise PermissionDenied
        if request.method not in ("GET", "POST"):
            return HttpResponseNotAllowed(["GET", "POST"])
        query = permissions.filters_of(request.GET)
        asked = permissions.request_of(request.user, query)
        try:
            rows = permissions.rows_of(self, asked).order_by()[: COUNT_CAP + 1].count()
        except permissions.BAD_ADDRESS:
            return redirect(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        if request.method == "GET" or request.POST.get("format") not in Export.Format.values:
            return self._export_page(request, query, rows)
        try:
            return self._make(request, query, is_short=rows <= AT_ONCE)
        except ServiceError as error:
            return self._export_page(request, query, rows, error)

    def _make(self, request: HttpRequest, query: str, *, is_short: bool) -> HttpResponseBase:
        wants_all = bool(request.POST.get("whole")) and self.has_reveal_permission(request)
        export, _is_new = requests.ask(
            user=request.user,
            now=clock.now(),
            model=self.opts.label_lower,
            query=query,
            format=request.POST["format"],
            language=(get_language() or "")[:2],
            is_revealed=wants_all and has_personal_data(self.export_columns),
            scope=permissions.scope_of(request),
        )
        if is_short:
            # If an equal export is under way, another worker makes it. Its page shows the progress.
            mine = builder.claim(now=clock.now(), only=export)
            if mine is not None:
                builder.make(mine)
                mine.refresh_from_db()
                if mine.status == Export.Status.READY:
                    return file_response(mine)
        return redirect(admin_url(export) or "admin:index")

    def _export_page(
        self, request: HttpRequest, query: str, rows: int, error: ServiceError | None = None
    ) -> HttpResponse:
        personal = has_personal_data(self.export_columns)
        back = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        is_merchant = tenancy.is_merchant_user(request)
        named = menu_word(self.opts.label_lower, is_merchant=is_merchant)
        named = named or self.opts.verbose_name_plural
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Export"),
            "crumbs": [crumbs.Crumb(capfirst(str(named)), f"{back}?{query}")],
            "rows": rows if rows <= COUNT_CAP else None,
            "rows_cap": COUNT_CAP,
            "filters": filter_names.of_query(self.model, query),
            "columns": [
                (column_names.in_words(self.model, column), column.header)
                for column in self.export_columns
            ],
            "formats": [
                (Export.Format.XLSX, Export.Format.XLSX.label, FOR_PEOPLE),
                (Export.Format.CSV, Export.Format.CSV.label, FOR_PROGRAMS),
            ],
            "is_masked": personal,
            "may_reveal": personal and self.has_reveal_permission(request),
            "is_short": rows <= AT_ONCE,
            "error": error.shown() if error else "",
            "back_url": f"{back}?{query}",
        }
        status = error.status if error else 200 if request.method == "GET" else 400
        return TemplateResponse(request, "admin/export_ask.html", context, status=status)


def file_response(export: Export) -> StreamingHttpResponse:
    """Raises PermissionDenied."""
    pieces = requests.take(export)
    name = f"{export.model.partition('.')[2]}-{localtime(export.created_at):%Y-%m-%d-%H%M}"
    kind = builder.KINDS[export.format]
    return StreamingHttpResponse(
        pieces,
        content_type=kind.content_type,
        headers={
            "Content-Disposition": f'attachment; filename="{name}.{kind.suffix}"',
            "Cache-Control": "no-store, private",
        },
    )
