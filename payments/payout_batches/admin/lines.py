"""The lines of files, with their payouts."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console.cells import copyable
from payments.console.formatting import amount, badge, lines, link_column
from payments.console.model_admins import ReadOnlyAdmin
from payments.core import masking, money
from payments.core.ids import is_id
from payments.payout.models import Payout
from payments.payout_batches.admin.words import LINE_KINDS, PAYOUT_KINDS
from payments.payout_batches.files import faults
from payments.payout_batches.models import BatchLine, LineStatus, PayoutBatch
from payments.payout_batches.services import results


def status_badge(line: BatchLine) -> SafeString:
    """The payout's, once there is one."""
    if line.payout is not None:
        return badge(results.state_label(line), PAYOUT_KINDS[Payout.Status(line.payout.status)])
    return badge(results.state_label(line), LINE_KINDS[LineStatus(line.status)])


class FileFilter(admin.SimpleListFilter):
    """The lines of a file, to which the file's page leads. Hidden without one."""

    title = _("file")
    parameter_name = "file"  # a name that is no field of a line

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, Any]]:
        batch = request.GET.get(self.parameter_name, "")
        return [(batch, batch)] if is_id(batch, PayoutBatch.ID_PREFIX) else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[BatchLine]) -> QuerySet[BatchLine]:
        return queryset.filter(batch=self.value()) if self.value() else queryset


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
    of_payout = link_column("payout", _("payout"))
    list_display = [
        *("number", "amount_shown", "state", "recipient_name", "destination", "reference"),
        *("remark", "of_payout"),
    ]
    list_display_links = ["number", "amount_shown"]
    list_filter = ["status", FileFilter]
    search_fields = ["=reference"]
    search_help_text = _("Reference of the line")
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
        return rows.select_related("batch", "payout", "bank")

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
        return status_badge(line)

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
        texts = [faults.line_fault(one) for one in line.faults]
        texts += [faults.warning(one) for one in line.warnings]
        texts += [results.reason_of(line)] if not line.faults and results.reason_of(line) else []
        return lines(texts) if texts else "-"
