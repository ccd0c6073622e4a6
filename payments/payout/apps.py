from typing import ClassVar

from django.apps import AppConfig
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.console import registry
from payments.core.metrics import AppMetrics, OutgoingTable, age
from payments.rails.search import wire_reference_of


class PayoutConfig(AppConfig):
    name = "payments.payout"
    label = "payout"
    verbose_name = _("Payouts")
    # The default rows that manage.py load_catalogues adds.
    catalogue = ("payouts", "payments.payout.services.catalogue.load_catalogue")
    # The console's page for the subject of a posting, by the prefix of the subject's id.
    subject_pages: ClassVar[dict[str, str]] = {"po": "payout_payout"}
    subject_facts: ClassVar[dict[str, str]] = {"po": "payments.payout.subject_facts.of_payouts"}
    metrics = AppMetrics(
        outgoing={"payout": OutgoingTable(table="payout_payout", has_approval=True)},
        ages=(age("payout-act", "payout_payout", "next_action_at"),),
    )
    console = registry.AppConsole(
        sections=(
            registry.section(
                20,
                _("Payouts"),
                registry.Entry(
                    _("Payouts"), "send_money", "payout.payout", merchant_link="payouts"
                ),
                registry.Entry(_("Beneficiaries"), "contacts", "payout.beneficiary"),
                registry.Entry(_("Approval rules"), "rule", "payout.approvalpolicy"),
                registry.Entry(_("Payout methods"), "tune", "payout.payoutmethod"),
                registry.Entry(_("Banks"), "assured_workload", "payout.bank"),
                registry.Entry(_("Payouts on/off"), "power_settings_new", "payout.payoutswitch"),
            ),
        ),
        queues=(
            registry.WorkQueue(
                order=65,
                label=_("To approve: payouts"),
                model="payout.payout",
                where=lambda now: Q(needs_team_approval=True),
                query="exceptions=team",
                for_merchants_only=True,
                decided_by="payout.decide_payout",
                tasks="payments.payout.admin.waiting.payouts",
            ),
            registry.WorkQueue(
                order=66,
                label=_("Approval rules that wait for a confirmation"),
                model="payout.approvalpolicy",
                where=lambda now: Q(status="PROPOSED"),
                query="status__exact=PROPOSED",
                for_merchants_only=True,
                decided_by="payout.confirm_approvalpolicy",
                asked_by="proposed_by",
                tasks="payments.payout.admin.waiting.policies",
            ),
            registry.flag_queue(
                70, _("Payouts that wait for approval"), "payout.payout", approval=True
            ),
            registry.flag_queue(
                80, _("Payouts in doubt that wait for an operator"), "payout.payout"
            ),
        ),
        search=(
            registry.searched(
                "payout.payout",
                "po",
                registry.filled_equals("provider_id"),
                wire_reference_of("provider_reference"),
                registry.transfer_key_equals("key_value"),
                registry.document_equals("recipient_document"),
                names=("recipient_name", "description"),
                codes=("reference",),
            ),
            registry.searched("payout.beneficiary", "ben", names=("name",), is_kept=True),
        ),
        overview="payments.payout.admin.overview.parts",
        settings="payments.payout.admin.account_settings.settings",
        shortcuts=(
            registry.Shortcut(
                order=2,
                label=_("Make a payout"),
                icon="send_money",
                url_name="admin:payout_payout_pay",
                right="payout.prepare_payout",
                switch="payout_enabled",
            ),
        ),
        rights={
            registry.EVERYONE: "view_payout view_beneficiary view_approvalpolicy",
            registry.OF_OPERATORS: "view_payoutmethod view_bank view_payoutswitch",
            registry.FINANCE: "ask_payout resolve_payout acknowledge_payout",
            registry.APPROVER: "approve_payout confirm_approvalpolicy",
            registry.ADMINISTRATOR: "add_bank change_payoutmethod change_bank change_payoutswitch",
            registry.MERCHANT_PREPARER: "prepare_payout keep_beneficiary",
            registry.MERCHANT_APPROVER: "decide_payout confirm_approvalpolicy",
            registry.MERCHANT_ADMINISTRATOR: (
                "prepare_payout keep_beneficiary propose_approvalpolicy"
            ),
        },
        right_names={
            "approve_payout": gettext_noop("Can approve and reject payouts"),
            "ask_payout": gettext_noop("Can ask the rail about payouts"),
            "resolve_payout": gettext_noop("Can resolve payouts by hand"),
            "acknowledge_payout": gettext_noop("Can acknowledge contradictions of payouts"),
            "prepare_payout": gettext_noop("Can prepare payouts of the merchant"),
            "decide_payout": gettext_noop("Can approve what colleagues prepared"),
            "keep_beneficiary": gettext_noop("Can make and change beneficiaries"),
            "propose_approvalpolicy": gettext_noop("Can propose approval rules of the team"),
            "confirm_approvalpolicy": gettext_noop("Can confirm approval rules of the team"),
        },
    )
