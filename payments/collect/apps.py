"""Application config of collections."""

from typing import ClassVar

from django.apps import AppConfig
from django.db.models import Q
from django.db.models.functions import Lower
from django.db.models.lookups import Exact
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.collect.metrics import METRICS
from payments.console.registry import (
    APPROVER,
    EVERYONE,
    FINANCE,
    OF_MERCHANTS,
    OF_OPERATORS,
    SUPPORT,
    AppConsole,
    Entry,
    SearchedModel,
    Section,
    WorkQueue,
    document_equals,
    email_matches,
    equals,
    flag_queue,
)


class CollectConfig(AppConfig):
    """Tables: Order, OrderTally, Charge, UnmatchedFunds."""

    name = "payments.collect"
    label = "collect"
    verbose_name = _("Collections")
    # The console's pages of what postings are about, by the prefix of its id.
    subject_pages: ClassVar[dict[str, str]] = {
        "col": "collect_order",
        "ref": "collect_refund",
        "dis": "collect_dispute",
    }
    metrics = METRICS
    console = AppConsole(
        sections=(
            Section(
                10,
                _("Collections"),
                (
                    Entry(_("Orders"), "receipt_long", "collect.order"),
                    Entry(_("Charges"), "contactless", "collect.charge"),
                    Entry(_("Refunds"), "undo", "collect.refund"),
                    Entry(_("Disputes"), "gavel", "collect.dispute"),
                    Entry(_("Unmatched funds"), "help_center", "collect.unmatchedfunds"),
                ),
            ),
        ),
        queues=(
            WorkQueue(
                order=10,
                label=_("Unmatched funds to decide"),
                model="collect.unmatchedfunds",
                where=lambda now: Q(status="OPEN"),
                query="status__exact=OPEN",
            ),
            WorkQueue(
                order=30,
                label=_("Charges whose outcome the rail is being asked for"),
                model="collect.charge",
                where=lambda now: Q(reconcile_at__isnull=False),
                query="exceptions=asked",
                for_operators_only=True,
            ),
            flag_queue(40, _("Refunds that wait for a decision"), "collect.refund", approval=True),
            flag_queue(50, _("Refunds in doubt that wait for an operator"), "collect.refund"),
            WorkQueue(
                order=60,
                label=_("Disputes that are open or in doubt"),
                model="collect.dispute",
                where=lambda now: Q(status="OPEN") | Q(needs_operator=True),
                query="exceptions=waiting",
                merchant_filter=Q(status="OPEN"),
            ),
        ),
        search=(
            SearchedModel(
                model="collect.order",
                prefix="col",
                conditions=(
                    equals("reference"),
                    email_matches(lambda email: Exact(Lower("customer_email"), email)),
                    document_equals("customer_document"),
                ),
            ),
            SearchedModel(
                model="collect.charge",
                prefix="chg",
                conditions=(
                    equals("trace_code", partial=True),
                    equals("provider_id", partial=True),
                ),
            ),
            SearchedModel(
                model="collect.refund",
                prefix="ref",
                conditions=(equals("provider_id", partial=True),),
            ),
            SearchedModel(
                model="collect.dispute", prefix="dis", conditions=(equals("provider_reference"),)
            ),
            SearchedModel(
                model="collect.unmatchedfunds",
                prefix="unm",
                conditions=(equals("trace_code", partial=True),),
            ),
        ),
        overview="payments.collect.admin.overview.parts",
        rights={
            EVERYONE: "view_order view_charge view_refund view_dispute",
            OF_OPERATORS: "view_unmatchedfunds",
            OF_MERCHANTS: "refund_order",
            SUPPORT: "cancel_order ask_order note_dispute",
            FINANCE: (
                "cancel_order ask_order refund_order dispute_order ask_refund resolve_refund "
                "acknowledge_refund decide_dispute note_dispute acknowledge_dispute "
                "decide_unmatchedfunds"
            ),
            APPROVER: "approve_refund",
        },
        right_names={
            "cancel_order": gettext_noop("Can cancel orders"),
            "ask_order": gettext_noop("Can ask the rail about orders"),
            "refund_order": gettext_noop("Can ask for refunds"),
            "dispute_order": gettext_noop("Can open disputes"),
            "approve_refund": gettext_noop("Can approve and reject refunds"),
            "ask_refund": gettext_noop("Can ask the rail about refunds"),
            "resolve_refund": gettext_noop("Can resolve refunds by hand"),
            "acknowledge_refund": gettext_noop("Can acknowledge contradictions of refunds"),
            "decide_dispute": gettext_noop("Can record how disputes were decided"),
            "note_dispute": gettext_noop("Can add evidence to disputes"),
            "acknowledge_dispute": gettext_noop("Can acknowledge contradictions of disputes"),
            "decide_unmatchedfunds": gettext_noop("Can decide about unmatched funds"),
        },
    )
