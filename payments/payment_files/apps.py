from typing import ClassVar

from django.apps import AppConfig
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.console import registry
from payments.payment_files.metrics import METRICS

_BATCH, _LINE = "payment_files.paymentbatch", "payment_files.batchline"


def _batches(order: int, status: str, label: registry.Text) -> registry.WorkQueue:
    return registry.WorkQueue(
        order=order,
        label=label,
        model=_BATCH,
        where=lambda now: Q(status=status),
        query=f"status__exact={status}",
        for_operators_only=True,
    )


class PaymentFilesConfig(AppConfig):
    name = "payments.payment_files"
    label = "payment_files"
    verbose_name = _("Payment files")
    metrics = METRICS
    # The console's page for the subject of a posting, by the prefix of the subject's id.
    subject_pages: ClassVar[dict[str, str]] = {"pfl": "payment_files_batchline"}
    console = registry.AppConsole(
        sections=(
            registry.section(
                20,
                _("Payouts"),
                registry.Entry(_("Files for the bank"), "request_quote", _BATCH, order=10),
                registry.Entry(_("Payments in files for the bank"), "list_alt", _LINE, order=11),
            ),
        ),
        queues=(
            _batches(82, "OPEN", _("Open payment batches: close them to pay")),
            _batches(83, "CLOSED", _("Payment batches that wait for approval")),
            _batches(84, "APPROVED", _("Payment files to download")),
            _batches(85, "SENT", _("Payment files whose lines the bank has to show")),
            registry.WorkQueue(
                order=86,
                label=_("Payment lines waiting for a second person"),
                model=_LINE,
                where=lambda now: ~Q(declared_status=""),
                query="exceptions=declared",
                for_operators_only=True,
            ),
            registry.WorkQueue(
                order=87,
                label=_("The bank disagrees with a payment line"),
                model=_LINE,
                where=lambda now: Q(needs_operator=True),
                query="exceptions=operator",
                for_operators_only=True,
                is_alarm=True,
            ),
        ),
        search=(
            registry.searched(_LINE, "pfl", registry.equals("code"), registry.equals("payment_id")),
        ),
        rights={
            registry.OF_OPERATORS: "view_paymentbatch view_batchline",
            registry.FINANCE: "close_paymentbatch download_paymentbatch renew_paymentbatch"
            " answer_paymentbatch remove_batchline declare_batchline acknowledge_batchline",
            registry.APPROVER: "approve_paymentbatch approve_batchline",
        },
        right_names={
            "close_paymentbatch": gettext_noop("Can close payment batches"),
            "approve_paymentbatch": gettext_noop("Can approve payment batches"),
            "download_paymentbatch": gettext_noop("Can download payment files"),
            "renew_paymentbatch": gettext_noop("Can ask for another version of a payment file"),
            "answer_paymentbatch": gettext_noop("Can upload the bank's answer to a payment file"),
            "remove_batchline": gettext_noop("Can take lines out of payment batches"),
            "declare_batchline": gettext_noop("Can declare what became of a line"),
            "approve_batchline": gettext_noop("Can agree to what was declared of a line"),
            "acknowledge_batchline": gettext_noop("Can close findings of a line"),
        },
    )
