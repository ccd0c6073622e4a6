"""Disbursements of acquirers: what they hold, and whether the bank shows them."""

from django.contrib import admin
from django.contrib.admin.utils import label_for_field
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console.changelist import DatesFilter
from payments.console.detail_page import NextStep
from payments.console.exports.columns import fields as columns
from payments.console.formatting import amount, badge, link, table
from payments.console.model_admins import ReadOnlyAdmin
from payments.core import money
from payments.reconciliation.admin.settlement_files import STATUS_LABELS
from payments.reconciliation.models import Disbursement, DisbursementRow, LineMatch, MatchKind
from payments.reconciliation.services.disbursements.tariffs import Tariffs

# The page of a disbursement shows so many payments. The export has all of them.
ROWS_SHOWN = 200


def _pesos(field: str, label: object) -> object:
    @display(description=label, ordering=field)
    def column(_page: object, row: object) -> str:
        return amount(getattr(row, field), money.FIAT)

    return column


@admin.register(Disbursement)
class DisbursementAdmin(ReadOnlyAdmin):
    gross_shown = _pesos("gross", _("gross"))
    commission_shown = _pesos("commission", _("commission"))
    vat_shown = _pesos("vat", _("IVA of the commission"))
    ica_shown = _pesos("ica_withheld", _("reteICA"))
    reteiva_shown = _pesos("vat_withheld", _("reteIVA"))
    retefuente_shown = _pesos("income_tax_withheld", _("retefuente"))
    impoconsumo_shown = _pesos("consumption_tax", _("impoconsumo"))
    net_shown = _pesos("net", _("net"))
    shown_if_empty = _(
        "Payments that an acquirer sent to the bank as one sum. They come with its settlement "
        "files."
    )
    list_display = [
        "day",
        "account",
        "payments",
        "gross_shown",
        "net_shown",
        "state",
        "due_on",
        "arrived_on",
    ]
    list_filter = ["status", "account", ("day", DatesFilter)]
    search_fields = ["=id", "=number"]
    ordering = ["-day", "-id"]
    list_select_related = ["account"]
    fields = [
        ("id", "number"),
        ("day", "account"),
        ("state", "bank_line"),
        ("due_on", "arrived_on"),
        ("gross_shown", "payments"),
        ("commission_shown", "vat_shown"),
        ("ica_shown", "reteiva_shown"),
        ("retefuente_shown", "impoconsumo_shown"),
        ("net_shown", "file"),
    ]
    readonly_fields = [name for pair in fields for name in pair]
    has_timeline = True
    change_form_outer_after_template = "admin/tables.html"
    export_columns = [
        *columns(id="pk", account="account_id", day="day", number="number", status="status"),
        *columns(payments="payments", gross="gross", commission="commission", vat="vat"),
        *columns(reteIca="ica_withheld", reteIva="vat_withheld"),
        *columns(retefuente="income_tax_withheld", impoconsumo="consumption_tax", net="net"),
        *columns(dueOn="due_on", arrivedOn="arrived_on", file="file_id"),
    ]

    @display(description=_("status"), ordering="status")
    def state(self, row: Disbursement) -> SafeString:
        return badge(row.get_status_display(), STATUS_LABELS[row.status])

    @display(description=_("line of the bank"))
    def bank_line(self, row: Disbursement) -> str:
        head = row.arrived_with_id or row.pk
        matches = LineMatch.objects.filter(kind=MatchKind.DISBURSEMENT, subject_id=head)
        match = matches.filter(undone_at=None).select_related("line").first()
        return link(match.line) if match is not None else "-"

    def related_tables(self, row: Disbursement) -> list[dict[str, object]]:
        rows = _rows(row)
        return [_payments(row, rows), *_unexpected(row, rows)]

    def timeline_lines(self, row: Disbursement) -> None:
        return None

    def next_step(self, row: Disbursement) -> NextStep:
        if row.status == Disbursement.Status.ARRIVED:
            return NextStep(why=gettext("The bank shows the money. Nothing is to be done."))
        if row.status == Disbursement.Status.ANNOUNCED:
            text = gettext("Import the bank's statement of %s, which should show the net amount.")
            return NextStep(why=text % row.due_on)
        return NextStep(
            why=gettext(
                "The bank's window is over. Import the statements up to today; if none has the "
                "net amount, ask the acquirer for the proof of the transfer."
            )
        )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Disbursement]:
        rows: QuerySet[Disbursement] = super().get_queryset(request)
        return rows.select_related("account", "file")


def _rows(row: Disbursement) -> list[DisbursementRow]:
    return list(row.rows.select_related("charge").order_by("file_line"))


def _payments(row: Disbursement, rows: list[DisbursementRow]) -> dict[str, object]:
    headers = (_("line"), _("transaction"), _("charge"), _("gross"), _("kept"), _("net"))
    cells = [
        [
            one.file_line,
            one.transaction_id,
            link(one.charge.order, one.charge_id) if one.charge else gettext("not one of ours"),
            amount(one.gross, money.FIAT),
            amount(one.gross - one.net, money.FIAT),
            amount(one.net, money.FIAT),
        ]
        for one in rows[:ROWS_SHOWN]
    ]
    title = gettext("Payments")
    if len(rows) > ROWS_SHOWN:
        counts = {"shown": ROWS_SHOWN, "all": len(rows)}
        title = gettext("Payments (%(shown)d of %(all)d)") % counts
    return table(title, headers, cells)


def _unexpected(row: Disbursement, rows: list[DisbursementRow]) -> list[dict[str, object]]:
    """What differs from the tariff. The file counts all the same."""
    tariffs = Tariffs(row.account_id)
    found = [each for one in rows for each in tariffs.differences(one)]
    if not found:
        return []
    headers = (_("line"), _("transaction"), _("deduction"), _("by the tariff"), _("in the file"))
    cells = [
        [
            each.row.file_line,
            each.row.transaction_id,
            label_for_field(each.name, DisbursementRow),
            amount(each.expected, money.FIAT),
            amount(each.declared, money.FIAT),
        ]
        for each in found[:ROWS_SHOWN]
    ]
    return [table(_("Deductions that the tariff does not expect"), headers, cells)]
