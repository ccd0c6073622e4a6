"""The page of analytics: orders and attempts of a period, compared with the period before."""

from collections.abc import Iterable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.urls import URLPattern, path, reverse
from django.utils.dateparse import parse_date
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from merchants.models import Merchant
from payments.collect.admin.analytics_figures import (
    ROWS_MAX,
    Figures,
    Query,
    Sums,
    by_bank,
    by_merchant,
    by_method,
    figures,
    reasons,
    sums_of,
)
from payments.collect.admin.overview import ORDER_GROUPS
from payments.collect.models import Order
from payments.collect.services.orders.order_days import DayCount
from payments.console import csvtext, tenancy
from payments.console.charts import Series, chart
from payments.console.csvtext import Cell
from payments.console.exports.changelist import EXPORT
from payments.console.formatting import actor, amount
from payments.console.model_admins import ConsoleAdmin
from payments.console.overview import DAYS_SECONDS, grouped
from payments.core import audit, clock, days, money

DAYS_MAX = 92
DEFAULT_DAYS = 30
MERCHANTS_PICKED = 300
PRESETS = (7, 30, 90)
Status = Order.Status


class AnalyticsPage(ConsoleAdmin):
    """A page beside the list of orders, with the same right."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.analytics)
        return [path("analytics/", view, name="collect_order_analytics"), *super().get_urls()]

    def analytics(self, request: HttpRequest) -> HttpResponse:
        """`?first=&last=&merchant=`; `export=csv` for a file."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        query = read_query(request)
        found = figures(query)
        if request.GET.get("export") == "csv":
            return self._file(request, query, found)
        return self.page(
            request,
            "admin/analytics.html",
            title=_("Analytics"),
            opts=None,  # Otherwise the page would have the title of the list of orders.
            content_title=_("Analytics"),
            **context(request, query, found),
        )

    def _file(self, request: HttpRequest, query: Query, found: Figures) -> HttpResponse:
        if not request.user.has_perm(EXPORT):
            raise PermissionDenied
        audit.record(
            actor=actor(request),
            action="analytics.exported",
            subject=query.merchant or User.objects.get(username=actor(request)),
            first=f"{query.first}",
            last=f"{query.last}",
        )
        text = csvtext.MARK + "".join(csvtext.line(row) for row in file_rows(query, found))
        name = f"analytics-{query.first}-{query.last}.csv"
        headers = {
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "no-store",
        }
        return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=headers)


def read_query(request: HttpRequest) -> Query:
    """Mends what makes no sense: the page says which days it shows. Raises Http404."""
    today = days.day_of(clock.now())
    last = min(_day(request, "last") or today, today)
    first = _day(request, "first") or last - timedelta(days=DEFAULT_DAYS - 1)
    first = max(min(first, last), last - timedelta(days=DAYS_MAX - 1))
    merchant = _merchant(request)
    scope = tenancy.scope(request)
    merchants = scope if merchant is None else frozenset({merchant.pk})
    return Query(first=first, last=last, merchants=merchants, merchant=merchant)


def _day(request: HttpRequest, name: str) -> date | None:
    try:
        found = parse_date(request.GET.get(name, ""))
    except ValueError:  # such as 2026-02-30
        return None
    return found if found is None or found.year > 2000 else None


def _merchant(request: HttpRequest) -> Merchant | None:
    """Raises Http404, the same for an absent merchant and another's."""
    if not (pk := request.GET.get("merchant", "").replace("\x00", "")):
        return None
    own = tenancy.limit(request, Merchant.objects.defer("webhook_secret"), "pk")
    merchant: Merchant | None = own.filter(pk=pk).first()
    if merchant is None:
        raise Http404
    return merchant


def context(request: HttpRequest, query: Query, found: Figures) -> dict[str, Any]:
    now, before = sums_of(found.counts), sums_of(found.before)
    chosen = {"merchant": query.merchant.pk} if query.merchant else {}
    address = reverse("admin:collect_order_analytics")
    period = {"first": query.first, "last": query.last, **chosen}
    return {
        "query": query,
        "before_first": query.before[0],
        "before_last": query.before[1],
        "today": days.day_of(clock.now()),
        "days_max": DAYS_MAX,
        "made_at": found.made_at,
        "renewed_minutes": DAYS_SECONDS // 60,
        "tiles": (tiles := _tiles(now, before)),
        "has_before": any(tile["before"] for tile in tiles),
        "charts": _charts(query, found.counts),
        "tables": _tables(query, found),
        "attempts_since": found.attempts_since if found.attempts_since > query.first else None,
        "presets": [_preset(query, length, chosen, address) for length in PRESETS],
        "picker": _picker(request),
        "export_url": (
            f"{address}?{urlencode({**period, 'export': 'csv'})}"
            if request.user.has_perm(EXPORT)
            else ""
        ),
    }


def _preset(
    query: Query, length: int, chosen: dict[str, str], address: str
) -> tuple[str, str, bool]:
    """Label, address, and whether the page shows it now."""
    today = days.day_of(clock.now())
    period = {"first": today - timedelta(days=length - 1), "last": today}
    is_shown = (query.first, query.last) == (period["first"], period["last"])
    label = gettext("%d days") % length
    return label, f"{address}?{urlencode({**period, **chosen})}", is_shown


def _picker(request: HttpRequest) -> dict[str, Any] | None:
    """None if there is only one merchant to choose. Many are typed, with suggestions."""
    own = tenancy.limit(request, Merchant.objects.all(), "pk").order_by("name")
    named = list(own.values_list("pk", "name")[: MERCHANTS_PICKED + 1])
    if len(named) < 2:
        return None
    return {"named": named[:MERCHANTS_PICKED], "is_typed": len(named) > MERCHANTS_PICKED}


def _tiles(now: Sums, before: Sums) -> list[dict[str, object]]:
    refused = _tile(
        _("Refused orders"), _count(now.refused), Decimal(now.refused), Decimal(before.refused)
    )
    return [
        _tile(_("Collected"), amount(now.paid_amount, "COP"), now.paid_amount, before.paid_amount),
        _tile(_("Paid orders"), _count(now.paid), Decimal(now.paid), Decimal(before.paid)),
        {
            "title": _("Conversion"),
            "value": _percent(now.share),
            **_points(now.share, before.share),
            "before": "" if before.share is None else _percent(before.share),
        },
        _tile(
            _("Average payment"),
            amount(now.average, "COP") if now.average is not None else "-",
            now.average,
            before.average,
        ),
        {**refused, "is_worse": now.refused > before.refused},
    ]


def _tile(
    title: object, value: str, now: Decimal | None, before: Decimal | None
) -> dict[str, object]:
    """`change` is empty if the period before has no figure."""
    change = ""
    if now is not None and before:
        change = f"{(now - before) / before * 100:+.0f} %"
    shown = "" if not before else _count(round(before))
    return {
        "title": title,
        "value": value,
        "change": change,
        "is_worse": change.startswith("-"),
        "before": shown,
    }


def _count(figure: int) -> str:
    return money.grouped(str(figure))


def _percent(share: Decimal | None) -> str:
    return "-" if share is None else amount(round(share, 1), "%")


def _points(now: Decimal | None, before: Decimal | None) -> dict[str, object]:
    if now is None or before is None:
        return {"change": "", "is_worse": False}
    change = now - before
    return {"change": gettext("%s points") % _signed(round(change, 1)), "is_worse": change < 0}


def _signed(value: Decimal) -> str:
    return ("+" if value > 0 else "") + amount(value, "").strip()


def _charts(query: Query, counts: list[DayCount]) -> list[dict[str, object]]:
    states: dict[date, dict[str, int]] = {}
    paid: dict[date, Decimal] = {}
    for each in counts:
        of_day = states.setdefault(each.day, {})
        of_day[each.status] = of_day.get(each.status, 0) + each.orders
        if each.status == Status.COMPLETED and each.currency == "COP":
            paid[each.day] = paid.get(each.day, Decimal(0)) + each.amount
    values = [paid.get(day, Decimal(0)) for day in query.period]
    series = [Series("COP", "good", values, [amount(value, "COP") for value in values])]
    note = gettext("By day of creation in Bogotá, in the state they have now")
    by_state = grouped(query.period, states, ORDER_GROUPS)
    return [
        chart(_("Paid, in pesos"), note, query.period, series),
        chart(_("Orders by state"), note, query.period, by_state),
    ]


def _tables(query: Query, found: Figures) -> list[dict[str, object]]:
    tables = [
        {"title": _("By method"), "what": _("attempts"), "rows": by_method(found.attempts)},
        {"title": _("By bank"), "what": _("attempts"), "rows": by_bank(found.attempts)},
    ]
    if found.by_merchant:
        rows = by_merchant(found.by_merchant, query)
        tables.append({"title": _("By merchant"), "what": _("orders"), "rows": rows})
    return [
        *({**table, "rows": table["rows"][:ROWS_MAX]} for table in tables),  # type: ignore[index]
        {
            "title": _("Reasons of refusal"),
            "what": _("attempts"),
            "reasons": reasons(found.attempts)[:ROWS_MAX],
        },
    ]


def file_rows(query: Query, found: Figures) -> Iterable[list[Cell]]:
    """One table for all parts, because a spreadsheet sorts and filters it."""
    yield ["part", "name", "currency", "orders", "paid", "refused", "expired", "paidAmount"]
    for day in query.period:
        for currency in sorted({each.currency for each in found.counts if each.day == day}):
            rows = [e for e in found.counts if e.day == day and e.currency == currency]
            yield ["day", day, currency, *_cells(rows)]
    for part, rows_of in (("method", by_method), ("bank", by_bank)):
        for each in rows_of(found.attempts):
            yield [part, each.name, "COP", each.count, each.good, each.bad, "", each.amount]
    for each in by_merchant(found.by_merchant, query):
        yield ["merchant", each.name, "COP", each.count, each.good, each.bad, "", each.amount]
    for reason, count, _share in reasons(found.attempts):
        yield ["reason", reason, "", count, "", count, "", ""]


def _cells(rows: list[DayCount]) -> list[Cell]:
    sums = sums_of(rows)
    paid = sum((row.amount for row in rows if row.status == Status.COMPLETED), Decimal(0))
    return [sums.orders, sums.paid, sums.refused, sums.expired, paid]
