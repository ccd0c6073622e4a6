"""What an operator may do about an order: cancel it, ask for a refund, open a dispute."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action
from unfold.enums import ActionVariant
from unfold.widgets import UnfoldAdminSelectWidget

from payments.collect.admin.actions import (
    AmountForm,
    amount_field,
    validate_decimals,
)
from payments.collect.admin.next_steps import doubtful_charges
from payments.collect.admin.own_refunds import OwnRefunds, RefundForm
from payments.collect.models import Dispute, Order
from payments.collect.services.charges import reconciliation
from payments.collect.services.disputes import dispute_decisions
from payments.collect.services.endings import cancellation
from payments.collect.services.refunds import refund_requests
from payments.console import tenancy
from payments.console.actions import ConfirmedAction, right_to
from payments.console.changelist import midnight
from payments.console.formatting import amount
from payments.console.widgets import DateWidget
from payments.core import audit


class DisputeForm(AmountForm):
    kind = forms.ChoiceField(
        label=_("Kind"), choices=Dispute.Kind.choices, widget=UnfoldAdminSelectWidget()
    )
    amount = amount_field(help_text=_("In the order's currency."))
    evidence_due = forms.DateField(
        label=_("Evidence is taken until"),
        required=False,
        widget=DateWidget(),
        help_text=_("The end of this day; empty when there is no limit."),
    )
    field_order = ["kind", "amount", "evidence_due", "reason"]


CANCEL = ConfirmedAction(
    verb="cancel",
    title=_("Cancel order"),
    explanation=_(
        "The order ends unpaid and the merchant is told. Refused while a payer may be paying."
    ),
    submit=_("Cancel order"),
    danger=True,
)
ASK = ConfirmedAction(
    verb="ask",
    title=_("Ask the rail now"),
    explanation=_(
        "The rail is asked how the open tries of the order ended, and its answer is applied. "
        "Nothing is sent twice by it."
    ),
    submit=_("Ask"),
)
REFUND = ConfirmedAction(
    verb="refund",
    needs_reauthentication=True,
    title=_("Request a refund"),
    explanation=_(
        "The amount is held of the merchant's balance at once; another operator approves or "
        "rejects. The merchant bears all of it: our fee is kept."
    ),
    submit=_("Hold and request"),
    form_class=RefundForm,
)
DISPUTE = ConfirmedAction(
    verb="dispute",
    needs_reauthentication=True,
    title=_("Open a dispute"),
    explanation=_(
        "What is at stake is held of the merchant's balance as far as it goes, and the merchant "
        "is told."
    ),
    submit=_("Open"),
    danger=True,
    form_class=DisputeForm,
)


class OrderActions(OwnRefunds):
    noun = "order"
    actions_detail = ["ask_rail", "cancel_order", "refund_order", "dispute_order"]
    has_ask_permission = right_to("ask")
    has_cancel_permission = right_to("cancel")
    has_refund_permission = right_to("refund")
    has_dispute_permission = right_to("dispute")

    def summary(self, row: Order) -> list[str]:
        lines = [
            f"{row.merchant} · {row.reference}",
            f"{amount(row.amount, row.currency)} · {row.get_status_display()}",
        ]
        if row.is_final and (left := refund_requests.refundable(row)) > 0:
            text = gettext("It can still be refunded: %(amount)s")
            lines.append(text % {"amount": amount(left, row.currency)})
        return lines

    def possible(self, row: Order) -> set[str]:
        if not row.is_final:
            return {"cancel_order", "ask_rail"} if doubtful_charges(row) else {"cancel_order"}
        return {"refund_order", "dispute_order"} if refund_requests.refundable(row) > 0 else set()

    @action(description=ASK.title, icon="sync", permissions=["ask"])
    def ask_rail(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.confirm(request, object_id, ASK, _query_rail)

    @action(
        description=CANCEL.title, icon="block", variant=ActionVariant.DANGER, permissions=["cancel"]
    )
    def cancel_order(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.confirm(request, object_id, CANCEL, cancellation.cancel_order)

    @action(description=REFUND.title, icon="undo", permissions=["refund"])
    def refund_order(self, request: HttpRequest, object_id: str) -> HttpResponse:
        def perform(*, order: Order, actor: str, now: datetime, **form: Any) -> None:
            refund_requests.request_refund(
                order=order,
                new_refund=refund_requests.NewRefund(
                    reason=form["reason"][: refund_requests.REASON_LENGTH],
                    amount=validate_decimals(form["amount"], order.currency),
                ),
                requester=refund_requests.Operator(actor),
                idempotency_key=f"console:{request.POST['form_token']}",
                now=now,
            )

        if tenancy.is_merchant_user(request):
            return self.refund_own(request, object_id, perform)
        return self.confirm(request, object_id, REFUND, perform)

    @action(
        description=DISPUTE.title,
        icon="gavel",
        variant=ActionVariant.DANGER,
        permissions=["dispute"],
    )
    def dispute_order(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.confirm(request, object_id, DISPUTE, _open_dispute)


def _query_rail(*, order: Order, actor: str, now: datetime, reason: str) -> None:
    audit.record(actor=actor, action="order.asked", subject=order, reason=reason)
    for charge in doubtful_charges(order):
        reconciliation.query_provider(charge=charge, now=now)


def _open_dispute(*, order: Order, actor: str, now: datetime, **form: Any) -> None:
    due = form["evidence_due"]
    claim = dispute_decisions.NewDispute(
        kind=form["kind"],
        amount=validate_decimals(form["amount"], order.currency) or Decimal(0),
        reason=form["reason"],
        evidence_due_at=midnight(due + timedelta(days=1)) if due else None,
    )
    dispute_decisions.open_by_operator(order=order, claim=claim, actor=actor, now=now)
