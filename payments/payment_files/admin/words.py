"""The history of batches and lines, in plain words."""

from django.utils.translation import gettext_lazy as _

from payments.console.timeline import add_actions, add_states
from payments.payment_files.models import BatchStatus, LineStatus

BATCH_KINDS = {
    BatchStatus.OPEN: "info",
    BatchStatus.CLOSED: "warning",
    BatchStatus.APPROVED: "warning",
    BatchStatus.SENT: "info",
    BatchStatus.DONE: "success",
}
LINE_KINDS = {
    LineStatus.PENDING: "info",
    LineStatus.COMPLETED: "success",
    LineStatus.FAILED: "danger",
    LineStatus.RETURNED: "danger",
}

add_states(
    "paymentbatch",
    {
        "CLOSED": _("The batch waits for a second person"),
        "APPROVED": _("The file was made"),
        "SENT": _("The file was handed over: the bank may pay"),
        "DONE": _("Each line is decided"),
    },
)
add_states(
    "batchline",
    {
        "COMPLETED": _("The bank paid it"),
        "FAILED": _("It was not paid: its money is released"),
        "RETURNED": _("It was paid and came back"),
    },
)
add_actions(
    {
        "payment_batch.closed": _("Sent the batch for approval"),
        "payment_batch.approved": _("Approved the batch"),
        "payment_batch.downloaded": _("Downloaded the file"),
        "payment_batch.version_requested": _("Asked for another version of the file"),
        "payment_batch.answer_taken": _("Uploaded the bank's answer"),
        "batch_line.taken_out": _("Took the line out"),
        "batch_line.declared": _("Declared what became of the line"),
        "batch_line.declaration_approved": _("Agreed to the declaration"),
        "batch_line.declaration_rejected": _("Rejected the declaration"),
        "batch_line.findings_closed": _("Marked the findings as looked into"),
        "batch_line.movement_withdrawn": _("Assigned the bank's movement elsewhere"),
    }
)
