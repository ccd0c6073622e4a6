from datetime import datetime
from typing import ClassVar

from django.apps import AppConfig
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.console import registry
from payments.core.metrics import AppMetrics, age


def _waits_for_team(now: datetime) -> Q:
    """A batch that the team has approved may still wait for an operator."""
    from payments.payout.models import TeamApproval

    waiting = TeamApproval.objects.filter(status="WAITING").values("subject_id")
    return Q(status="WAITING_APPROVAL", pk__in=waiting)


OF_MAKERS = frozenset({registry.MERCHANT_PREPARER, registry.MERCHANT_ADMINISTRATOR})
OF_STOPPERS = OF_MAKERS | {registry.MERCHANT_APPROVER}


class PayoutBatchesConfig(AppConfig):
    name = "payments.payout_batches"
    label = "payout_batches"
    verbose_name = _("Payout batches")
    subject_pages: ClassVar[dict[str, str]] = {"pob": "payout_batches_payoutbatch"}
    metrics = AppMetrics(
        ages=(age("payout-batches", "payout_batches_payoutbatch", "due_at"),),
        decisions=(
            """SELECT 'stopped-payout-batch', 'operator', count(*) FROM (
                   SELECT id FROM payout_batches_payoutbatch
                   WHERE status = 'PAUSED' AND cause = 'UNEXPECTED_ERROR'
                   ORDER BY created_at LIMIT %(cap)s) AS row""",
        ),
    )
    console = registry.AppConsole(
        sections=(
            registry.section(
                20,
                _("Payouts"),
                registry.Entry(
                    _("Payouts by file"),
                    "upload_file",
                    "payout_batches.payoutbatch",
                    order=5,
                    children={"payout_batches.batchline": _("Lines")},
                ),
            ),
        ),
        queues=(
            registry.WorkQueue(
                order=65,
                label=_("To approve: payout files"),
                model="payout_batches.payoutbatch",
                where=_waits_for_team,
                query="status__exact=WAITING_APPROVAL",
                for_merchants_only=True,
                decided_by="payout_batches.approve_payoutbatch",
                tasks="payments.payout_batches.admin.waiting.batches",
            ),
            registry.WorkQueue(
                order=71,
                label=_("Payout files that wait for approval"),
                model="payout_batches.payoutbatch",
                where=lambda now: Q(status="WAITING_APPROVAL"),
                query="status__exact=WAITING_APPROVAL",
            ),
            registry.WorkQueue(
                order=72,
                label=_("Payout files that an error of the service has stopped"),
                model="payout_batches.payoutbatch",
                where=lambda now: Q(status="PAUSED", cause="UNEXPECTED_ERROR"),
                query="status__exact=PAUSED&cause__exact=UNEXPECTED_ERROR",
                for_operators_only=True,
            ),
        ),
        search=(registry.searched("payout_batches.payoutbatch", "pob"),),
        shortcuts=(
            registry.Shortcut(
                order=3,
                label=_("Pay many with a file"),
                icon="upload_file",
                url_name="admin:payout_batches_payoutbatch_upload",
                right="payout_batches.prepare_payoutbatch",
                switch="payout_enabled",
            ),
        ),
        rights={
            registry.EVERYONE: "view_payoutbatch view_batchline",
            OF_MAKERS: "prepare_payoutbatch",
            OF_STOPPERS: "stop_payoutbatch",
            frozenset({registry.MERCHANT_APPROVER, registry.APPROVER}): "approve_payoutbatch",
            registry.FINANCE: "restart_payoutbatch",
        },
        right_names={
            "prepare_payoutbatch": gettext_noop("Can upload and send files of payouts"),
            "approve_payoutbatch": gettext_noop("Can approve and reject files of payouts"),
            "stop_payoutbatch": gettext_noop("Can pause and cancel files of payouts"),
            "restart_payoutbatch": gettext_noop(
                "Can resume files of payouts that an error of the service has stopped"
            ),
        },
    )
