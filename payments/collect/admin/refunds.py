"""Console pages of refunds: the list with its queue, and one refund with its actions."""

from dataclasses import replace
from datetime import datetime
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import flatten
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.dataclasses import UnfoldAction
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from payments.collect.admin import coin_desk, columns, refund_texts, timelines
from payments.collect.admin.actions import acknowledge_action
from payments.collect.admin.coin_desk import CoinDesk
from payments.collect.admin.labels import status_label
from payments.collect.admin.refund_decisions import RefundDecisions, own_request
from payments.collect.models import Order, Refund
from payments.collect.overdue import TO_PAY, overdue_destinations
from payments.collect.services.refunds import (
    contested,
    destination_checks,
    refund_destinations,
)
from payments.collect.services.refunds.coin_transactions import (
    Entry,
    enter_transaction,
    is_on_desk,
    outcomes,
    resolve,
)
from payments.collect.services.refunds.refund_engine import engine
from payments.console import four_eyes, own_search, tenancy
from payments.console.actions import right_to
from payments.console.changelist import DaysFilter
from payments.console.detail_page import NextStep
from payments.console.formatting import (
    amount,
    amount_column,
    badge,
    link_column,
    timestamp_column,
)
from payments.console.money_admin import MoneyAdmin
from payments.console.reason_words import failure_shown
from payments.console.timeline import TimelineLine, who
from payments.core import clock
from payments.outgoing import resolutions
from payments.outgoing.admin.actions import ASK as OUTGOING_ASK
from payments.outgoing.admin.actions import ProofForm, named_by_state, possible, resolve_action
from payments.outgoing.admin.next_steps import of_outgoing
from payments.outgoing.admin.payments import ExceptionsFilter, OutgoingAdmin
from payments.rails.admin.provider_fees import PROVIDER_FEES, ProviderFees
from payments.rails.admin.wire_references import WIRE_REFERENCES, WireReferences

Status = Refund.Status


class AcknowledgeForm(ProofForm):
    is_loss = forms.BooleanField(
        label=_("The money left twice: book it as our loss"), required=False
    )
    field_order = ["is_loss", "proof", "reason"]


ASK = replace(
    OUTGOING_ASK,
    explanation=_(
        "The rail is asked what became of the refund, and its answer is applied. If it knows "
        "nothing of it, the same reference is sent again."
    ),
)
RESOLVE_EXPLANATION = _(
    "Only with proof from the rail. Failed means that nothing went back, refunded that it "
    "went back and came to us again: both return it to the merchant. It cannot be undone."
)
ACKNOWLEDGE = acknowledge_action(AcknowledgeForm)


class RefundExceptionsFilter(ExceptionsFilter):
    waiting: ClassVar[dict[str, tuple[Any, Q]]] = {
        **ExceptionsFilter.waiting,
        "approval": (
            _("Waiting for approval"),
            Q(needs_approval=True, needs_destination=False),
        ),
        "destination": (_("No account named for a week"), Q(needs_destination=True)),
        "coins": (_("Coins to be paid"), TO_PAY),
    }

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        found = super().queryset(request, queryset)
        is_overdue = self.value() == "destination"
        return found.filter(overdue_destinations(clock.now())) if is_overdue else found


@admin.register(Refund)
class RefundAdmin(RefundDecisions, CoinDesk, ProviderFees, WireReferences, MoneyAdmin):
    empty_text = _(
        "To give money back to a payer, open the paid order and choose “Ask for a refund”."
    )
    shown_if_empty = _(
        "Money that goes back to a payer. People of a merchant and operators ask for it on the "
        "page of the paid order."
    )
    noun = "refund"
    has_timeline = True
    labels = OutgoingAdmin.labels
    related = ("order",)
    merchant_path = "merchant"
    not_for_merchants = (
        frozenset(
            {
                "decided_by",
                "decided_shown",
                "provider",
                "our_reference",
                "provider_id",
                "failure_reason",
                "failure_shown",
                "needs_operator",
                "key_holder",
            }
        )
        | PROVIDER_FEES
        | WIRE_REFERENCES
        | coin_desk.COIN_FIELDS_OF_OPERATORS
    )
    export_columns = columns.REFUND
    actions_detail = [
        "approve",
        "reject",
        "enter_transaction",
        "ask_rail",
        "resolve",
        "acknowledge",
    ]
    has_pay_permission = right_to("pay")
    has_ask_permission = right_to("ask")
    has_resolve_permission = right_to("resolve")
    has_acknowledge_permission = right_to("acknowledge")
    requested = timestamp_column("created_at", _("requested at"))
    approved = timestamp_column("approved_at", _("approved at"))
    rejected = timestamp_column("rejected_at", _("rejected at"))
    completed = timestamp_column("completed_at", _("completed at"))
    order_link = link_column("order", _("order"), known_as="reference")
    order_named = link_column("order", _("order"), named="reference")
    charge_link = link_column("charge", _("charge"))
    status_label = status_label
    failure_shown = failure_shown
    amount_shown = amount_column("amount", _("amount"), currency="order.currency", is_sortable=True)
    list_display = [
        "amount_shown",
        "status_label",
        "order_named",
        "customer",
        "method",
        "reason",
        "merchant_link",
        "waits",
        "requested",
    ]
    list_display_links = ["amount_shown"]
    list_for_merchants: ClassVar[list[str]] = [
        *("amount_shown", "status_label", "merchant_link", "order_link", "customer", "reason"),
        "requested",
    ]
    list_filter = [RefundExceptionsFilter, "status", ("created_at", DaysFilter)]
    search_fields = ["id__exact", "order__id__exact", "provider_reference__exact"]
    search_help_text = _("Id of the refund or the order, or our reference at the rail")
    search_help_for_merchants = _("Reference of the order, or name of the payer")
    fields = [
        ("reason", "charge_link"),
        ("requested", "asked_by"),
        ("waits", "decided_shown"),
        "payer_shown",
        "destination_shown",
        "key_holder",
        *coin_desk.COIN_FIELDS,
        ("approved", "rejected"),
        "completed",
        ("provider", "our_reference"),
        "wire_references_shown",
        ("provider_id", "failure_shown"),
        ("provider_fee_shown", "provider_taxes_shown"),
    ]
    readonly_fields = flatten(fields)  # type: ignore[arg-type]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Refund], search_term: str
    ) -> tuple[QuerySet[Refund], bool]:
        """People of a merchant find them by their orders."""
        if orders := own_search.keys(request, Order, search_term.strip()):
            return queryset.filter(order__in=orders), False
        found: tuple[QuerySet[Refund], bool] = super().get_search_results(
            request, queryset, search_term
        )
        return found

    def get_fields(self, request: HttpRequest, obj: Refund | None = None) -> Any:
        return coin_desk.without_coin_fields(super().get_fields(request, obj), obj)

    @display(description=_("waits for"))
    def waits(self, row: Refund) -> str | SafeString:
        """Users of merchants do not see that a refund is in doubt: operators handle it."""
        if row.status == Status.PENDING and row.needs_destination:
            return badge(_("Payer"), "info")
        if row.status == Status.PENDING and row.needs_approval:
            return badge(_("Approval"), "warning")
        if tenancy.current_user_is_merchant():
            return "-"
        if row.needs_operator or coin_desk.is_waiting(row):
            return badge(_("Operator"), "danger" if row.needs_operator else "warning")
        return "-"

    @display(description=_("customer"))
    def customer(self, row: Refund) -> str:
        return row.order.customer_name or "-"

    @display(description=_("method"))
    def method(self, row: Refund) -> str:
        """By which the payer had paid."""
        return str(row.order.get_selected_method_display()) or "-"

    def timeline_lines(self, row: Refund) -> list[TimelineLine]:
        return timelines.refund_lines(row)

    def warnings(self, row: Refund) -> list[object]:
        """Warns if the second person may be the same person as the first."""
        return [
            *refund_texts.warnings(row),
            *four_eyes.warnings(
                subject_id=row.pk, approval="refund.approved", asked_by=row.requested_by
            ),
        ]

    def next_step(self, row: Refund) -> NextStep:
        if row.status == Status.PENDING and row.needs_destination:
            why = gettext("The payer has named no account yet. Send them the link, or reject.")
            waiting = gettext("The payer has not named the account for the money yet.")
            return NextStep(why=why, actions=("reject",), waiting=waiting)
        if (step := coin_desk.next_step(row)) is not None:
            return step
        if row.needs_operator and not row.has_ended and (why := contested.problem(row.order, row)):
            return NextStep(why=gettext(why), actions=("ask_rail", "resolve"))
        if row.needs_operator and destination_checks.is_stopped(row):
            return _of_changed_destination(row)
        return own_request(row) or of_outgoing(row)

    def summary(self, row: Refund) -> list[str]:
        return [
            f"{row.merchant} · {row.order.reference}",
            f"{amount(row.amount, row.order.currency)} · {row.reason}",
            *coin_desk.summary(row),
            *refund_texts.summary(row),
        ]

    def possible(self, row: Refund) -> set[str]:
        acts = possible(row)
        if not outcomes(row):
            acts.discard("resolve")
        if row.status == Status.PENDING and row.needs_approval:
            acts |= {"reject"} if row.needs_destination else {"approve", "reject"}
        if is_on_desk(row):
            acts |= {"enter_transaction"}
        return acts

    @action(description=coin_desk.ENTER.title, icon="receipt_long", permissions=["pay"])
    def enter_transaction(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.confirm(request, object_id, coin_desk.ENTER, _enter)

    @action(description=ASK.title, icon="sync", permissions=["ask"])
    def ask_rail(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.confirm(request, object_id, ASK, _query)

    @action(
        description=_("Resolve by hand"),
        icon="gavel",
        variant=ActionVariant.DANGER,
        permissions=["resolve"],
    )
    def resolve(self, request: HttpRequest, object_id: str) -> HttpResponse:
        refund: Refund = self.get_record(request, object_id)
        confirmed = resolve_action(refund, RESOLVE_EXPLANATION, outcomes(refund))
        return self.confirm(request, object_id, confirmed, _resolve)

    def named_actions(self, offered: list[UnfoldAction], row: Any) -> list[UnfoldAction]:
        return named_by_state(offered, row)

    @action(description=ACKNOWLEDGE.title, icon="done_all", permissions=["acknowledge"])
    def acknowledge(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.confirm(request, object_id, ACKNOWLEDGE, _acknowledge)

    @display(description=_("our reference at the rail"))
    def our_reference(self, refund: Refund) -> str:
        return refund.provider_reference

    @display(description=_("account of the payer"))
    def destination_shown(self, refund: Refund) -> str | SafeString:
        """Masked; the link for the payer while it is not known."""
        if refund.needs_destination and not refund.has_ended:
            link = refund_destinations.link_of(refund)
            return format_html('<span class="break-words">{}</span>', link)
        return refund_texts.destination(refund) or "-"

    @display(description=_("holder of the key"))
    def key_holder(self, refund: Refund) -> str:
        return refund_texts.key_holder(refund)

    @display(description=_("payer of the charge"))
    def payer_shown(self, refund: Refund) -> str:
        """Masked like the account, which should be of the same person."""
        return refund_texts.payer(refund) or "-"

    @display(description=_("requested by"))
    def asked_by(self, refund: Refund) -> str:
        return str(who(refund.requested_by))

    @display(description=_("decided by"))
    def decided_shown(self, refund: Refund) -> str:
        return str(who(refund.decided_by)) or "-"


def _query(*, refund: Refund, **given: Any) -> None:
    resolutions.query_rail(engine=engine, payment=refund, **given)


def _enter(*, refund: Refund, now: datetime, **given: Any) -> None:
    enter_transaction(refund=refund, entry=Entry(**given), now=now)


def _resolve(*, refund: Refund, outcome: str, now: datetime, **given: Any) -> None:
    resolve(refund=refund, outcome=outcome, decision=resolutions.Decision(**given), now=now)


def _acknowledge(*, refund: Refund, is_loss: bool, now: datetime, **given: Any) -> None:
    decision = resolutions.Decision(**given)
    resolutions.acknowledge(
        engine=engine, payment=refund, is_loss=is_loss, decision=decision, now=now
    )


def _of_changed_destination(refund: Refund) -> NextStep:
    """The actions that are possible now: a refund that was sent may have been paid."""
    why = gettext(
        "The account for the money is not the one that was approved, so the refund is not sent."
        " Find out who changed it."
    )
    if refund.status == Status.PENDING:
        why += " " + gettext("Resolve the refund as failed, and request another one.")
        return NextStep(why=why, actions=("resolve",))
    why += " " + gettext("An earlier call may have paid it: ask the rail first.")
    return NextStep(why=why, actions=("ask_rail", "resolve"))
