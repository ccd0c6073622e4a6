"""The tables of a file's page."""

from decimal import Decimal
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console.formatting import amount, badge, lines, link, table
from payments.console.state_words import word_of
from payments.core import money
from payments.payout.models import Payout
from payments.payout_batches.admin.words import (
    LINE_KINDS,
    ON_THE_WAY,
    OPEN,
    PAYOUT_KINDS,
    line_state,
    reason_shown,
    remark,
)
from payments.payout_batches.files import faults
from payments.payout_batches.files.headings import COLUMNS
from payments.payout_batches.models import (
    BatchLine,
    BatchStatus,
    LineStatus,
    PayoutBatch,
)
from payments.payout_batches.services import results, totals

# On the page of the file. The list of lines has all of them.
SHOWN, RIGHT_SHOWN = 100, 10
_BEFORE = (BatchStatus.CHECKED, BatchStatus.WAITING)


def tables(batch: PayoutBatch) -> list[dict[str, Any]]:
    if batch.status in (BatchStatus.CHECKING, BatchStatus.REFUSED):
        return []
    found = [_wrong(batch)] if batch.wrong_count else []
    if batch.status not in _BEFORE and len((progress := _progress(batch))["table"]["rows"]) > 1:
        found.append(progress)
    if batch.warning_count and batch.status in _BEFORE:
        found.append(_warnings(batch))
    return [*found, _lines(batch)]


def _progress(batch: PayoutBatch) -> dict[str, Any]:
    rows = []
    for status, (count, total) in totals.by_status(batch).items():
        if status != LineStatus.CREATED:
            label = badge(LineStatus(status).label, LINE_KINDS[LineStatus(status)])
            rows.append([label, money.grouped(str(count)), amount(total, money.FIAT)])
    payouts = totals.by_payout_status(batch)
    moving = [one for one in payouts if one[0] in OPEN]
    if moving:
        count = sum(one[1] for one in moving)
        total = sum((one[2] for one in moving), Decimal(0))
        label = badge(gettext("On the way"), ON_THE_WAY)
        rows.append([label, money.grouped(str(count)), amount(total, money.FIAT)])
    for status, count, total in payouts:
        if status not in OPEN:
            word = word_of(Payout, status, Payout.Status(status).label)
            label = badge(word, PAYOUT_KINDS[Payout.Status(status)])
            rows.append([label, money.grouped(str(count)), amount(total, money.FIAT)])
    return table(_("Progress"), [_("status"), _("lines"), _("amount")], rows)


def _wrong(batch: PayoutBatch) -> dict[str, Any]:
    """A row for each fault: what the file has, and how it is mended."""
    wrong = batch.lines.filter(status=LineStatus.WRONG)
    rows = [
        [
            *(line.number, str(COLUMNS.get(fault["column"], fault["column"]))),
            *(_typed(fault), faults.advice(fault)),
            *(line.recipient_name or "-", line.reference or "-"),
        ]
        for line in wrong.order_by("number")[:SHOWN]
        for fault in line.faults
    ]
    headers = [_("line"), _("column"), _("in the file"), _("what is wrong, and how to mend it")]
    headers += [_("beneficiary"), _("reference")]
    shown = table(_("Wrong lines"), headers, rows, is_compact=True)
    return {**shown, "more": _more(batch, wrong, "wrong")}


def _typed(fault: dict[str, Any]) -> Any:
    if value := faults.typed_value(fault):
        return format_html('<code class="desk-typed">{}</code>', value)
    return gettext("empty") if fault["code"] == "needed" else "-"


def _warnings(batch: PayoutBatch) -> dict[str, Any]:
    found = batch.lines.filter(status=LineStatus.WAITING).exclude(warnings=[])
    rows = [
        [
            line.number,
            line.recipient_name,
            amount(line.amount, money.FIAT),
            lines(remark(one) for one in line.warnings),
        ]
        for line in found.order_by("number")[:SHOWN]
    ]
    headers = [_("line"), _("beneficiary"), _("amount"), _("look at")]
    title = _("Look at these lines before you pay them")
    shown = table(title, headers, rows, is_compact=True)
    return {**shown, "more": _more(batch, found, "waiting")}


def _lines(batch: PayoutBatch) -> dict[str, Any]:
    """State and payout stand there once they differ from line to line."""
    good = batch.lines.exclude(status=LineStatus.WRONG)
    is_sent = batch.status not in _BEFORE
    rows = []
    for line in good.select_related("batch", "payout", "bank").order_by("number")[:RIGHT_SHOWN]:
        row: list[Any] = [line.number, line.recipient_name, amount(line.amount, money.FIAT)]
        row += [line_state(line)] if is_sent else []
        row += [results.destination_of(line), line.reference or "-"]
        row += [_payout_of(line)] if is_sent else []
        rows.append(row)
    headers = [_("line"), _("beneficiary"), _("amount"), *([_("status")] if is_sent else [])]
    headers += [_("destination"), _("reference"), *([_("payout")] if is_sent else [])]
    shown = table(_("Lines"), headers, rows, is_compact=True)
    return {**shown, "more": _more(batch, good, "", shown=RIGHT_SHOWN)}


def _payout_of(line: BatchLine) -> Any:
    reason = reason_shown(line)
    if line.payout is None:
        return reason or "-"
    see = link(line.payout, gettext("See"))
    return format_html("{} · {}", reason, see) if reason else see


def _more(
    batch: PayoutBatch, rows: QuerySet[BatchLine], state: str, shown: int = SHOWN
) -> tuple[str, str] | None:
    """The link below a table that has not all lines: its words and its address."""
    count = rows.count()
    if count <= shown:
        return None
    query = f"file={batch.pk}" + (f"&state={state}" if state else "")
    url = reverse("admin:payout_batches_batchline_changelist")
    text = gettext("See all %(count)s lines") % {"count": money.grouped(str(count))}
    return text, f"{url}?{query}"
