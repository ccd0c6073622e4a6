"""Application config of payouts."""

from typing import ClassVar

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.console.registry import (
    ADMINISTRATOR,
    APPROVER,
    EVERYONE,
    FINANCE,
    OF_OPERATORS,
    AppConsole,
    Entry,
    SearchedModel,
    Section,
    document_equals,
    equals,
    flag_queue,
    transfer_key_equals,
)
from payments.core.metrics import AppMetrics, OutgoingTable, age


class PayoutConfig(AppConfig):
    """Tables: PayoutMethod, Bank, PayoutSwitch, Payout."""

    name = "payments.payout"
    label = "payout"
    verbose_name = _("Payouts")
    # Its default rows (manage.py load_catalogues).
    catalogue = ("payouts", "payments.payout.services.catalogue.load_catalogue")
    # The console's pages of what postings are about, by the prefix of its id.
    subject_pages: ClassVar[dict[str, str]] = {"po": "payout_payout"}
    metrics = AppMetrics(
        outgoing={
            "payout": OutgoingTable(
                table="payout_payout", provider="PAYOUT_PROVIDER", has_approval=True
            )
        },
        ages=(age("payout-act", "payout_payout", "next_action_at"),),
    )
    console = AppConsole(
        sections=(
            Section(
                20,
                _("Payouts"),
                (
                    Entry(_("Payouts"), "send_money", "payout.payout"),
                    Entry(_("Payout methods"), "tune", "payout.payoutmethod"),
                    Entry(_("Banks"), "assured_workload", "payout.bank"),
                    Entry(_("Payouts on/off"), "power_settings_new", "payout.payoutswitch"),
                ),
            ),
        ),
        queues=(
            flag_queue(70, _("Payouts that wait for approval"), "payout.payout", approval=True),
            flag_queue(80, _("Payouts in doubt that wait for an operator"), "payout.payout"),
        ),
        search=(
            SearchedModel(
                model="payout.payout",
                prefix="po",
                conditions=(
                    equals("provider_id", partial=True),
                    transfer_key_equals("key_value"),
                    document_equals("recipient_document"),
                ),
            ),
        ),
        overview="payments.payout.admin.overview.parts",
        rights={
            EVERYONE: "view_payout",
            OF_OPERATORS: "view_payoutmethod view_bank view_payoutswitch",
            FINANCE: "ask_payout resolve_payout acknowledge_payout",
            APPROVER: "approve_payout",
            ADMINISTRATOR: "add_bank change_payoutmethod change_bank change_payoutswitch",
        },
        right_names={
            "approve_payout": gettext_noop("Can approve and reject payouts"),
            "ask_payout": gettext_noop("Can ask the rail about payouts"),
            "resolve_payout": gettext_noop("Can resolve payouts by hand"),
            "acknowledge_payout": gettext_noop("Can acknowledge contradictions of payouts"),
        },
    )
