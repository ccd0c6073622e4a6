"""Movements of the operator's bank accounts."""

from decimal import Decimal, InvalidOperation
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import RangeNumericFilter
from unfold.decorators import display

from payments.console.changelist import DatesFilter
from payments.console.detail_page import NextStep
from payments.console.exports import columns
from payments.console.formatting import (
    amount,
    badge,
    day,
    link,
    link_column,
    table,
    timestamp_column,
    when,
)
from payments.core import masking, money
from payments.reconciliation.admin import line_steps
from payments.reconciliation.admin.decisions import (
    LineDecisions,
    candidates_table,
    explanation_of,
    subject_of,
)
from payments.reconciliation.models import LineStatus, StatementLine

KINDS = {
    LineStatus.NEW: "info",
    LineStatus.AMBIGUOUS: "warning",
    LineStatus.UNMATCHED: "warning",
    LineStatus.MATCHED: "success",
    LineStatus.BOOKED: "success",
}


@admin.register(StatementLine)
class StatementLineAdmin(LineDecisions):
    imported = timestamp_column("created_at", _("imported at"))
    of_account = link_column("account", _("bank account"))
    shown_if_empty = _(
        "Movements of our own bank accounts, each matched to the books or waiting for a "
        "person. They come with the statements."
    )
    list_display = [
        *("booked_on", "of_account", "amount_shown", "description", "reference"),
        *("document_masked", "counterparty", "state"),
    ]
    list_select_related = ["account"]
    list_filter = [
        "account",
        "status",
        ("booked_on", DatesFilter),
        ("amount", RangeNumericFilter),
    ]
    list_filter_submit = True
    search_fields = ["=reference"]  # shows the box; get_search_results decides
    search_help_text = _("Reference, document, number of the operation, or amount")
    ordering = ["-booked_on", "-id"]
    fields = [
        ("description", "code"),
        ("reference", "operation_id"),
        ("document_masked", "imported"),
    ]
    readonly_fields = ["of_account", "document_masked", "imported"]
    private = ((_("document"), lambda row: row.document),)
    private_fields = frozenset({"document"})
    has_timeline = True
    change_form_outer_after_template = "admin/tables.html"
    export_columns = [
        *columns.fields(id="pk", account="account_id", day="booked_on", amount="amount"),
        *columns.fields(description="description", reference="reference"),
        *columns.personal(masking.tail, document="document"),
        *columns.fields(counterparty="counterparty", code="code"),
        *columns.fields(operation="operation_id", status="status"),
        *columns.fields(file="file__name", line="file_line", importedAt="created_at"),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[StatementLine]:
        rows: QuerySet[StatementLine] = super().get_queryset(request)
        return rows.select_related("account", "file")

    def lookup_allowed(self, lookup: str, value: object, request: HttpRequest) -> bool:
        """The page of a statement links to its movements."""
        is_allowed: bool = super().lookup_allowed(lookup, value, request)
        return is_allowed or lookup == "sources__file__id__exact"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[StatementLine], search_term: str
    ) -> tuple[QuerySet[StatementLine], bool]:
        if not (term := search_term.strip()):
            return queryset, False
        found = Q(reference=term.lstrip("0")) | Q(reference=term)
        found |= Q(operation_id=term) | Q(document=term.replace(".", "").replace("-", ""))
        if (pesos := _amount(term)) is not None:
            found |= Q(amount__in=(pesos, -pesos))
        return queryset.filter(found), False

    def title_of(self, row: StatementLine) -> object:
        return f"{self.amount_shown(row)} · {row.counterparty or row.description}"

    def head(self, row: StatementLine) -> dict[str, Any] | None:
        facts = [
            (gettext("counterparty"), row.counterparty or "-"),
            (gettext("booked on"), day(row.booked_on)),
            (gettext("bank account"), link(row.account)),
        ]
        return {"amount": self.amount_shown(row), "state": self.state(row), "facts": facts}

    def related_tables(self, row: StatementLine) -> list[dict[str, Any]]:
        """Without candidates and matches, the next step says so."""
        candidates = candidates_table(row)
        found = [*([candidates] if candidates else []), _matches(row)]
        return [*(one for one in found if one["table"]["rows"]), _sources(row)]

    def timeline_lines(self, row: StatementLine) -> None:
        return None

    def next_step(self, row: StatementLine) -> NextStep:
        return line_steps.next_step(row)

    @display(description=_("amount"), ordering="amount")
    def amount_shown(self, line: StatementLine) -> str:
        return amount(line.amount, money.FIAT)

    @display(description=_("document"))
    def document_masked(self, line: StatementLine) -> str:
        return masking.tail(line.document) if line.document else "-"

    @display(description=_("status"), ordering="status")
    def state(self, line: StatementLine) -> SafeString:
        return badge(line.get_status_display(), KINDS[LineStatus(line.status)])


def _amount(term: str) -> Decimal | None:
    """50000, 50.000, 50,000.00, 50.000,00."""
    text = term.replace("$", "").replace(" ", "").lstrip("-")
    point = max(text.rfind("."), text.rfind(","))
    is_decimal = point >= 0 and len(text) - point - 1 != 3
    whole, cents = (text[:point], text[point + 1 :]) if is_decimal else (text, "0")
    digits = whole.replace(".", "").replace(",", "")
    if not (digits.isascii() and digits.isdigit() and cents.isdigit() and len(term) < 24):
        return None
    try:
        return Decimal(f"{digits}.{cents}")
    except InvalidOperation:
        return None


def _sources(line: StatementLine) -> dict[str, Any]:
    sources = line.sources.select_related("file").order_by("pk")
    rows = [[link(one.file), one.file_line, when(one.file.imported_at)] for one in sources]
    headers = [_("Statement"), _("Line"), _("Imported at")]
    return table(gettext("Files that have it"), headers, rows)


def _matches(line: StatementLine) -> dict[str, Any]:
    matches = line.matches.order_by("pk")
    rows = [
        [
            one.get_kind_display(),
            subject_of(one),
            amount(one.amount, money.FIAT),
            one.decided_by or gettext("the matcher"),
            when(one.decided_at),
            explanation_of(one),
            one.undo_reason,
        ]
        for one in matches
    ]
    headers = [_("Kind"), _("Subject"), _("Amount"), _("Decided by"), _("Decided at")]
    return table(gettext("Matches"), [*headers, _("Why"), _("Taken back because")], rows)
