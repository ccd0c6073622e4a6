"""The list of the lines of one file: which they are, its tabs by state, its title and downloads."""

from dataclasses import dataclass
from typing import Any

from django.contrib.admin.views.main import PAGE_VAR
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from payments.console import tenancy
from payments.console.buttons import button
from payments.console.formatting import admin_url, amount
from payments.console.registry import Text
from payments.console.status_tabs import Tab
from payments.core import money
from payments.core.ids import is_id
from payments.payout.models import Payout
from payments.payout_batches.admin import next_steps
from payments.payout_batches.admin.words import OPEN, batch_state
from payments.payout_batches.models import BatchLine, BatchStatus, LineStatus, PayoutBatch
from payments.payout_batches.services import totals

FILE, STATE = "file", "state"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """`codes`: of lines, and of payouts once there is one."""

    label: Text
    codes: tuple[str, ...]
    where: Q


def _of_lines(label: Text, status: LineStatus) -> State:
    return State(label=label, codes=(status,), where=Q(status=status))


def _of_payouts(label: Text, *statuses: str) -> State:
    return State(label=label, codes=statuses, where=Q(payout__status__in=statuses))


STATES = {
    "wrong": _of_lines(_("Wrong"), LineStatus.WRONG),
    "waiting": _of_lines(_("Waiting"), LineStatus.WAITING),
    "way": _of_payouts(_("On the way"), *OPEN),
    "arrived": _of_payouts(pgettext_lazy("payouts", "Completed"), Payout.Status.COMPLETED),
    "failed": _of_payouts(pgettext_lazy("orders", "Failed"), Payout.Status.FAILED),
    "returned": _of_payouts(pgettext_lazy("payouts", "Returned"), Payout.Status.REFUNDED),
    "refused": _of_lines(pgettext_lazy("lines", "Refused"), LineStatus.REFUSED),
    "cancelled": _of_lines(pgettext_lazy("lines", "Cancelled"), LineStatus.CANCELLED),
}


def file_id(request: HttpRequest) -> str:
    given = request.GET.get(FILE, "")
    return given if is_id(given, PayoutBatch.ID_PREFIX) else ""


def find(request: HttpRequest) -> PayoutBatch | None:
    """The file of the address, if the reader may see it."""
    if not (pk := file_id(request)):
        return None
    rows = PayoutBatch.objects.filter(pk=pk)
    if tenancy.is_merchant_user(request):
        rows = rows.filter(merchant__in=tenancy.merchants(request))
    return rows.first()


def narrowed(request: HttpRequest, rows: QuerySet[BatchLine]) -> QuerySet[BatchLine]:
    if request.GET.get(FILE):
        rows = rows.filter(batch=file_id(request))
    state = STATES.get(request.GET.get(STATE, ""))
    return rows.filter(state.where) if state else rows


def tabs(request: HttpRequest, changes: Any) -> list[Tab]:
    """With counts. A state without lines has no tab, and a file with one state has no tabs."""
    if (batch := find(request)) is None:
        return []
    counts = totals.lines_by_status(batch)
    selected = request.GET.get(STATE)
    shown = [
        Tab(
            pgettext("lines", "All"),
            changes.get_query_string(remove=[STATE, PAGE_VAR]),
            money.grouped(str(sum(counts.values()))),
            selected not in STATES,
        )
    ]
    for name, state in STATES.items():
        count = sum(counts.get(code, 0) for code in state.codes)
        if count or name == selected:
            query = changes.get_query_string({STATE: name}, [PAGE_VAR])
            label = str(_early(batch) if name == "waiting" else state.label)
            shown.append(Tab(label, query, money.grouped(str(count)), name == selected))
    return shown


def _early(batch: PayoutBatch) -> Text:
    """What has no payout yet, by how far the file is."""
    words: dict[BatchStatus, Text] = {
        BatchStatus.CHECKED: pgettext("lines", "Valid"),
        BatchStatus.WAITING: _("To approve"),
    }
    return words.get(BatchStatus(batch.status), STATES["waiting"].label)


def head(batch: PayoutBatch) -> dict[str, object]:
    facts: list[tuple[object, object]] = [(_("valid lines"), money.grouped(str(batch.line_count)))]
    if batch.wrong_count:
        facts.append((_("wrong lines"), money.grouped(str(batch.wrong_count))))
    is_done = batch.status == BatchStatus.DONE
    state = batch_state(batch, is_under_way=is_done and next_steps.is_under_way(batch))
    return {"amount": amount(batch.amount, money.FIAT), "state": state, "facts": facts}


def crumb(batch: PayoutBatch) -> SafeString:
    """The last parts of the title: the file, and its lines."""
    return format_html(
        '<a class="shell-crumb" href="{}">{}</a> <span class="material-symbols-outlined '
        'shell-crumb-next" aria-hidden="true">chevron_right</span> {}',
        *(admin_url(batch), batch, gettext("Lines")),
    )


def downloads(request: HttpRequest, batch: PayoutBatch) -> list[Any]:
    """Once it is sent for approval: the lines with their states."""
    is_early = batch.status in (BatchStatus.CHECKING, BatchStatus.REFUSED, BatchStatus.CHECKED)
    user = request.user
    may = user.has_perm("payout_batches.stop_payoutbatch") or user.has_perm("core.export_rows")
    if is_early or not may:
        return []
    names = (("result_xlsx", _("Download (XLSX)")), ("result_csv", _("Download (CSV)")))
    prefix = "admin:payout_batches_payoutbatch"
    items = [
        button(title, "download", reverse(f"{prefix}_{name}", args=[batch.pk]))
        for name, title in names
    ]
    return [{"title": _("Downloads"), "icon": "download", "items": items}]
