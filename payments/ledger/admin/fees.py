"""Fees earned: by day, method and merchant, with totals of what the filters leave."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.db.models import QuerySet, Sum
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console.changelist import DatesFilter, RecordFilter
from payments.console.code_words import code_words, words_column
from payments.console.exports.columns import Column
from payments.console.exports.columns import fields as columns
from payments.console.formatting import amount, amount_column, day, link_column, table
from payments.console.model_admins import ReadOnlyAdmin
from payments.console.registry import Text
from payments.core import clock
from payments.core.days import day_of
from payments.ledger.models import FeeDay, entry_kinds

ROWS_MAX = 100


@admin.register(FeeDay)
class FeeDayAdmin(ReadOnlyAdmin):
    """The rows lag behind the ledger by a minute or two (services/day_totals.py)."""

    merchant_link = link_column("merchant", _("merchant"))
    amount_shown = amount_column("amount", _("fees"), is_sortable=True, is_signed=True)
    method_shown = words_column("method", _("method"))
    shown_if_empty = _(
        "Our fees of each day, by merchant and method. The first row comes with the first "
        "payment that has a fee."
    )
    list_display = ["day", "kind", "method_shown", "merchant_link", "amount_shown", "postings"]
    list_display_links = None
    list_filter = [
        ("day", DatesFilter),
        "currency",
        "kind",
        ("merchant", RecordFilter),
    ]
    search_fields = ["method__iexact", "merchant__id__exact"]
    search_help_text = _("Method, or id of the merchant")
    ordering = ["-day", "kind", "method", "-id"]
    fields = list_display
    readonly_fields = fields
    list_before_template = "admin/fees.html"
    export_columns = [
        Column("day", lambda row: row.day.isoformat()),
        *columns(kind="kind", method="method", merchantId="merchant_id"),
        Column("merchant", lambda row: row.merchant.name if row.merchant else ""),
        *columns(currency="currency", fees="amount", postings="postings"),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[FeeDay]:
        rows: QuerySet[FeeDay] = super().get_queryset(request)
        return rows.select_related("merchant").defer("merchant__webhook_secret")

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """This month, unless the reader asks for other days."""
        if not request.GET:
            today = day_of(clock.now())
            days = {"day_from": today.replace(day=1), "day_to": today}
            request.GET = QueryDict(urlencode(days))
        response: HttpResponse = super().changelist_view(request, extra_context)
        context = getattr(response, "context_data", None)
        if context is not None and (changes := context.get("cl")) is not None:
            context["tables"] = totals(changes.queryset) if changes.result_count else []
        return response


def totals(rows: QuerySet[FeeDay]) -> list[dict[str, object]]:
    kinds = dict(entry_kinds())

    def kind_and_method(row: dict[str, Any]) -> list[object]:
        return [str(kinds.get(row["kind"], row["kind"])), code_words(row["method"]) or "-"]

    def merchant(row: dict[str, Any]) -> list[object]:
        return [row["merchant__name"] or "-"]

    return [
        _sums(_("In all"), [], rows, lambda _row: [], []),
        _sums(_("By method"), [_("kind"), _("method")], rows, kind_and_method, ["kind", "method"]),
        _sums(_("By merchant"), [_("merchant")], rows, merchant, ["merchant", "merchant__name"]),
        _sums(_("By day"), [_("day")], rows, lambda row: [day(row["day"])], ["day"]),
    ]


def _sums(
    title: Text, headers: list[Text], rows: QuerySet[FeeDay], words: Any, names: Sequence[str]
) -> dict[str, object]:
    """The largest sums; of days, the newest."""
    order = "-day" if "day" in names else "-fees"
    found = rows.order_by().values(*names, "currency")
    found = found.annotate(fees=Sum("amount"), times=Sum("postings")).order_by(order, "currency")
    shown = [
        [*words(row), amount(row["fees"], row["currency"]), str(row["times"])]
        for row in found[: ROWS_MAX + 1]
    ]
    if len(shown) > ROWS_MAX:
        shown[-1] = [gettext("more in the export"), *[""] * (len(headers) + 1)]
    return table(title, [*headers, _("fees"), _("times")], shown)
