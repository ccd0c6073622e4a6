"""Application config of collections."""

from typing import ClassVar

from django.apps import AppConfig
from django.db.models import Q
from django.db.models.functions import Lower
from django.db.models.lookups import Exact
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.collect.metrics import METRICS
from payments.collect.overdue import (
    TO_PAY,
    WAITS_FOR_MERCHANT,
    overdue_charges,
    overdue_destinations,
)
from payments.console import registry
from payments.rails.search import wire_reference_of


class CollectConfig(AppConfig):
    name = "payments.collect"
    label = "collect"
    verbose_name = _("Collections")
    # The console's page for the subject of a posting, by the prefix of the subject's id.
    subject_pages: ClassVar[dict[str, str]] = {
        "col": "collect_order",
        "ref": "collect_refund",
        "dis": "collect_dispute",
    }
    subject_facts: ClassVar[dict[str, str]] = {
        "col": "payments.collect.subject_facts.of_orders",
        "ref": "payments.collect.subject_facts.of_refunds",
        "dis": "payments.collect.subject_facts.of_disputes",
    }
    metrics = METRICS
    open_subjects = (
        "SELECT id FROM collect_order WHERE status NOT IN ('COMPLETED', 'FAILED', 'EXPIRED')",
        "SELECT order_id FROM collect_refund"
        " WHERE status IN ('PENDING', 'PROCESSING') OR needs_operator",
        "SELECT id FROM collect_dispute WHERE status = 'OPEN' OR needs_operator",
        "SELECT order_id FROM collect_dispute WHERE status = 'OPEN' OR needs_operator",
        "SELECT id FROM collect_unmatchedfunds WHERE status = 'OPEN'",
    )
    console = registry.AppConsole(
        sections=(
            registry.section(
                10,
                _("Collections"),
                registry.Entry(
                    _("Orders"), "receipt_long", "collect.order", merchant_link="orders"
                ),
                registry.Entry(
                    _("Analytics"),
                    "monitoring",
                    "collect.order",
                    url_name="admin:collect_order_analytics",
                ),
                registry.Entry(_("Charges"), "contactless", "collect.charge"),
                registry.Entry(_("Refunds"), "undo", "collect.refund"),
                registry.Entry(_("Disputes"), "gavel", "collect.dispute"),
                registry.Entry(_("Unmatched funds"), "help_center", "collect.unmatchedfunds"),
            ),
        ),
        queues=(
            registry.WorkQueue(
                order=10,
                label=_("Unmatched funds to decide"),
                model="collect.unmatchedfunds",
                where=lambda now: Q(status="OPEN"),
                query="status__exact=OPEN",
                decided_by="collect.decide_unmatchedfunds",
            ),
            registry.WorkQueue(
                order=25,
                label=_("Charges whose outcome the rail has not said for a day"),
                model="collect.charge",
                where=overdue_charges,
                query="exceptions=overdue",
                for_operators_only=True,
                decided_by="collect.ask_order",
            ),
            registry.WorkQueue(
                order=30,
                label=_("Charges whose outcome the rail is being asked for"),
                model="collect.charge",
                where=lambda now: Q(reconcile_at__isnull=False),
                query="exceptions=asked",
                for_operators_only=True,
                is_routine=True,
            ),
            registry.WorkQueue(
                order=40,
                label=_("Refunds that wait for a decision"),
                model="collect.refund",
                where=lambda now: Q(needs_approval=True, needs_destination=False),
                query="exceptions=approval",
                decided_by="collect.approve_refund",
                asked_by="requested_by",
            ),
            registry.WorkQueue(
                order=42,
                label=_("Refunds of coins to be paid"),
                model="collect.refund",
                where=lambda now: TO_PAY,
                query="exceptions=coins",
                for_operators_only=True,
                decided_by="collect.pay_refund",
            ),
            registry.WorkQueue(
                order=45,
                label=_("Refunds whose payer has named no account for a week"),
                model="collect.refund",
                where=overdue_destinations,
                query="exceptions=destination",
                for_operators_only=True,
            ),
            registry.flag_queue(
                50, _("Refunds in doubt that wait for an operator"), "collect.refund"
            ),
            registry.WorkQueue(
                order=60,
                label=_("Disputes that are open or in doubt"),
                model="collect.dispute",
                where=lambda now: Q(status="OPEN") | Q(needs_operator=True),
                query="exceptions=waiting",
                merchant_filter=WAITS_FOR_MERCHANT,
                decided_by="collect.decide_dispute collect.note_dispute",
                tasks="payments.collect.admin.waiting.disputes",
            ),
        ),
        search=(
            registry.searched(
                "collect.order",
                "col",
                registry.equals("reference"),
                registry.email_matches(lambda email: Exact(Lower("customer_email"), email)),
                registry.document_equals("customer_document"),
                vague=registry.begins("reference"),
                names=("customer_name", "description"),
                codes=("reference",),
            ),
            registry.searched(
                "collect.charge",
                "chg",
                registry.filled_equals("trace_code"),
                registry.filled_equals("provider_id"),
                wire_reference_of("pk"),
            ),
            registry.searched(
                "collect.refund",
                "ref",
                registry.filled_equals("provider_id"),
                wire_reference_of("provider_reference"),
            ),
            registry.searched("collect.dispute", "dis", registry.equals("provider_reference")),
            registry.searched(
                "collect.unmatchedfunds", "unm", registry.filled_equals("trace_code")
            ),
        ),
        overview="payments.collect.admin.overview.parts",
        cockpit="payments.collect.admin.cockpit.panels",
        settings="payments.collect.admin.account_settings.settings",
        rights={
            registry.EVERYONE: "view_order view_charge view_refund view_dispute",
            registry.OF_OPERATORS: "view_unmatchedfunds",
            registry.OF_MERCHANTS: "refund_order note_dispute",
            registry.SUPPORT: "cancel_order ask_order note_dispute",
            registry.FINANCE: (
                "cancel_order ask_order refund_order dispute_order ask_refund resolve_refund "
                "pay_refund acknowledge_refund decide_dispute note_dispute acknowledge_dispute "
                "decide_unmatchedfunds"
            ),
            registry.APPROVER: "approve_refund",
        },
        right_names={
            "cancel_order": gettext_noop("Can cancel orders"),
            "ask_order": gettext_noop("Can ask the rail about orders"),
            "refund_order": gettext_noop("Can ask for refunds"),
            "dispute_order": gettext_noop("Can open disputes"),
            "approve_refund": gettext_noop("Can approve and reject refunds"),
            "ask_refund": gettext_noop("Can ask the rail about refunds"),
            "pay_refund": gettext_noop("Can enter the transactions of refunds in coins"),
            "resolve_refund": gettext_noop("Can resolve refunds by hand"),
            "acknowledge_refund": gettext_noop("Can acknowledge contradictions of refunds"),
            "decide_dispute": gettext_noop("Can record how disputes were decided"),
            "note_dispute": gettext_noop("Can add evidence to disputes"),
            "acknowledge_dispute": gettext_noop("Can acknowledge contradictions of disputes"),
            "decide_unmatchedfunds": gettext_noop("Can decide about unmatched funds"),
        },
    )
