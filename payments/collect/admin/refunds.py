"""Console pages of refunds: the list with those that wait for a decision, and one with its acts."""

from collections.abc import Callable
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.enums import ActionVariant
from unfold.widgets import UnfoldAdminSelectWidget

from payments.collect.admin import columns, timelines
from payments.collect.admin.actions import Cleaned, ConfirmedActionsAdmin
from payments.collect.models import Refund
from payments.collect.services.refunds import refund_approvals
from payments.collect.services.refunds.refund_engine import engine
from payments.console.actions import ConfirmedAction, right_to
from payments.console.changelist import DaysFilter
from payments.console.detail_page import NextStep
from payments.console.formatting import actor, amount, badge, link, timestamp_column
from payments.console.timeline import TimelineLine, who
from payments.core import clock
from payments.outgoing import four_eyes, resolutions
from payments.outgoing.admin.actions import ProofForm, possible
from payments.outgoing.admin.next_steps import of_outgoing
from payments.outgoing.admin.payments import ExceptionsFilter

Status = Refund.Status
LABELS = {
    Status.PENDING: "info",
    Status.PROCESSING: "warning",
    Status.COMPLETED: "success",
    Status.FAILED: "danger",
    Status.REFUNDED: "danger",
}


class ResolveForm(ProofForm):
    """How it ended, and what proves it."""

    outcome = forms.ChoiceField(
        label=_("Outcome"), choices=Status.choices, widget=UnfoldAdminSelectWidget()
    )
    field_order = ["outcome", "proof", "reason"]


class AcknowledgeForm(ProofForm):
    """What was found."""

    is_loss = forms.BooleanField(
        label=_("The money left twice: book it as our loss"), required=False
    )
    field_order = ["is_loss", "proof", "reason"]


APPROVE = ConfirmedAction(
    verb="approve",
    needs_reauthentication=True,
    title=_("Approve refund"),
    explanation=_("The money goes back to the payer. Whoever asked for it here cannot approve it."),
    submit=_("Approve"),
)
REJECT = ConfirmedAction(
    verb="approve",
    needs_reauthentication=True,
    title=_("Reject refund"),
    explanation=_("Nothing goes back, and what was held is the merchant's again."),
    submit=_("Reject"),
    danger=True,
)
ASK = ConfirmedAction(
    verb="ask",
    needs_reauthentication=True,
    title=_("Ask the rail now"),
    explanation=_(
        "The rail is asked what became of the refund, and its answer is applied. If it knows "
        "nothing of it, the same reference is sent again."
    ),
    submit=_("Ask"),
)
RESOLVE = ConfirmedAction(
    verb="resolve",
    needs_reauthentication=True,
    title=_("Resolve by hand"),
    explanation=_(
        "Only with proof from the rail. Failed means that nothing went back, refunded that it "
        "went back and came to us again: both return it to the merchant. It cannot be undone."
    ),
    submit=_("Resolve for good"),
    danger=True,
    form_class=ResolveForm,
)
ACKNOWLEDGE = ConfirmedAction(
    verb="acknowledge",
    needs_reauthentication=True,
    title=_("Take out of the queue"),
    explanation=_("The contradiction is understood. Nothing moves but a loss that you book."),
    submit=_("Take out"),
    form_class=AcknowledgeForm,
)


class RefundExceptionsFilter(ExceptionsFilter):
    """In doubt, or waiting for an operator's decision."""

    waiting: ClassVar[dict[str, tuple[Any, Q]]] = {
        **ExceptionsFilter.waiting,
        "approval": (_("Waiting for approval"), Q(needs_approval=True)),
    }


@admin.register(Refund)
class RefundAdmin(ConfirmedActionsAdmin):
    """Refunds of all merchants."""

    has_timeline = True
    change_form_outer_after_template = "admin/tables.html"
    merchant_path = "merchant"
    not_for_merchants = frozenset(
        {
            "decided_by",
            "provider",
            "provider_reference",
            "provider_id",
            "failure_reason",
            "needs_operator",
        }
    )
    export_columns = columns.REFUND
    actions_detail = ["approve", "reject", "ask_rail", "resolve", "acknowledge"]
    has_approve_permission = right_to("approve")
    has_ask_permission = right_to("ask")
    has_resolve_permission = right_to("resolve")
    has_acknowledge_permission = right_to("acknowledge")
    requested = timestamp_column("created_at", _("requested at"))
    approved = timestamp_column("approved_at", _("approved at"))
    rejected = timestamp_column("rejected_at", _("rejected at"))
    completed = timestamp_column("completed_at", _("completed at"))
    list_display = [
        "requested",
        "id",
        "merchant_link",
        "order_link",
        "amount_shown",
        "status_label",
        "needs_approval",
        "needs_operator",
    ]
    list_display_links = ["requested", "id"]
    list_filter = [RefundExceptionsFilter, "status", ("created_at", DaysFilter)]
    list_select_related = ["merchant", "order"]
    search_fields = ["id__exact", "order__id__exact", "provider_reference__exact"]
    search_help_text = _("Id of the refund or the order, or our reference at the rail")
    ordering = ["-id"]
    fields = [
        ("id", "status_label"),
        ("merchant_link", "order_link"),
        ("amount_shown", "charge_link"),
        ("reason", "asked_by"),
        ("needs_approval", "decided_by"),
        ("requested", "approved"),
        ("rejected", "completed"),
        ("provider", "provider_reference"),
        ("provider_id", "failure_reason"),
        "needs_operator",
    ]
    readonly_fields = [name for row in fields for name in ([row] if isinstance(row, str) else row)]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Refund]:
        rows: QuerySet[Refund] = super().get_queryset(request)
        return rows.select_related("merchant", "order").defer("merchant__webhook_secret")

    def timeline_lines(self, row: Refund) -> list[TimelineLine]:
        return timelines.refund_lines(row)

    def warnings(self, row: Refund) -> list[object]:
        """A second person who may be the first one."""
        return four_eyes.warnings(
            subject_id=row.pk, approval="refund.approved", asked_by=row.requested_by
        )

    def next_step(self, row: Refund) -> NextStep:
        return of_outgoing(row)

    def possible(self, row: Refund) -> set[str]:
        acts = possible(row)
        if row.status == Status.PENDING and row.needs_approval:
            acts |= {"approve", "reject"}
        return acts

    @action(description=APPROVE.title, icon="check_circle", permissions=["approve"])
    def approve(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(request, object_id, APPROVE, refund_approvals.approve)

    @action(
        description=REJECT.title,
        icon="block",
        variant=ActionVariant.DANGER,
        permissions=["approve"],
    )
    def reject(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(request, object_id, REJECT, refund_approvals.reject)

    def _decide(
        self,
        request: HttpRequest,
        object_id: str,
        confirmed: ConfirmedAction,
        decide: Callable[..., None],
    ) -> HttpResponse:
        def perform(refund: Refund, form: Cleaned) -> None:
            decide(refund=refund, actor=actor(request), reason=form["reason"], now=clock.now())

        return self.confirm(request, object_id, confirmed, perform, _summary)

    @action(description=ASK.title, icon="sync", permissions=["ask"])
    def ask_rail(self, request: HttpRequest, object_id: str) -> HttpResponse:
        def perform(refund: Refund, form: Cleaned) -> None:
            resolutions.query_rail(
                engine=engine, payment=refund, actor=actor(request), now=clock.now(), **form
            )

        return self.confirm(request, object_id, ASK, perform, _summary)

    @action(
        description=RESOLVE.title,
        icon="gavel",
        variant=ActionVariant.DANGER,
        permissions=["resolve"],
    )
    def resolve(self, request: HttpRequest, object_id: str) -> HttpResponse:
        def perform(refund: Refund, form: Cleaned) -> None:
            resolutions.resolve(
                engine=engine, payment=refund, actor=actor(request), now=clock.now(), **form
            )

        return self.confirm(request, object_id, RESOLVE, perform, _summary)

    @action(description=ACKNOWLEDGE.title, icon="done_all", permissions=["acknowledge"])
    def acknowledge(self, request: HttpRequest, object_id: str) -> HttpResponse:
        def perform(refund: Refund, form: Cleaned) -> None:
            resolutions.acknowledge(
                engine=engine, payment=refund, actor=actor(request), now=clock.now(), **form
            )

        return self.confirm(request, object_id, ACKNOWLEDGE, perform, _summary)

    @display(description=_("merchant"))
    def merchant_link(self, refund: Refund) -> str | SafeString:
        return link(refund.merchant)

    @display(description=_("order"))
    def order_link(self, refund: Refund) -> str | SafeString:
        return link(refund.order)

    @display(description=_("requested by"))
    def asked_by(self, refund: Refund) -> str:
        return str(who(refund.requested_by))

    @display(description=_("charge"))
    def charge_link(self, refund: Refund) -> str | SafeString:
        return link(refund.charge)

    @display(description=_("amount"), ordering="amount")
    def amount_shown(self, refund: Refund) -> str:
        return amount(refund.amount, refund.order.currency)

    @display(description=_("status"), ordering="status")
    def status_label(self, refund: Refund) -> SafeString:
        return badge(refund.get_status_display(), LABELS[Status(refund.status)])


def _summary(refund: Refund) -> list[str]:
    """Shown on the confirmation page."""
    return [
        f"{refund.merchant} · {refund.order.reference}",
        f"{amount(refund.amount, refund.order.currency)} · {refund.reason}",
    ]
