from typing import ClassVar

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.console import registry
from payments.core.metrics import AppMetrics, OutgoingTable, age


class BillsConfig(AppConfig):
    name = "payments.bills"
    label = "bills"
    verbose_name = _("Bill payments")
    # The default rows that manage.py load_catalogues adds.
    catalogue = ("bills", "payments.bills.services.catalogue.load_catalogue")
    # The console's page for the subject of a posting, by the prefix of the subject's id.
    subject_pages: ClassVar[dict[str, str]] = {"bil": "bills_billpayment"}
    subject_facts: ClassVar[dict[str, str]] = {
        "bil": "payments.bills.subject_facts.of_bill_payments"
    }
    metrics = AppMetrics(
        outgoing={"bill": OutgoingTable(table="bills_billpayment")},
        ages=(age("bills-act", "bills_billpayment", "next_action_at"),),
    )
    console = registry.AppConsole(
        sections=(
            registry.section(
                40,
                _("Bill payments"),
                registry.Entry(
                    _("Bill payments"),
                    "request_quote",
                    "bills.billpayment",
                    merchant_link="bills",
                    group=registry.PAYMENTS_OUT,
                ),
                registry.Entry(_("Agreements"), "handshake", "bills.agreement"),
                registry.Entry(_("Terms of bill payments"), "tune", "bills.billterms"),
            ),
        ),
        queues=(
            registry.flag_queue(
                100, _("Bill payments in doubt that wait for an operator"), "bills.billpayment"
            ),
        ),
        search=(
            registry.searched(
                "bills.billpayment",
                "bil",
                registry.filled_equals("provider_id"),
                registry.document_equals("bill_key"),
            ),
        ),
        rights={
            registry.EVERYONE: "view_billpayment",
            registry.OF_OPERATORS: "view_agreement view_billterms",
            registry.FINANCE: "ask_billpayment resolve_billpayment acknowledge_billpayment",
            registry.ADMINISTRATOR: "change_agreement change_billterms",
        },
        right_names={
            "ask_billpayment": gettext_noop("Can ask the rail about bill payments"),
            "resolve_billpayment": gettext_noop("Can resolve bill payments by hand"),
            "acknowledge_billpayment": gettext_noop(
                "Can acknowledge contradictions of bill payments"
            ),
        },
    )
