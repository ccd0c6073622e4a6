"""Tables on the page of a batch, and what an action's page says of it."""

import json
from datetime import datetime
from typing import Any

from django.db.models import Count, Sum
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from payments.console.formatting import amount, badge, day, link, table, when
from payments.console.timeline import ROWS_MAX, TimelineLine, timeline, told_once
from payments.core import masking
from payments.payment_files import banks
from payments.payment_files.admin.line_tables import finding_lines
from payments.payment_files.admin.words import LINE_KINDS
from payments.payment_files.models import (
    BatchLine,
    BatchStatus,
    LineFinding,
    LineStatus,
    PaymentBatch,
)
from payments.payment_files.services import batches
from payments.rails.models import ProviderAccount

CURRENCY = "COP"
# With a hyphen at which no line breaks.
SHA = "SHA\u2011256"
HAS_FILE = (BatchStatus.APPROVED, BatchStatus.SENT, BatchStatus.DONE)
# The list of lines has all of them.
LINES_SHOWN = 50


def summary(batch: PaymentBatch) -> list[tuple[str, object]]:
    """Of the action's page."""
    count, total = batches.waiting(batch)
    facts: list[tuple[str, object]] = [
        (gettext("total"), format_html("<strong>{}</strong>", amount(total, CURRENCY))),
        (gettext("payments"), count),
        (gettext("account debited"), debited(batch)),
    ]
    if batch.pay_on is not None:
        facts.append((gettext("to be paid on"), day(batch.pay_on)))
    if batch.closed_by:
        facts.append((gettext("sent for approval by"), batch.closed_by))
    if batch.approved_by and batch.status in HAS_FILE:
        facts.append((pgettext("batch", "approved by"), batch.approved_by))
    file = batch.files.filter(replaced_at=None).first()
    if file is not None:
        hashed = format_html('<code class="desk-copied">{}</code>', _foldable(file.sha256))
        facts.append((SHA, hashed))
    return facts


def debited(batch: PaymentBatch) -> str:
    """The bank and the masked account that the file debits."""
    account = ProviderAccount.objects.filter(pk=batch.account).first()
    if account is None:
        return batch.account
    number = str(json.loads(account.credentials).get("account_number", ""))
    # The file's format is this bank's own.
    bank = banks.NAMES[banks.BANCOLOMBIA]
    return " · ".join(filter(None, [bank, masking.tail(number), account.label]))


def history(batch: PaymentBatch) -> list[TimelineLine]:
    created = TimelineLine(at=batch.created_at, what=gettext("The batch was opened"))
    found = LineFinding.objects.filter(line__batch=batch).select_related("line").order_by("id")
    facts = [created, *finding_lines(found[:ROWS_MAX], with_code=True)]
    return told_once(timeline([batch.pk], facts))


def alarm(line: BatchLine) -> SafeString:
    kinds = [one.get_kind_display() for one in line.findings.all() if one.closed_at is None]
    said = gettext("%(name)s, %(amount)s") % {
        "name": line.recipient_name,
        "amount": amount(line.amount, CURRENCY),
    }
    return format_html("{}: {} · {}", ", ".join(kinds), link(line, line.code), said)


def states_table(batch: PaymentBatch) -> dict[str, Any]:
    found = batch.lines.values("status").annotate(count=Count("pk"), total=Sum("amount"))
    by_status = {row["status"]: row for row in found}
    rows = [
        [
            badge(status.label, LINE_KINDS[status]),
            by_status[status]["count"],
            amount(by_status[status]["total"], CURRENCY),
        ]
        for status in LineStatus
        if status in by_status
    ]
    return table(_("Totals"), [_("status"), _("lines"), _("amount")], rows)


def files_table(batch: PaymentBatch) -> dict[str, Any]:
    rows = [
        [
            gettext("%(version)d, letter %(letter)s")
            % {"version": file.version, "letter": file.sequence},
            file.lines,
            amount(file.total, CURRENCY),
            file.sha256,
            f"{when(file.made_at)} · {file.made_by}",
            by(file.downloaded_at, file.downloaded_by),
            " · ".join(filter(None, [by(file.replaced_at, file.replaced_by), file.replace_reason])),
        ]
        for file in batch.files.defer("content").order_by("-version")
    ]
    headers = [
        *(_("version"), _("lines"), _("total"), SHA),
        *(_("made"), _("downloaded"), _("replaced")),
    ]
    if not any(row[-1] for row in rows):
        headers, rows = headers[:-1], [row[:-1] for row in rows]
    return table(_("Files"), headers, rows)


def _foldable(sha256: str) -> SafeString:
    """A hash that may be broken into four lines."""
    parts = ((sha256[start : start + 16],) for start in range(0, len(sha256), 16))
    return format_html_join(mark_safe("<wbr>"), "{}", parts)


def answers_table(batch: PaymentBatch) -> dict[str, Any]:
    rows = [
        [one.name, one.rows, f"{when(one.uploaded_at)} · {one.uploaded_by}"]
        for one in batch.answers.order_by("-id")
    ]
    return table(_("Answers of the bank"), [_("file"), _("rows"), _("uploaded")], rows)


def lines_table(batch: PaymentBatch) -> dict[str, Any]:
    rows = [
        [
            link(line, line.code),
            line.recipient_name,
            amount(line.amount, CURRENCY),
            _state_of_line(line),
            line.get_declared_status_display() or "-",
        ]
        for line in batch.lines.order_by("id")[:LINES_SHOWN]
    ]
    if batch.lines.count() > LINES_SHOWN:
        url = reverse("admin:payment_files_batchline_changelist")
        text = gettext("All lines")
        every = format_html('<a href="{}?batch__id__exact={}">{}</a>', url, batch.pk, text)
        rows.append([every, "", "", "", ""])
    headers = [_("code"), _("beneficiary"), _("amount"), _("status"), _("declared")]
    return table(_("Lines"), headers, rows, is_compact=True)


def _state_of_line(line: BatchLine) -> SafeString:
    state = badge(line.get_status_display(), LINE_KINDS[LineStatus(line.status)])
    if not line.needs_operator:
        return state
    disagrees = badge(gettext("The bank disagrees"), "danger")
    return format_html("<span>{} {}</span>", state, disagrees)


def by(at: datetime | None, who: str) -> str:
    return f"{when(at)} · {who}" if at else ""
