"""Console pages of disputes: open ones by their deadline, evidence, and the bank's decision."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.enums import ActionVariant
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget

from payments.collect.admin import columns, next_steps, timelines
from payments.collect.admin.actions import (
    Cleaned,
    ConfirmedActionsAdmin,
    amount_field,
    validate_decimals,
)
from payments.collect.models import Dispute
from payments.collect.services.disputes import dispute_decisions
from payments.console import tenancy
from payments.console.actions import ConfirmedAction, ReasonForm, right_to
from payments.console.changelist import DaysFilter
from payments.console.detail_page import NextStep
from payments.console.formatting import actor, amount, badge, link, timestamp_column
from payments.console.timeline import TimelineLine
from payments.core import clock
from payments.outgoing.admin.actions import ProofForm

Status = Dispute.Status
LABELS = {Status.OPEN: "warning", Status.WON: "success", Status.LOST: "danger"}


class DecideForm(ProofForm):
    """How the payer's bank decided, and what proves it."""

    outcome = forms.ChoiceField(
        label=_("Outcome"),
        choices=[(Status.WON.value, Status.WON.label), (Status.LOST.value, Status.LOST.label)],
        widget=UnfoldAdminSelectWidget(),
    )
    amount = amount_field(
        required=False,
        help_text=_("What the bank took, if it is less than it claimed. Empty: all of it."),
    )
    field_order = ["outcome", "amount", "proof", "reason"]


class AcknowledgeForm(ProofForm):
    """What was found."""

    is_loss = forms.BooleanField(
        label=_("It was won, and the bank took the money all the same: book it as our loss"),
        required=False,
    )
    amount = amount_field(
        required=False, help_text=_("What the bank took. Empty: all that it claimed.")
    )
    field_order = ["is_loss", "amount", "proof", "reason"]


class EvidenceForm(ReasonForm):
    """What was gathered or sent."""

    text = forms.CharField(
        label=_("Evidence"),
        min_length=3,
        max_length=2000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4}),
    )
    field_order = ["text", "reason"]


DECIDE = ConfirmedAction(
    verb="decide",
    needs_reauthentication=True,
    title=_("Record the decision"),
    explanation=_(
        "Won: what was held is the merchant's again. Lost: the payer's bank takes the money, and "
        "what the merchant's balance does not cover is our loss. Whoever opened the dispute cannot "
        "record that it is lost. It cannot be undone."
    ),
    submit=_("Record for good"),
    danger=True,
    form_class=DecideForm,
)
EVIDENCE = ConfirmedAction(
    verb="note",
    title=_("Add evidence"),
    explanation=_("Kept with the dispute, with the time and your name. Nothing is sent by it."),
    submit=_("Add"),
    form_class=EvidenceForm,
)
ACKNOWLEDGE = ConfirmedAction(
    verb="acknowledge",
    needs_reauthentication=True,
    title=_("Take out of the queue"),
    explanation=_("The contradiction is understood. Nothing moves but a loss that you book."),
    submit=_("Take out"),
    form_class=AcknowledgeForm,
)


class DisputeExceptionsFilter(admin.SimpleListFilter):
    """Disputes that are open, or about which an operator has to find out something."""

    title = _("exceptions")
    parameter_name = "exceptions"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        # What is in doubt is work of operators.
        label = Status.OPEN.label if tenancy.is_merchant_user(request) else _("Open or in doubt")
        return [("waiting", label)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Dispute]) -> QuerySet[Dispute]:
        """What is not offered to this person filters nothing."""
        if self.value() not in dict(self.lookup_choices):
            return queryset
        if tenancy.is_merchant_user(request):
            return queryset.filter(status=Status.OPEN)
        return queryset & Dispute.objects.waiting()


@admin.register(Dispute)
class DisputeAdmin(ConfirmedActionsAdmin):
    """Disputes of all merchants."""

    has_timeline = True
    change_form_outer_after_template = "admin/tables.html"
    merchant_path = "order__merchant"
    # The evidence is what operators gathered and noted.
    not_for_merchants = frozenset(
        {
            "opened_by",
            "provider",
            "provider_reference",
            "needs_operator",
            "shortfall_shown",
            "evidence",
        }
    )
    export_columns = columns.DISPUTE
    actions_detail = ["decide", "evidence_added", "acknowledge"]
    has_decide_permission = right_to("decide")
    has_note_permission = right_to("note")
    has_acknowledge_permission = right_to("acknowledge")
    opened = timestamp_column("opened_at", _("opened at"))
    due = timestamp_column("evidence_due_at", _("evidence due"))
    closed = timestamp_column("closed_at", _("closed at"))
    list_display = [
        "opened",
        "id",
        "order_link",
        "kind",
        "amount_shown",
        "held_shown",
        "status_label",
        "due",
        "needs_operator",
    ]
    list_display_links = ["opened", "id"]
    list_filter = [
        DisputeExceptionsFilter,
        "status",
        "kind",
        "needs_operator",
        ("opened_at", DaysFilter),
    ]
    list_select_related = ["order"]
    search_fields = ["id__exact", "order__id__exact", "provider_reference__exact"]
    search_help_text = _("Id of the dispute or the order, or the rail's reference")
    ordering = ["-id"]
    fields = [
        ("id", "status_label"),
        ("order_link", "charge_link"),
        ("kind", "suspended_shown"),
        ("amount_shown", "claimed_shown"),
        ("held_shown", "shortfall_shown"),
        ("reason", "opened_by"),
        ("opened", "due"),
        ("closed", "needs_operator"),
        ("provider", "provider_reference"),
        "evidence",
    ]
    readonly_fields = [name for row in fields for name in ([row] if isinstance(row, str) else row)]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Dispute]:
        rows: QuerySet[Dispute] = super().get_queryset(request)
        return rows.select_related("order__merchant", "charge").defer(
            "order__merchant__webhook_secret"
        )

    def timeline_lines(self, row: Dispute) -> list[TimelineLine]:
        return timelines.dispute_lines(row)

    def next_step(self, row: Dispute) -> NextStep:
        return next_steps.of_dispute(row)

    def possible(self, row: Dispute) -> set[str]:
        acts = {"decide", "evidence_added"} if row.status == Status.OPEN else set()
        return acts | ({"acknowledge"} if row.needs_operator else set())

    @action(
        description=DECIDE.title, icon="gavel", variant=ActionVariant.DANGER, permissions=["decide"]
    )
    def decide(self, request: HttpRequest, object_id: str) -> HttpResponse:
        def perform(dispute: Dispute, form: Cleaned) -> None:
            form["amount"] = validate_decimals(form["amount"], dispute.order.currency)
            dispute_decisions.record_decision(
                dispute=dispute,
                decision=dispute_decisions.BankDecision(**form),
                actor=actor(request),
                now=clock.now(),
            )

        return self.confirm(request, object_id, DECIDE, perform, _summary)

    @action(description=EVIDENCE.title, icon="attach_file", permissions=["note"])
    def evidence_added(self, request: HttpRequest, object_id: str) -> HttpResponse:
        def perform(dispute: Dispute, form: Cleaned) -> None:
            dispute_decisions.add_evidence(
                dispute=dispute, actor=actor(request), now=clock.now(), **form
            )

        return self.confirm(request, object_id, EVIDENCE, perform, _summary)

    @action(description=ACKNOWLEDGE.title, icon="done_all", permissions=["acknowledge"])
    def acknowledge(self, request: HttpRequest, object_id: str) -> HttpResponse:
        def perform(dispute: Dispute, form: Cleaned) -> None:
            form["amount"] = validate_decimals(form["amount"], dispute.order.currency)
            dispute_decisions.acknowledge(
                dispute=dispute,
                finding=dispute_decisions.Finding(**form),
                actor=actor(request),
                now=clock.now(),
            )

        return self.confirm(request, object_id, ACKNOWLEDGE, perform, _summary)

    @display(description=_("order"))
    def order_link(self, dispute: Dispute) -> str | SafeString:
        return link(dispute.order)

    @display(description=_("charge"))
    def charge_link(self, dispute: Dispute) -> str | SafeString:
        return link(dispute.charge) if dispute.charge else self.get_empty_value_display()

    @display(description=_("disputed"), ordering="amount")
    def amount_shown(self, dispute: Dispute) -> str:
        return amount(dispute.amount, dispute.order.currency)

    @display(description=_("claimed"))
    def claimed_shown(self, dispute: Dispute) -> str:
        return amount(dispute.claimed, dispute.order.currency)

    @display(description=_("held"))
    def held_shown(self, dispute: Dispute) -> str:
        return amount(dispute.held, dispute.order.currency)

    @display(description=_("taken from suspense"))
    def suspended_shown(self, dispute: Dispute) -> str:
        return amount(dispute.suspended, dispute.order.currency)

    @display(description=_("borne by the service"))
    def shortfall_shown(self, dispute: Dispute) -> str:
        return amount(dispute.shortfall, dispute.order.currency)

    @display(description=_("status"), ordering="status")
    def status_label(self, dispute: Dispute) -> SafeString:
        return badge(dispute.get_status_display(), LABELS[Status(dispute.status)])


def _summary(dispute: Dispute) -> list[str]:
    """Shown on the confirmation page."""
    return [
        f"{dispute.order.merchant} · {dispute.order.reference}",
        f"{dispute.get_kind_display()} · {amount(dispute.amount, dispute.order.currency)}",
    ]
