"""Console pages of closed days: the list, one day beside the ledger, and statements of any period.

Read-only: a closed day never changes.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from merchants.models import Merchant
from payments.console import tenancy
from payments.console.actions import Cleaned, ConfirmedAction
from payments.console.changelist import DatesFilter, RecordFilter
from payments.console.detail_page import NextStep
from payments.console.exports.columns import fields as columns
from payments.console.formatting import (
    actor,
    amount_column,
    badge,
    balance_name,
    link_column,
    time_element,
    timestamp_column,
)
from payments.console.formatting import day as day_shown
from payments.console.masking import REVEAL
from payments.console.model_admins import ReadOnlyAdmin
from payments.console.money_admin import FOUND_MAX
from payments.console.timeline import TimelineLine
from payments.core import audit, clock
from payments.core.errors import ServiceError
from payments.settlement import days, documents, operation_documents
from payments.settlement.admin import timelines
from payments.settlement.admin.forms import UNKNOWN_MERCHANT, PeriodForm, period_form
from payments.settlement.days import Period
from payments.settlement.models import Settlement
from payments.settlement.services import statements

PERIOD = ("first", "last")
STATEMENT = ConfirmedAction(
    verb="view",
    title=_("Statement of a period"),
    explanation=_(
        "Opening balance, every operation with its fee, closing balance. It may include days that "
        "are not closed yet."
    ),
    submit=_("Make the statement"),
    form_class=PeriodForm,
)


@admin.register(Settlement)
class SettlementAdmin(ReadOnlyAdmin):
    empty_text = _(
        "Each day is closed after midnight in Bogotá: what was collected, our fee, and what "
        "reached your balance. The first one appears tomorrow."
    )
    shown_if_empty = _(
        "Each day of a merchant is closed after midnight in Bogotá: what was collected, our "
        "fee, and what came into the balance."
    )
    merchant_path = "merchant"
    merchant_pages = ReadOnlyAdmin.merchant_pages | {"statement"}
    merchant_actions = frozenset({"period", "period_of", "statement_page", "statement_csv"})
    day = display(description=_("day in Bogotá"), ordering="date")(
        lambda _, row: day_shown(row.date)
    )
    merchant_link = link_column("merchant", _("merchant"))
    closed = timestamp_column("closed_at", _("closed at"))
    collected_shown = amount_column("collected", _("collected"), is_sortable=True)
    fee_shown = amount_column("fee", _("our fee"), is_sortable=True)
    tax_shown = amount_column("tax", _("taxes"), is_sortable=True)
    net_shown = amount_column("net", _("to the balance"), is_sortable=True)
    refunded_shown = amount_column("refunded", _("refunded"), is_sortable=True)
    opening = amount_column("opening_balance", _("opening balance"), is_sortable=True)
    opening_part = amount_column("opening_held", _("held at opening"), is_sortable=True)
    closing = amount_column("closing_balance", _("closing balance"), is_sortable=True)
    closing_part = amount_column("closing_held", _("held at closing"), is_sortable=True)
    list_display = [
        "day",
        "merchant_link",
        "collected_shown",
        "fee_shown",
        "tax_shown",
        "net_shown",
        "refunded_shown",
        "closing",
    ]
    list_filter = [
        "currency",
        ("merchant", RecordFilter),
        ("date", DatesFilter),
    ]
    search_fields = ["id__exact"]
    search_help_text = _("Name of the merchant, or id of the settlement")
    search_help_for_merchants = _("Id of the settlement")
    ordering = ["-date", "-id"]
    fields = [
        ("collected_shown", "order_count"),
        ("fee_shown", "tax_shown"),
        ("net_shown", "currency_shown"),
        ("refunded_shown", "refund_count"),
        ("opening", "opening_part"),
        ("closing", "closing_part"),
    ]
    readonly_fields = [name for pair in fields for name in pair]
    has_timeline = True
    change_form_outer_after_template = "admin/tables.html"
    export_columns = [
        *columns(id="pk", date="date", merchantId="merchant_id", merchant="merchant__name"),
        *columns(currency="currency", collected="collected", fee="fee", tax="tax", net="net"),
        *columns(refunded="refunded", orderCount="order_count", refundCount="refund_count"),
        *columns(openingBalance="opening_balance", openingHeld="opening_held"),
        *columns(
            closingBalance="closing_balance", closingHeld="closing_held", closedAt="closed_at"
        ),
    ]
    actions_list = ["period"]
    actions_detail = ["statement_page", "statement_csv", "period_of"]

    @display(description=_("currency"))
    def currency_shown(self, row: Settlement) -> str:
        return balance_name(row.currency)

    def title_of(self, row: Settlement) -> str:
        return f"{day_shown(row.date)} · {row.merchant.name}"

    def head(self, row: Settlement) -> dict[str, object]:
        facts = [
            *self.whose(row),
            (_("day in Bogotá"), day_shown(row.date)),
            (_("closed at"), time_element(row.closed_at)),
            *self.id_in_head(row),
        ]
        return {
            "amount": self.net_shown(row),
            "state": badge(capfirst(gettext("to the balance")), "info"),
            "facts": facts,
        }

    def timeline_lines(self, row: Settlement) -> list[TimelineLine]:
        return timelines.timeline_lines(row)

    def next_step(self, row: Settlement) -> NextStep:
        return NextStep(why=gettext("The day is closed for good."))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Settlement]:
        rows: QuerySet[Settlement] = super().get_queryset(request)
        return rows.select_related("merchant").defer("merchant__webhook_secret")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Settlement], search_term: str
    ) -> tuple[QuerySet[Settlement], bool]:
        """Merchants are found first: a condition over two tables would read both in full."""
        if not (term := search_term.strip()):
            return queryset, False
        named = Merchant.objects.filter(name__icontains=term).values_list("pk", flat=True)
        found = list(tenancy.limit(request, named, "pk")[:FOUND_MAX])
        return queryset.filter(Q(pk=term) | Q(merchant__in=found)), False

    def get_urls(self) -> list[URLPattern]:
        """The statement has a URL of its own, so that it can be opened again."""
        view = self.admin_site.admin_view(self.statement)
        own = [path("statement/", view, name="settlement_settlement_statement")]
        return [*own, *super().get_urls()]

    def related_tables(self, row: Settlement) -> list[dict[str, object]]:
        return timelines.related_tables(row)

    @action(
        description=STATEMENT.title,
        icon="receipt_long",
        permissions=["view"],
        variant=ActionVariant.PRIMARY,
    )
    def period(self, request: HttpRequest) -> HttpResponse:
        """By default this month. `?merchant=` and `?currency=` choose a balance."""
        today = days.day_of(clock.now())
        own = sorted(tenancy.scope(request) or ())
        asked = {name: request.GET.get(name) for name in ("merchant", "currency", *PERIOD)}
        chosen = {name: value for name, value in asked.items() if value}
        initial: dict[str, object] = {"merchant": own[0]} if own else {}
        initial |= {"first": today.replace(day=1), "last": today, **chosen}
        return self._ask_period(request, None, initial)

    @action(description=STATEMENT.title, icon="date_range", permissions=["view"])
    def period_of(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The period in the URL. By default from the first of the month."""
        row = self._viewed(request, object_id)
        return self._ask_period(request, row, _params(row, first=row.date.replace(day=1)))

    @action(description=_("Statement to print"), icon="print", permissions=["view"])
    def statement_page(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return redirect(_address(_params(self._viewed(request, object_id))))

    @action(description=_("Statement as CSV"), icon="download", permissions=["view"])
    def statement_csv(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return redirect(_address(_params(self._viewed(request, object_id), form="lines-csv")))

    def statement(self, request: HttpRequest) -> HttpResponseBase:
        """The statement that the URL describes; each reading is in the audit log.

        A URL that describes none leads to the form.
        """
        if not self.has_view_permission(request):
            raise PermissionDenied
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        if not request.GET:
            return redirect("admin:settlement_settlement_period")
        form = PeriodForm(request.GET)
        if not form.is_valid():
            wrong = [
                f"{form.fields[name].label}: {text}"
                for name, texts in form.errors.items()
                for text in texts
            ]
            return self._refuse(request, wrong)
        if not tenancy.contains(request, form.cleaned_data["merchant"].pk):
            return self._refuse(request, [f"{form.fields['merchant'].label}: {UNKNOWN_MERCHANT}"])
        return self._statement(request, form.cleaned_data)

    def _refuse(self, request: HttpRequest, wrong: list[str]) -> HttpResponse:
        message = gettext("There is no statement of this period. %s") % " ".join(wrong)
        self.message_user(request, message, messages.ERROR)
        return redirect("admin:settlement_settlement_changelist")

    def _statement(self, request: HttpRequest, form: Cleaned) -> HttpResponseBase:
        merchant, period = form["merchant"], Period(form["first"], form["last"])
        try:
            statement = statements.make_statement(
                merchant_id=merchant.pk, currency=form["currency"], period=period, now=clock.now()
            )
        except ServiceError as error:
            return self._refuse(request, [error.shown()])
        audit.record(
            actor=actor(request),
            action="statement.exported",
            subject=merchant,
            currency=form["currency"],
            first=f"{period.first}",
            last=f"{period.last}",
            form=form["form"],
        )
        if form["form"] == "csv":
            return documents.csv_response(statement)
        if form["form"] == "page":
            return documents.page_response(statement, merchant)
        is_masked = not request.user.has_perm(REVEAL)
        if form["form"] in operation_documents.FILES:
            return operation_documents.file_response(statement, form["form"], is_masked=is_masked)
        files = {
            name: _address({**request.GET.dict(), "form": name})
            for name in operation_documents.FILES
        }
        return operation_documents.page_response(
            statement, merchant, is_masked=is_masked, files=files
        )

    def _ask_period(
        self, request: HttpRequest, row: Settlement | None, initial: dict[str, object]
    ) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied

        def perform(form: Cleaned) -> HttpResponse:
            if not tenancy.contains(request, form["merchant"].pk):
                raise ValidationError({"merchant": UNKNOWN_MERCHANT})
            return redirect(_address({**form, "merchant": form["merchant"].pk}))

        merchants = tenancy.limit(request, Merchant.objects.all(), "pk")
        confirmed = replace(STATEMENT, initial=initial, form_class=period_form(merchants))
        facts = [*_whose(merchants), (gettext("Usual periods"), _usual_periods(request))]
        return self.confirm_first(request, row, confirmed, perform, facts=facts)

    def _viewed(self, request: HttpRequest, object_id: str) -> Settlement:
        row: Settlement = self.get_record(request, object_id)
        return row


def _whose(merchants: QuerySet[Merchant]) -> list[tuple[str, str]]:
    """The only merchant that there is to choose: its field is hidden."""
    names = list(merchants.values_list("name", flat=True)[:2])
    return [(gettext("Merchant"), names[0])] if len(names) == 1 else []


def _usual_periods(request: HttpRequest) -> SafeString:
    """Links that fill in the days and keep what else the address chooses."""
    today = days.day_of(clock.now())
    this_month = today.replace(day=1)
    before = this_month - timedelta(days=1)
    names = ("currency",) if tenancy.is_merchant_user(request) else ("merchant", "currency")
    kept = {name: request.GET[name] for name in names if name in request.GET}
    chips = [
        (gettext("This month"), this_month, today),
        (gettext("Last month"), before.replace(day=1), before),
    ]
    links = [
        (urlencode({**kept, "first": first, "last": last}), text) for text, first, last in chips
    ]
    return format_html_join(" ", '<a class="desk-chip" href="?{}">{}</a>', links)


def _params(row: Settlement, **changes: object) -> dict[str, object]:
    period = {"first": row.date, "last": row.date, "form": "lines"}
    return {"merchant": row.merchant_id, "currency": row.currency, **period, **changes}


def _address(params: Mapping[str, object]) -> str:
    return f"{reverse('admin:settlement_settlement_statement')}?{urlencode(params)}"
