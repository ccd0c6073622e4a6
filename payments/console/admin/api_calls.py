"""The console's pages of the API's calls."""

import contextlib

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import DropdownFilter
from unfold.decorators import display

from payments.api.models import ApiCall
from payments.api.request_log import rows
from payments.console.changelist import DaysFilter, RecordFilter
from payments.console.formatting import badge, link_column, timestamp_column
from payments.console.model_admins import ReadOnlyAdmin
from payments.console.registry import Text
from payments.core import jsontext, money
from payments.core.ids import ID_MAX_LENGTH

CLASSES = {"2": "success", "4": "warning", "5": "danger"}


class ClassFilter(DropdownFilter):
    """Filters by the first digit of the status."""

    title = _("result")
    parameter_name = "result"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, Text]]:
        return [("2", _("2xx: done")), ("4", _("4xx: refused")), ("5", _("5xx: our fault"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[ApiCall]) -> QuerySet[ApiCall]:
        if self.value() not in CLASSES:
            return queryset
        first = int(str(self.value())) * 100
        return queryset.filter(status__gte=first, status__lt=first + 100)


class RouteFilter(DropdownFilter):
    """Filters by the route. The choices are the existing routes, so the table is not scanned."""

    title = _("path")
    parameter_name = "route"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [(route, route) for route in routes()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[ApiCall]) -> QuerySet[ApiCall]:
        return queryset.filter(route=self.value()) if self.value() else queryset


def routes() -> list[str]:
    resolvers = [
        each
        for each in get_resolver().url_patterns
        if isinstance(each, URLResolver) and str(each.pattern) == "api/v1/"
    ]
    return sorted(set(_below("api/v1/", resolvers[0].url_patterns))) if resolvers else []


def _below(prefix: str, patterns: list[URLPattern | URLResolver]) -> list[str]:
    found: list[str] = []
    for each in patterns:
        path = prefix + str(each.pattern)
        nested = isinstance(each, URLResolver) and each.url_patterns
        found += _below(path, nested) if nested else [rows.route(path)]
    return found


@admin.register(ApiCall)
class ApiCallAdmin(ReadOnlyAdmin):
    empty_text = _(
        "What your keys asked of the API in the last days, with the answer: it helps your "
        "developer to find a mistake."
    )
    shown_if_empty = _(
        "What merchants ask of the API, with the answer of the service, for some days."
    )
    merchant_path = "merchant"
    when = timestamp_column("at", _("when"))
    merchant_link = link_column("merchant", _("merchant"))
    list_display = ["when", "call", "result", "code", "took", "merchant_link", "subject_id"]
    list_filter = [
        ClassFilter,
        RouteFilter,
        ("merchant", RecordFilter),
        ("at", DaysFilter),
    ]
    list_filter_submit = True
    search_fields = ["request_id__exact"]
    search_help_text = _("X-Request-Id, X-Api-Key, or the id of an order, payout ...")
    ordering = ["-at"]
    fields = [
        ("when", "merchant_link"),
        ("call", "route"),
        ("result", "code"),
        ("took", "request_id"),
        ("key", "address"),
        ("idempotency_key", "subject_id"),
        "body",
        "answer",
    ]
    readonly_fields = [
        *("when", "merchant_link", "call", "route", "result", "code", "took", "request_id"),
        *("key", "address", "idempotency_key", "subject_id", "body", "answer"),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiCall]:
        calls: QuerySet[ApiCall] = super().get_queryset(request)
        return calls.select_related("merchant").defer("merchant__webhook_secret")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[ApiCall], search_term: str
    ) -> tuple[QuerySet[ApiCall], bool]:
        """Each kind of term uses its own index."""
        if not (term := search_term.strip()):
            return queryset, False
        if term.startswith("pk_"):
            return queryset.filter(key=term), False
        about = Q(subject_id=term) & ~Q(subject_id="") if len(term) <= ID_MAX_LENGTH else Q()
        return queryset.filter(Q(request_id=term) | about), False

    @display(description=_("call"))
    def call(self, call: ApiCall) -> SafeString:
        style = "font-mono text-xs break-all"
        return format_html('<span class="{}">{} {}</span>', style, call.method, call.path)

    @display(description="HTTP", ordering="status")
    def result(self, call: ApiCall) -> SafeString:
        return badge(call.status, CLASSES.get(str(call.status)[:1], "info"))

    @display(description=_("duration"), ordering="duration_ms")
    def took(self, call: ApiCall) -> str:
        return f"{money.grouped(str(call.duration_ms))} ms"

    @display(description=_("body"))
    def body(self, call: ApiCall) -> str | SafeString:
        return _pretty(call.request_body)

    @display(description=_("answer"))
    def answer(self, call: ApiCall) -> str | SafeString:
        return _pretty(call.answer_body)


def _pretty(text: str) -> str | SafeString:
    """JSON with a line for each field. Text that was cut or is not JSON stays unchanged."""
    if not text:
        return "-"
    with contextlib.suppress(jsontext.InvalidJSON):
        text = jsontext.pretty(jsontext.loads(text.encode()))
    style = "font-mono text-xs whitespace-pre-wrap break-all"
    return format_html('<pre class="{}">{}</pre>', style, text)
