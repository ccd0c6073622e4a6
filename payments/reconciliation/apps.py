from typing import ClassVar

from django.apps import AppConfig
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.console import registry
from payments.reconciliation.metrics import METRICS


class ReconciliationConfig(AppConfig):
    name = "payments.reconciliation"
    label = "reconciliation"
    verbose_name = _("Reconciliation")
    # Names of the ledger's accounts, by their kind.
    ledger_names: ClassVar[dict[str, str]] = {
        "bank": "payments.reconciliation.services.account_labels.labels_of",
    }
    # The console's page for the subject of a posting, by the prefix of the subject's id.
    subject_pages: ClassVar[dict[str, str]] = {
        "stf": "reconciliation_statementfile",
        "sef": "reconciliation_settlementfile",
        "dsb": "reconciliation_disbursement",
    }
    metrics = METRICS
    console = registry.AppConsole(
        sections=(
            registry.section(
                65,
                _("Own bank"),
                registry.Entry(
                    _("Reconciliation"), "fact_check", "reconciliation.reconciledday", order=5
                ),
                registry.Entry(
                    _("Bank movements"), "swap_vert", "reconciliation.statementline", order=10
                ),
                registry.Entry(
                    _("Statements"), "receipt_long", "reconciliation.statementfile", order=30
                ),
                registry.Entry(
                    _("Uploaded statements"),
                    "upload_file",
                    "reconciliation.statementupload",
                    order=35,
                ),
                registry.Entry(
                    _("Bank accounts"), "account_balance", "reconciliation.bankaccount", order=40
                ),
                registry.Entry(
                    _("Disbursements"), "move_to_inbox", "reconciliation.disbursement", order=50
                ),
                registry.Entry(
                    _("Settlement files"), "upload_file", "reconciliation.settlementfile", order=55
                ),
                registry.Entry(
                    _("Tariffs of acquirers"), "percent", "reconciliation.providertariff", order=60
                ),
            ),
        ),
        queues=(
            registry.WorkQueue(
                order=35,
                label=_("Bank movements with candidates"),
                model="reconciliation.statementline",
                where=lambda now: Q(status="AMBIGUOUS"),
                query="status__exact=AMBIGUOUS",
                for_operators_only=True,
            ),
            registry.WorkQueue(
                order=36,
                label=_("Bank movements without a candidate"),
                model="reconciliation.statementline",
                where=lambda now: Q(status="UNMATCHED"),
                query="status__exact=UNMATCHED",
                for_operators_only=True,
            ),
            registry.WorkQueue(
                order=37,
                label=_("Disbursements that are late"),
                model="reconciliation.disbursement",
                where=lambda now: Q(status="LATE"),
                query="status__exact=LATE",
                for_operators_only=True,
            ),
            registry.WorkQueue(
                order=38,
                label=_("Days with overdue differences"),
                model="reconciliation.reconciledday",
                where=lambda now: Q(status="RED"),
                query="status__exact=RED",
                for_operators_only=True,
            ),
        ),
        search=(
            registry.searched(
                "reconciliation.statementline", "", registry.filled_equals("reference")
            ),
            registry.searched("reconciliation.statementfile", "stf"),
            registry.searched("reconciliation.disbursement", "dsb"),
            registry.searched("reconciliation.settlementfile", "sef"),
        ),
        rights={
            registry.OF_OPERATORS: "view_disbursement view_settlementfile view_providertariff "
            "view_reconciledday view_bankaccount view_statementfile view_statementline "
            "view_statementupload",
            registry.FINANCE: "add_settlementfile add_providertariff add_statementupload "
            "decide_statementline",
            registry.ADMINISTRATOR: "add_bankaccount",
        },
        right_names={
            "decide_statementline": gettext_noop("Can decide about bank movements"),
        },
    )
