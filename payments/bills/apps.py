"""Application config of bill payments."""

from typing import ClassVar

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.console.registry import (
    ADMINISTRATOR,
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
)
from payments.core.metrics import AppMetrics, OutgoingTable, age


class BillsConfig(AppConfig):
    """Tables: Agreement, BillTerms, BillPayment."""

    name = "payments.bills"
    label = "bills"
    verbose_name = _("Bill payments")
    # Its default rows (manage.py load_catalogues).
    catalogue = ("bills", "payments.bills.services.catalogue.load_catalogue")
    # The console's pages of what postings are about, by the prefix of its id.
    subject_pages: ClassVar[dict[str, str]] = {"bil": "bills_billpayment"}
    metrics = AppMetrics(
        outgoing={"bill": OutgoingTable(table="bills_billpayment", provider="BILLS_PROVIDER")},
        ages=(age("bills-act", "bills_billpayment", "next_action_at"),),
    )
    console = AppConsole(
        sections=(
            Section(
                40,
                _("Bill payments"),
                (
                    Entry(_("Bill payments"), "request_quote", "bills.billpayment"),
                    Entry(_("Agreements"), "handshake", "bills.agreement"),
                    Entry(_("Terms of bill payments"), "tune", "bills.billterms"),
                ),
            ),
        ),
        queues=(
            flag_queue(
                100, _("Bill payments in doubt that wait for an operator"), "bills.billpayment"
            ),
        ),
        search=(
            SearchedModel(
                model="bills.billpayment",
                prefix="bil",
                conditions=(equals("provider_id", partial=True), document_equals("bill_key")),
            ),
        ),
        rights={
            EVERYONE: "view_billpayment",
            OF_OPERATORS: "view_agreement view_billterms",
            FINANCE: "ask_billpayment resolve_billpayment acknowledge_billpayment",
            ADMINISTRATOR: "change_agreement change_billterms",
        },
        right_names={
            "ask_billpayment": gettext_noop("Can ask the rail about bill payments"),
            "resolve_billpayment": gettext_noop("Can resolve bill payments by hand"),
            "acknowledge_billpayment": gettext_noop(
                "Can acknowledge contradictions of bill payments"
            ),
        },
    )
