"""The lines of files, with their payouts."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console import tenancy
from payments.console.cells import copyable
from payments.console.formatting import amount, lines, link, link_column
from payments.console.model_admins import ReadOnlyAdmin
from payments.console.money_admin import FOUND_MAX
from payments.console.status_tabs import Tab
from payments.core import masking, money
from payments.payout_batches.admin import file_lines
from payments.payout_batches.admin.words import line_state, reason_shown, short_remark
from payments.payout_batches.files import faults
from payments.payout_batches.models import BatchLine, PayoutBatch
from payments.payout_batches.services import results


class FileFilter(admin.SimpleListFilter):
    """The lines of a file, to which the file's page leads. The title of the page names the file."""

    title = _("file")
    parameter_name = file_lines.FILE  # a name that is no field of a line

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, Any]]:
        return []

    def queryset(self, request: HttpRequest, queryset: QuerySet[BatchLine]) -> QuerySet[BatchLine]:
        return queryset


class LineStateFilter(admin.SimpleListFilter):
    """As the tabs of one file, where it is hidden."""

    title = _("status")
    parameter_name = file_lines.STATE

    def __init__(self, request: HttpRequest, *args: Any) -> None:
        self.is_of_file = bool(file_lines.file_id(request))
        super().__init__(request, *args)

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, Any]]:
        return [(name, state.label) for name, state in file_lines.STATES.items()]

    def has_output(self) -> bool:
        return not self.is_of_file

    def queryset(self, request: HttpRequest, queryset: QuerySet[BatchLine]) -> QuerySet[BatchLine]:
        return queryset


@admin.register(BatchLine)
class BatchLineAdmin(ReadOnlyAdmin):
    merchant_path = "batch__merchant"
    merchant_pages = frozenset({"changelist_view", "change_view"})
    private_fields = frozenset(
        {
            *("doc_number", "account_number", "key_value", "key_holder"),
            *("cells", "faults", "warnings"),
        }
    )
    of_batch = link_column("batch", _("file"))
    of_merchant = link_column("batch.merchant", _("merchant"))
    of_payout = link_column("payout", _("payout"))
    list_before_template = "admin/batch_lines_top.html"
    list_display = [
        *("number", "amount_shown", "state", "recipient_name", "destination", "reference"),
        *("remark", "see_payout"),
    ]
    list_display_links = ["number", "amount_shown"]
    list_filter = [LineStateFilter, FileFilter]
    search_fields = ["=reference"]  # shows the box; get_search_results decides
    search_help_text = _("Reference, name of the beneficiary, or name of the file")
    ordering = ["batch", "number"]
    fields = [
        ("of_payout", "fee_shown"),
        ("document", "holder"),
        "description",
        "remark",
    ]
    readonly_fields = [
        *("of_payout", "fee_shown", "document", "holder", "remark"),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[BatchLine]:
        rows: QuerySet[BatchLine] = super().get_queryset(request)
        rows = rows.select_related("batch__merchant", "payout", "bank")
        rows = rows.defer("batch__merchant__webhook_secret")
        return file_lines.narrowed(request, rows)

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """The lines of all files and merchants say whose they are."""
        if file_lines.file_id(request) or tenancy.is_merchant_user(request):
            return [*super().get_list_display(request)]
        return [
            *("number", "amount_shown", "state", "recipient_name", "of_batch", "of_merchant"),
            *("reference", "remark", "see_payout"),
        ]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[BatchLine], search_term: str
    ) -> tuple[QuerySet[BatchLine], bool]:
        """Files are found first: a condition over two tables would read both in full."""
        if not (term := search_term.strip()):
            return queryset, False
        named = PayoutBatch.objects.filter(name__icontains=term).order_by("-pk")
        named = tenancy.limit(request, named, "merchant")
        files = list(named.values_list("pk", flat=True)[:FOUND_MAX])
        words = Q(reference__iexact=term) | Q(recipient_name__icontains=term)
        return queryset.filter(words | Q(batch__in=files)), False

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """The page of one file: its name, its totals and its downloads."""
        if (batch := file_lines.find(request)) is None:
            return super().changelist_view(request, extra_context)
        text = gettext("Lines of %(file)s") % {"file": batch}
        batch.console_title = file_lines.crumb(batch)  # type: ignore[attr-defined]
        named = {
            "title": text,
            "object": batch,
            "list_head": file_lines.head(batch),
            **(extra_context or {}),
        }
        response = super().changelist_view(request, named)
        context = getattr(response, "context_data", None)
        if context is not None:
            context["actions_list"] = file_lines.downloads(request, batch)
        return response

    def own_tabs(self, request: HttpRequest, changes: Any) -> list[Tab]:
        return file_lines.tabs(request, changes)

    def title_of(self, row: BatchLine) -> str:
        return gettext("%(file)s, line %(number)s") % {"file": row.batch, "number": row.number}

    def head(self, row: BatchLine) -> dict[str, object]:
        facts = [
            (_("file"), self.of_batch(row)),
            (_("beneficiary"), row.recipient_name or "-"),
            (_("destination"), self.destination(row)),
            (_("reference"), copyable(row.reference) if row.reference else "-"),
        ]
        return {"amount": self.amount_shown(row), "state": self.state(row), "facts": facts}

    @display(description=_("status"))
    def state(self, line: BatchLine) -> SafeString:
        return line_state(line)

    @display(description=_("payout"))
    def see_payout(self, line: BatchLine) -> str | SafeString:
        return link(line.payout, gettext("See"))

    @display(description=_("amount"))
    def amount_shown(self, line: BatchLine) -> str:
        return amount(line.amount, money.FIAT)

    @display(description=_("fee"))
    def fee_shown(self, line: BatchLine) -> str:
        return amount(line.fee_amount, money.FIAT)

    @display(description=_("document"))
    def document(self, line: BatchLine) -> str:
        return f"{line.doc_type} {masking.tail(line.doc_number)}"

    @display(description=_("destination"))
    def destination(self, line: BatchLine) -> str:
        return results.destination_of(line)

    @display(description=_("holder of the key"))
    def holder(self, line: BatchLine) -> str:
        return line.key_holder or "-"

    @display(description=_("remarks"))
    def remark(self, line: Any) -> SafeString | str:
        """What is wrong, what to look at, and why it was not paid."""
        texts: list[str] = [faults.line_fault(one) for one in line.faults]
        texts += [short_remark(one) for one in line.warnings]
        texts += [reason] if not line.faults and (reason := reason_shown(line)) else []
        return lines(texts) if texts else "-"
