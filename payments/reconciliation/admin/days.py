"""The reconciliation page: calendars of the month, and a day in three columns."""

from datetime import date, timedelta

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console.changelist import DatesFilter
from payments.console.exports.changelist import EXPORT
from payments.console.exports.columns import fields as columns
from payments.console.formatting import badge, timestamp_column
from payments.console.model_admins import ReadOnlyAdmin
from payments.core import clock, days
from payments.reconciliation.admin import day_exports, day_pages
from payments.reconciliation.models import AccountKind, DayStatus, ReconciledDay
from payments.reconciliation.services.days import accounts
from payments.reconciliation.services.days.accounts import DayAccount

LABELS = {
    DayStatus.GREEN: "success",
    DayStatus.OPEN: "warning",
    DayStatus.RED: "danger",
    DayStatus.GREY: "default",
}
# No statement is older.
FIRST_YEAR = 2000


@admin.register(ReconciledDay)
class ReconciledDayAdmin(ReadOnlyAdmin):
    computed = timestamp_column("computed_at", _("computed at"))
    list_display = ["day", "account", "account_kind", "state", "computed"]
    list_display_links = None
    list_filter = ["status", "account", ("day", DatesFilter)]
    ordering = ["-day", "account_kind", "account"]
    fields = ["day", "account", "account_kind", "state", "computed"]
    readonly_fields = fields
    export_columns = [
        *columns(day="day", kind="account_kind", account="account", status="status"),
        *columns(computedAt="computed_at"),
    ]

    @display(description=_("status"), ordering="status")
    def state(self, row: ReconciledDay) -> SafeString:
        return badge(row.get_status_display(), LABELS[DayStatus(row.status)])

    def get_urls(self) -> list[URLPattern]:
        view, of_day = self.admin_site.admin_view, "<str:kind>/<slug:slug>/<str:day>/"
        own = [
            path(f"day/{of_day}", view(self.day), name="reconciliation_day"),
            path(
                f"day/{of_day}<slug:name>.<slug:suffix>",
                view(self.file),
                name="reconciliation_file",
            ),
            path("month/<str:month>/", view(self.month), name="reconciliation_month"),
        ]
        return [*own, *super().get_urls()]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Without a filter, the calendars of this month."""
        if request.method == "GET" and not request.GET:
            return self._calendars(request, days.day_of(clock.now()).replace(day=1))
        return super().changelist_view(request, extra_context)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        row: ReconciledDay = self.get_record(request, object_id)
        return self.day(request, row.account_kind, row.account, row.day.isoformat())

    def month(self, request: HttpRequest, month: str) -> HttpResponse:
        return self._calendars(request, _day(f"{month}-01"))

    def _calendars(self, request: HttpRequest, month: date) -> HttpResponse:
        self._check(request)
        context = day_pages.month_context(month, days.day_of(clock.now()))
        return self.page(request, "admin/reconciliation/month.html", **context)

    def day(self, request: HttpRequest, kind: str, slug: str, day: str) -> HttpResponse:
        self._check(request)
        account, of_day = _account(kind, slug), _day(day)
        chosen = {name: request.GET.get(name, "") for name in ("kind", "flow")}
        context = day_pages.day_context(account, of_day, days.day_of(clock.now()), chosen)
        if request.user.has_perm(EXPORT):
            context["exports"] = day_pages.exports(account, of_day)
        return self.page(request, "admin/reconciliation/day.html", **context)

    def file(
        self, request: HttpRequest, kind: str, slug: str, day: str, name: str, suffix: str
    ) -> HttpResponseBase:
        """For people who may export lists."""
        self._check(request)
        if not request.user.has_perm(EXPORT):
            raise PermissionDenied
        if request.method != "GET":
            return HttpResponseNotAllowed(["GET"])
        account, of_day = _account(kind, slug), _day(day)
        today = days.day_of(clock.now())
        return day_exports.response(request, account, of_day, today, name, suffix)

    def _check(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied


def _account(kind: str, slug: str) -> DayAccount:
    try:
        return accounts.find_account(slug, AccountKind(kind.upper()))
    except (ValueError, accounts.UnknownAccount):
        raise Http404 from None


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise Http404 from None
    if day.year < FIRST_YEAR or day > days.day_of(clock.now()) + timedelta(days=366):
        raise Http404
    return day
