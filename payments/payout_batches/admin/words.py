"""Colours and sentences of states."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from django.utils.dateparse import parse_date
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from payments.console.formatting import badge, day, short_day
from payments.console.reason_words import reason_word
from payments.console.state_words import state_word
from payments.console.timeline import add_actions, add_states
from payments.outgoing.admin.payments import OutgoingAdmin
from payments.outgoing.models import OutgoingStatus
from payments.payout.models import Payout
from payments.payout_batches.files import faults
from payments.payout_batches.models import BatchLine, BatchStatus, LineStatus, PayoutBatch
from payments.payout_batches.services import results

ON_THE_WAY = OutgoingAdmin.labels[OutgoingStatus.PROCESSING]
BATCH_KINDS = {
    BatchStatus.CHECKING: "info",
    BatchStatus.REFUSED: "danger",
    BatchStatus.CHECKED: "info",
    BatchStatus.WAITING: "warning",
    BatchStatus.RUNNING: ON_THE_WAY,
    BatchStatus.PAUSED: "warning",
    BatchStatus.DONE: "success",
    BatchStatus.CANCELLED: "danger",
    BatchStatus.REJECTED: "danger",
    BatchStatus.DISCARDED: "default",
}
OPEN = (Payout.Status.PENDING, Payout.Status.PROCESSING)
LINE_KINDS = {
    LineStatus.WRONG: "danger",
    LineStatus.WAITING: "info",
    LineStatus.CREATED: "info",
    LineStatus.REFUSED: "danger",
    LineStatus.CANCELLED: "danger",
}
# As on the pages of payouts. A pending one is on its way here, too.
PAYOUT_KINDS = {**OutgoingAdmin.labels, OutgoingStatus.PENDING: ON_THE_WAY}


# In a list, where the whole sentence is the title of the words.
_SHORT = {
    "same_as_line": _("Same as line %(line)s"),
    "paid_before": _("Same as a payment of %(day)s"),
    "in_other_batch": _("Same as line %(line)s of %(name)s"),
    "reference_before": _("Reference of %(day)s again"),
}


def remark(found: Mapping[str, Any]) -> str:
    """A warning, with its day as people write it."""
    return faults.warning(_with_day(found))


def short_remark(found: Mapping[str, Any]) -> str | SafeString:
    whole = remark(found)
    if (short := _SHORT.get(str(found["code"]))) is None:
        return whole
    return format_html(
        '<span title="{}">{}</span>', whole, str(short) % _with_day(found, short_day)
    )


def _with_day(found: Mapping[str, Any], written: Callable[[date], str] = day) -> Mapping[str, Any]:
    """Rows store the day as 2026-11-28."""
    given = parse_date(str(found.get("day", "")))
    return {**found, "day": written(given)} if given else found


def batch_state(batch: PayoutBatch, *, is_under_way: bool) -> SafeString:
    """`is_under_way`: a payout of it has not ended. They go on after the batch is done."""
    if batch.status == BatchStatus.DONE:
        if is_under_way:
            return badge(gettext("On the way"), ON_THE_WAY)
        return badge(pgettext("file of payouts", "Completed"), "success")
    if batch.status == BatchStatus.CHECKED and batch.wrong_count:
        return badge(gettext("Checked, with errors"), "warning")
    return badge(batch.get_status_display(), BATCH_KINDS[BatchStatus(batch.status)])


def line_state(line: BatchLine) -> SafeString:
    """The payout's, once there is one. What is on its way has one word, as in the file."""
    if line.payout is not None:
        status = Payout.Status(line.payout.status)
        text = gettext("On the way") if status in OPEN else state_word(line.payout)
        return badge(text, PAYOUT_KINDS[status])
    text = line.get_status_display()
    if line.status == LineStatus.WAITING:
        early = {BatchStatus.CHECKED: gettext("Valid"), BatchStatus.WAITING: gettext("To approve")}
        text = early.get(BatchStatus(line.batch.status), text)
    return badge(text, LINE_KINDS[LineStatus(line.status)])


def reason_shown(line: BatchLine) -> str:
    """Why it was not paid. The files that people download keep the code, as the API does."""
    return reason_word(results.reason_of(line))


# Why a batch waits, by the code of the refusal.
CAUSES = {
    "INSUFFICIENT_BALANCE": _(
        "The balance is not enough for the next line. It and those after it wait, and are tried "
        "again on their own when money arrives."
    ),
    "PAYOUT_DISABLED": _("Payouts are switched off for the moment. The lines wait."),
    "PAYOUT_PROVIDER_UNAVAILABLE": _(
        "No payment network takes payouts at this moment. The lines wait."
    ),
    "NOT_ENABLED": _("The account may not make payouts now. The lines wait."),
}
CAUSE_OTHERS = _("Payouts cannot be created at this moment. The lines wait.")

add_actions(
    {
        "payout_batch.uploaded": _("Uploaded the file"),
        "payout_batch.submitted": _("Sent the payouts for approval"),
        "payout_batch.approved": _("Approved the payouts"),
        "payout_batch.rejected": _("Rejected the payouts"),
        "payout_batch.discarded": _("Discarded the file"),
        "payout_batch.paused": _("Paused the payouts"),
        "payout_batch.resumed": _("Resumed the payouts"),
        "payout_batch.cancelled": _("Cancelled the payouts that did not exist yet"),
        "payout_batch.downloaded": _("Downloaded the file"),
    }
)
# The people of the team, whose approval has the id of the batch.
add_states(
    "teamapproval",
    {
        "APPROVED": _("The team approved it"),
        "REJECTED": _("The team rejected it"),
        "WITHDRAWN": _("The request was cancelled"),
    },
)
add_states(
    "payoutbatch",
    {
        BatchStatus.REFUSED: _("The file could not be read"),
        BatchStatus.CHECKED: _("The file was checked"),
        BatchStatus.WAITING: _("The payouts were sent for approval"),
        BatchStatus.RUNNING: _("The payouts started on their way"),
        BatchStatus.PAUSED: _("It was paused"),
        BatchStatus.DONE: _("All payouts were created"),
        BatchStatus.CANCELLED: _("The lines without a payout were cancelled"),
        BatchStatus.REJECTED: _("It was rejected"),
        BatchStatus.DISCARDED: _("It was discarded"),
    },
)
