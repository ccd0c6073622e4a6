"""Colours and sentences of states."""

from django.utils.translation import gettext_lazy as _

from payments.console.timeline import add_actions, add_states
from payments.payout.models import Payout
from payments.payout_batches.models import BatchStatus, LineStatus

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
add_states(
    "payoutbatch",
    {
        BatchStatus.REFUSED: _("The file could not be read"),
        BatchStatus.CHECKED: _("The file was checked"),
        BatchStatus.WAITING: _("The payouts were sent for approval"),
        BatchStatus.RUNNING: _("The payouts began to be created"),
        BatchStatus.PAUSED: _("It was paused"),
        BatchStatus.DONE: _("Every line has its payout, or the reason why it has none"),
        BatchStatus.CANCELLED: _("The lines without a payout were cancelled"),
        BatchStatus.REJECTED: _("It was rejected"),
        BatchStatus.DISCARDED: _("It was discarded"),
    },
)
