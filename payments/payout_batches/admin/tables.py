"""The tables of a file's page."""

from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console.formatting import amount, badge, lines, link, table
from payments.core import money
from payments.payout.models import Payout
from payments.payout_batches.admin.lines import status_badge
from payments.payout_batches.admin.next_steps import available
from payments.payout_batches.admin.words import LINE_KINDS, PAYOUT_KINDS
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
    found.append(_sums(batch) if batch.status in _BEFORE else _progress(batch))
    if batch.warning_count and batch.status in _BEFORE:
        found.append(_warnings(batch))
    return [*found, _lines(batch)]


def _sums(batch: PayoutBatch) -> dict[str, Any]:
    total = batch.amount + batch.fee_amount
    is_pesos = batch.currency == money.BALANCE_OF_FIAT
    currency = money.FIAT if is_pesos else batch.currency
    rows = [
        [gettext("Payouts"), f"{money.grouped(str(batch.line_count))}"],
        [gettext("Amount"), amount(batch.amount, money.FIAT)],
        [gettext("Fees"), amount(batch.fee_amount, money.FIAT)],
        [gettext("Total"), amount(total, money.FIAT)],
        [gettext("Balance now"), amount(available(batch), currency)],
    ]
    if is_pesos:
        rows.append([gettext("Balance after"), amount(available(batch) - total, money.FIAT)])
    return table(_("Totals"), [_("right lines"), _("value")], rows)


def _progress(batch: PayoutBatch) -> dict[str, Any]:
    rows = []
    for status, (count, total) in totals.by_status(batch).items():
        if status != LineStatus.CREATED:
            label = badge(LineStatus(status).label, LINE_KINDS[LineStatus(status)])
            rows.append([label, money.grouped(str(count)), amount(total, money.FIAT)])
    for status, count, total in totals.by_payout_status(batch):
        label = badge(Payout.Status(status).label, PAYOUT_KINDS[Payout.Status(status)])
        rows.append([label, money.grouped(str(count)), amount(total, money.FIAT)])
    return table(_("Progress"), [_("status"), _("lines"), _("amount")], rows)


def _wrong(batch: PayoutBatch) -> dict[str, Any]:
    wrong = batch.lines.filter(status=LineStatus.WRONG)
    rows = [
        [line.number, _place(line), lines(_texts(line)), line.recipient_name or "-"]
        for line in wrong.order_by("number")[:SHOWN]
    ]
    rows += _more(batch, wrong, LineStatus.WRONG)
    headers = [_("line"), _("column"), _("what is wrong"), _("beneficiary")]
    return table(_("Wrong lines"), headers, rows, is_compact=True)


def _place(line: BatchLine) -> Any:
    return lines(str(COLUMNS.get(one["column"], one["column"])) for one in line.faults)


def _texts(line: BatchLine) -> list[str]:
    return [faults.value_fault(one) for one in line.faults]


def _warnings(batch: PayoutBatch) -> dict[str, Any]:
    found = batch.lines.filter(status=LineStatus.WAITING).exclude(warnings=[])
    rows = [
        [
            line.number,
            line.recipient_name,
            amount(line.amount, money.FIAT),
            lines(faults.warning(one) for one in line.warnings),
        ]
        for line in found.order_by("number")[:SHOWN]
    ]
    rows += _more(batch, found, LineStatus.WAITING)
    headers = [_("line"), _("beneficiary"), _("amount"), _("look at")]
    title = _("Look at these lines before you pay them")
    return table(title, headers, rows, is_compact=True)


def _lines(batch: PayoutBatch) -> dict[str, Any]:
    good = batch.lines.exclude(status=LineStatus.WRONG)
    rows = [
        [
            line.number,
            line.recipient_name,
            amount(line.amount, money.FIAT),
            status_badge(line),
            results.destination_of(line),
            line.reference or "-",
            link(line.payout, gettext("Payout")) if line.payout else results.reason_of(line) or "-",
        ]
        for line in good.select_related("payout", "bank").order_by("number")[:RIGHT_SHOWN]
    ]
    rows += _more(batch, good, "", shown=RIGHT_SHOWN)
    headers = [_("line"), _("beneficiary"), _("amount"), _("status"), _("destination")]
    headers += [_("reference"), _("payout or reason")]
    return table(_("Lines"), headers, rows, is_compact=True)


def _more(
    batch: PayoutBatch,
    rows: QuerySet[BatchLine],
    status: str,
    shown: int = SHOWN,
) -> list[list[Any]]:
    count = rows.count()
    if count <= shown:
        return []
    query = f"file={batch.pk}" + (f"&status__exact={status}" if status else "")
    url = reverse("admin:payout_batches_batchline_changelist")
    text = gettext("All %(count)s lines") % {"count": money.grouped(str(count))}
    style = "text-primary-600 dark:text-primary-500"
    whole = format_html('<a class="{}" href="{}?{}">{}</a>', style, url, query, text)
    return [[whole]]
