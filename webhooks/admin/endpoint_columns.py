"""Columns of endpoints, their newest deliveries, and the row of the account's own URL."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib.admin.views.main import ALL_VAR, ORDER_VAR, PAGE_VAR, ChangeList
from django.db.models import Count, Model, OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from merchants.models import Merchant
from payments.console import tenancy
from payments.console.cells import two_lines
from payments.console.formatting import admin_url, badge, link_column, time_element
from payments.core import clock
from webhooks import endpoints
from webhooks.admin import words
from webhooks.admin.inlines import STATUS_LABELS
from webhooks.endpoint_models import Endpoint
from webhooks.models import Delivery, Status

FAILED_HOURS = 24
# Of these parameters none but the merchant narrows the list.
_WIDE = {PAGE_VAR, ORDER_VAR, ALL_VAR, "merchant__id__exact"}
# The account has no index of its own deliveries: they are looked for among the newest of the
# merchant.
NEWEST = 1000


def with_figures(rows: QuerySet[Endpoint], now: datetime) -> QuerySet[Any]:
    """Each with its newest delivery, and how many failed or are tried again."""
    own = Delivery.objects.filter(endpoint=OuterRef("pk"))
    return _annotated(rows, own, own.filter(merchant=OuterRef("merchant")), now)


def accounts(merchant_ids: list[str], now: datetime) -> list[Endpoint]:
    """The URLs of these accounts, as rows of the list."""
    newest = Delivery.objects.filter(merchant=OuterRef(OuterRef("pk")))
    newest_ids = newest.order_by("-created_at", "-id").values("pk")[:NEWEST]
    own = Delivery.objects.filter(merchant=OuterRef("pk"), endpoint=None)
    last = Delivery.objects.filter(pk__in=newest_ids, endpoint=None)
    rows = Merchant.objects.filter(pk__in=merchant_ids).defer("webhook_secret").order_by("pk")
    return [_account(merchant) for merchant in _annotated(rows, last, own, now)]


def _annotated(rows: QuerySet[Any], last: Any, own: Any, now: datetime) -> QuerySet[Any]:
    last = last.order_by("-created_at", "-id")
    since = now - timedelta(hours=FAILED_HOURS)
    found: QuerySet[Any] = rows.annotate(
        last_id=Subquery(last.values("pk")[:1]),
        last_status=Subquery(last.values("status")[:1]),
        last_at=Subquery(last.values("created_at")[:1]),
        failed_count=_count(own.filter(status=Status.FAILED, created_at__gte=since)),
        retried_count=_count(own.filter(status=Status.PENDING, attempts__gt=0)),
    )
    return found


def _count(deliveries: QuerySet[Delivery]) -> Subquery:
    grouped = deliveries.order_by().values("merchant").annotate(count=Count("pk"))
    return Subquery(grouped.values("count"))


def _account(merchant: Any) -> Endpoint:
    of_account = endpoints.Destination(merchant=merchant)
    row: Any = Endpoint(
        pk=of_account.id,
        merchant=merchant,
        url=of_account.url or "",
        kinds=of_account.kinds,
        is_enabled=of_account.is_enabled,
        created_at=merchant.created_at,
    )
    row.is_account = True
    for name in ("last_id", "last_status", "last_at", "failed_count", "retried_count"):
        setattr(row, name, getattr(merchant, name))
    found: Endpoint = row
    return found


class EndpointList(ChangeList):
    """The URLs of the accounts come first, on the first page of a list that is not narrowed."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        merchants = [] if set(request.GET) - _WIDE else shown_merchants(request)
        if self.page_num != 1 or not merchants:
            return
        first = accounts(merchants, clock.now())
        self.result_list = [*first, *self.result_list]
        self.result_count += len(first)
        self.full_result_count = self.result_count

    def url_for_result(self, result: Model) -> str:
        if getattr(result, "is_account", False):
            return admin_url(result.merchant) or ""  # type: ignore[attr-defined]
        url: str = super().url_for_result(result)
        return url


def shown_merchants(request: HttpRequest) -> list[str]:
    """Whose endpoints are listed: of the chosen merchant, or of the person's own."""
    if chosen := request.GET.get("merchant__id__exact"):
        return [chosen] if tenancy.contains(request, chosen) else []
    return tenancy.merchants(request) if tenancy.is_merchant_user(request) else []


class EndpointColumns:
    merchant_link = link_column("merchant", _("merchant"))

    @display(description=_("endpoint"))
    def named(self, row: Endpoint) -> SafeString | str:
        """The description, and below it the URL. Without a description the URL is the name."""
        is_account = getattr(row, "is_account", False)
        name = gettext("Main URL of the account") if is_account else row.description
        if not name:
            return row.url
        return two_lines(name, row.url or gettext("None yet"))

    @display(description=_("events"))
    def events(self, row: Endpoint) -> SafeString:
        """How many, and as a title which."""
        text = ngettext("%(count)s event", "%(count)s events", len(row.kinds))
        names = ", ".join(words.of_kind(kind) for kind in row.kinds)
        return format_html('<span title="{}">{}</span>', names, text % {"count": len(row.kinds)})

    @display(description=_("state"))
    def state(self, row: Endpoint) -> SafeString:
        if row.deleted_at:
            return badge(pgettext("webhook endpoint", "Removed"), "default")
        if row.is_enabled:
            return badge(pgettext("webhook endpoint", "On"), "success")
        if getattr(row, "is_account", False):
            return badge(pgettext("webhook endpoint", "Without a URL"), "warning")
        return badge(pgettext("webhook endpoint", "Off"), "warning")

    @display(description=_("last delivery"))
    def last(self, row: Any) -> str | SafeString:
        if not row.last_id:
            return "-"
        status = Status(row.last_status)
        return format_html(
            '<span class="shell-beside">{} <span class="desk-small">{}</span></span>',
            badge(status.label, STATUS_LABELS[status]),
            time_element(row.last_at),
        )

    @display(description=_("failed, 24 h"))
    def failing(self, row: Any) -> str | SafeString:
        """Of 24 hours those that failed for good, and those that are tried again."""
        failed, retried = row.failed_count or 0, row.retried_count or 0
        texts = []
        if failed:
            texts.append(pgettext("deliveries", "%(count)s failed") % {"count": failed})
        if retried:
            texts.append(pgettext("deliveries", "%(count)s being retried") % {"count": retried})
        return badge(", ".join(texts), "danger" if failed else "warning") if texts else "-"
