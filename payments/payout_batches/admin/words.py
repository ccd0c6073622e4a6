"""Colours and sentences of states."""

from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from payments.console.formatting import badge
from payments.console.timeline import add_actions, add_states
from payments.payout.models import Payout
from payments.payout_batches.models import BatchLine, BatchStatus, LineStatus, PayoutBatch

BATCH_KINDS = {
    BatchStatus.CHECKING: "info",
    BatchStatus.REFUSED: "danger",
    BatchStatus.CHECKED: "info",
    BatchStatus.WAITING: "warning",
    BatchStatus.RUNNING: "info",
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
PAYOUT_KINDS = {
    Payout.Status.PENDING: "info",
    Payout.Status.PROCESSING: "info",
    Payout.Status.COMPLETED: "success",
    Payout.Status.FAILED: "danger",
    Payout.Status.REFUNDED: "warning",
}


def batch_state(batch: PayoutBatch, *, is_under_way: bool) -> SafeString:
    """`is_under_way`: a payout of it has not ended. They go on after the batch is done."""
    if batch.status == BatchStatus.DONE:
        if is_under_way:
            return badge(gettext("On the way"), "info")
        return badge(pgettext("file of payouts", "Completed"), "success")
    if batch.status == BatchStatus.CHECKED and batch.wrong_count:
        return badge(gettext("Checked, with errors"), "warning")
    return badge(batch.get_status_display(), BATCH_KINDS[BatchStatus(batch.status)])


def line_state(line: BatchLine) -> SafeString:
    """The payout's, once there is one. What is on its way has one word, as in the file."""
    if line.payout is not None:
        status = Payout.Status(line.payout.status)
        text = gettext("On the way") if status in OPEN else line.payout.get_status_display()
        return badge(text, PAYOUT_KINDS[status])
    text = line.get_status_display()
    if line.status == LineStatus.WAITING:
        early = {BatchStatus.CHECKED: gettext("Valid"), BatchStatus.WAITING: gettext("To approve")}
        text = early.get(BatchStatus(line.batch.status), text)
    return badge(text, LINE_KINDS[LineStatus(line.status)])


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
