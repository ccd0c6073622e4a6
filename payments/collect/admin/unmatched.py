"""Console pages of unmatched funds: the queue, and an operator's decision about each of them."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import flatten
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.enums import ActionVariant
from unfold.widgets import UnfoldAdminTextInputWidget

from payments.collect.admin import columns, next_steps, timelines
from payments.collect.admin.actions import ConfirmedActionsAdmin
from payments.collect.admin.labels import ORDER_LABELS, status_label
from payments.collect.models import Order, UnmatchedFunds
from payments.collect.services.resolution import unmatched_resolution as decisions
from payments.collect.services.resolution.unmatched_candidates import candidates
from payments.console import tenancy
from payments.console.actions import ConfirmedAction, ReasonForm, right_to
from payments.console.changelist import DaysFilter
from payments.console.code_words import code_words
from payments.console.detail_page import NextStep
from payments.console.formatting import (
    amount,
    amount_column,
    anchor,
    link,
    link_column,
    table,
    timestamp_column,
    when,
)
from payments.console.state_words import state_badge
from payments.console.timeline import TimelineLine, who
from payments.core import clock, masking

Status = UnmatchedFunds.Status


class ApplyForm(ReasonForm):
    order = forms.CharField(
        label=_("Order"),
        max_length=100,
        widget=UnfoldAdminTextInputWidget(),
        help_text=_("Id or reference of an unpaid order of the same merchant and currency."),
    )
    field_order = ["order", "reason"]


class ReturnForm(ReasonForm):
    proof = forms.CharField(
        label=_("Proof"),
        min_length=3,
        max_length=500,
        widget=UnfoldAdminTextInputWidget(),
        help_text=_("The bank's number of your transfer to the payer."),
    )
    field_order = ["proof", "reason"]


CREDIT = ConfirmedAction(
    verb="decide",
    needs_reauthentication=True,
    title=_("Credit to the merchant"),
    explanation=_(
        "The whole amount goes to the merchant's available balance, without a fee. "
        "It cannot be undone."
    ),
    submit=_("Credit for good"),
    danger=True,
)
APPLY = ConfirmedAction(
    verb="decide",
    needs_reauthentication=True,
    title=_("Apply to another order"),
    explanation=_(
        "The money pays that order as if it had arrived now, and the merchant is told. What is "
        "more than it needs comes back to this queue. It cannot be undone."
    ),
    submit=_("Apply for good"),
    danger=True,
    form_class=ApplyForm,
)
RETURN = ConfirmedAction(
    verb="decide",
    needs_reauthentication=True,
    title=_("Returned to the payer"),
    explanation=_(
        "Records that you have sent the money back by hand. Nothing is sent by it. "
        "It cannot be undone."
    ),
    submit=_("Record for good"),
    danger=True,
    form_class=ReturnForm,
)


@admin.register(UnmatchedFunds)
class UnmatchedFundsAdmin(ConfirmedActionsAdmin):
    noun = "funds"
    has_timeline = True
    change_form_outer_after_template = "admin/tables.html"
    export_columns = columns.UNMATCHED
    actions_detail = ["credit", "apply_to", "give_back"]
    has_decide_permission = right_to("decide")
    created = timestamp_column("created_at", _("created at"))
    decided = timestamp_column("decided_at", _("decided at"))
    merchant_link = link_column("order.merchant", _("merchant"))
    order_link = link_column("order", _("order"))
    order_named = link_column("order", _("order"), named="reference")
    charge_link = link_column("charge", _("charge"))
    amount_shown = amount_column("amount", _("amount"))
    status_label = status_label
    shown_if_empty = _(
        "Money that arrived and fits no open payment: too late, twice, or too much. A person "
        "decides where it goes."
    )
    tab_field = "status"
    list_display = [
        "amount_shown",
        "status_label",
        "reason",
        "merchant_link",
        "order_named",
        "id",
        "created",
    ]
    list_display_links = ["amount_shown", "id"]
    list_filter = ["status", "reason", "currency", ("created_at", DaysFilter)]
    search_fields = ["id__exact", "order__id__exact", "charge__id__exact", "trace_code__exact"]
    search_help_text = _("Id, order, charge or trace code")
    ordering = ["-id"]
    fields = [
        ("reason", "trace_code"),
        ("account_shown", "charge_link"),
        ("created", "decided"),
        ("decided_shown", "proof"),
        "applied_link",
    ]
    readonly_fields = flatten(fields)  # type: ignore[arg-type]

    def related_tables(self, row: UnmatchedFunds) -> list[dict[str, Any]]:
        """The orders that the money may be for, each with the way to apply it."""
        if row.status != Status.OPEN:
            return []
        rows = [
            (
                link(order, order.reference),
                amount(order.amount, order.currency),
                state_badge(order, ORDER_LABELS),
                order.customer_name or "-",
                masking.tail(order.customer_document) or "-",
                when(order.created_at),
                _way_to_apply(row, order),
            )
            for order in candidates(funds=row, now=clock.now())
        ]
        headers = (
            *(_("order"), _("amount"), _("status"), _("customer"), _("document"), _("created at")),
            "",
        )
        title = gettext("Open orders with the same sum or payer")
        return [table(title, headers, rows)] if rows else []

    @display(description=_("account with the money"))
    def account_shown(self, row: UnmatchedFunds) -> str:
        return code_words(row.account or row.charge.provider)

    @display(description=_("decided by"))
    def decided_shown(self, row: UnmatchedFunds) -> str:
        return str(who(row.decided_by)) or "-"

    def title_of(self, row: UnmatchedFunds) -> object:
        return gettext("Unmatched funds: %s") % amount(row.amount, row.currency)

    def get_queryset(self, request: HttpRequest) -> QuerySet[UnmatchedFunds]:
        rows: QuerySet[UnmatchedFunds] = super().get_queryset(request)
        related = rows.select_related("order__merchant", "charge", "applied_charge__order")
        return related.defer("order__merchant__webhook_secret")

    def timeline_lines(self, row: UnmatchedFunds) -> list[TimelineLine]:
        return timelines.unmatched_lines(row)

    def next_step(self, row: UnmatchedFunds) -> NextStep:
        return next_steps.of_unmatched(row)

    def summary(self, row: UnmatchedFunds) -> list[str]:
        return [
            f"{row.order.merchant} · {row.order.reference}",
            f"{amount(row.amount, row.currency)} · {row.get_reason_display()}",
        ]

    def possible(self, row: UnmatchedFunds) -> set[str]:
        return set(self.actions_detail) if row.status == Status.OPEN else set()

    @action(description=CREDIT.title, icon="account_balance_wallet", permissions=["decide"])
    def credit(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.confirm(request, object_id, CREDIT, decisions.credit)

    @action(description=APPLY.title, icon="redo", permissions=["decide"])
    def apply_to(self, request: HttpRequest, object_id: str) -> HttpResponse:
        chosen: dict[str, object] = {"order": request.GET.get("order", "")[:100]}
        return self.confirm(request, object_id, replace(APPLY, initial=chosen), _apply_to)

    @action(
        description=RETURN.title, icon="undo", variant=ActionVariant.DANGER, permissions=["decide"]
    )
    def give_back(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.confirm(request, object_id, RETURN, decisions.return_to_payer)

    @display(description=_("applied to"))
    def applied_link(self, funds: UnmatchedFunds) -> str | SafeString:
        return link(funds.applied_charge.order) if funds.applied_charge else "-"


def _way_to_apply(funds: UnmatchedFunds, order: Order) -> str | SafeString:
    """For those who may decide."""
    reader = tenancy.current_user()
    if reader is None or not reader.has_perm("collect.decide_unmatchedfunds"):
        return ""
    page = reverse("admin:collect_unmatchedfunds_apply_to", args=[funds.pk])
    return anchor(f"{page}?{urlencode({'order': order.pk})}", gettext("Apply to it"))


def _apply_to(*, funds: UnmatchedFunds, order: str, **why: Any) -> None:
    target = decisions.find_target(funds=funds, name=order)
    decisions.apply_to(funds=funds, order=target, **why)
