"""What an operator may do about an order: cancel it, ask for a refund, open a dispute."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action
from unfold.enums import ActionVariant
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminSingleDateWidget,
)

from payments.collect.consoles.acts import ActsAdmin, amount_field, on_the_books
from payments.collect.models import Dispute, Order
from payments.collect.services import cancelling, disputes, refunds
from payments.core import clock
from payments.core.console import Act, ReasonForm, actor, amount, midnight

# It takes a merchant's money away: to change orders is not enough.
OPEN_DISPUTE = "collect.open_dispute"


class RefundForm(ReasonForm):
    """How much goes back."""

    amount = amount_field(
        required=False, help_text=_("In the order's currency. Empty: all that remains.")
    )
    field_order = ["amount", "reason"]


class DisputeForm(ReasonForm):
    """What the payer's bank wrote."""

    kind = forms.ChoiceField(
        label=_("Kind"), choices=Dispute.Kind.choices, widget=UnfoldAdminSelectWidget()
    )
    amount = amount_field(help_text=_("In the order's currency."))
    evidence_due = forms.DateField(
        label=_("Evidence is taken until"),
        required=False,
        widget=UnfoldAdminSingleDateWidget(),
        help_text=_("The end of this day; empty when there is no limit."),
    )
    field_order = ["kind", "amount", "evidence_due", "reason"]


CANCEL = Act(
    title=_("Cancel order"),
    explanation=_(
        "The order ends unpaid and the merchant is told. Refused while a payer may be paying."
    ),
    submit=_("Cancel it for good"),
    danger=True,
)
REFUND = Act(
    title=_("Ask for a refund"),
    explanation=_(
        "The amount is held of the merchant's balance at once; another operator approves or "
        "rejects. The merchant bears all of it: our fee is kept."
    ),
    submit=_("Hold and ask"),
    form_class=RefundForm,
)
DISPUTE = Act(
    title=_("Open a dispute"),
    explanation=_(
        "What is at stake is held of the merchant's balance as far as it goes, and the merchant "
        "is told."
    ),
    submit=_("Open"),
    danger=True,
    form_class=DisputeForm,
)


class OrderActs(ActsAdmin):
    """The buttons of an order's page."""

    actions_detail = ["cancel_order", "refund_order", "dispute_order"]

    def possible(self, row: Order) -> set[str]:
        """An unpaid order is cancelled; of a paid one there may be something left to return."""
        if not row.is_final:
            return {"cancel_order"}
        return {"refund_order", "dispute_order"} if refunds.refundable(row) > 0 else set()

    def has_dispute_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Whether the operator may open disputes."""
        return request.user.has_perm(OPEN_DISPUTE)

    @action(
        description=CANCEL.title, icon="block", variant=ActionVariant.DANGER, permissions=["act"]
    )
    def cancel_order(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ends an unpaid order."""

        def perform(order: Order, form: dict[str, Any]) -> None:
            who = actor(request)
            cancelling.cancel_order(order=order, now=clock.now(), actor=who, reason=form["reason"])

        return self.act(request, object_id, CANCEL, perform, _summary)

    @action(description=REFUND.title, icon="undo", permissions=["act"])
    def refund_order(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks for money to go back to the payer."""

        def perform(order: Order, form: dict[str, Any]) -> None:
            refunds.request_refund(
                order=order,
                asker=refunds.Operator(actor(request)),
                # One showing of the form is one refund, whatever a browser repeats.
                idempotency_key=f"console:{request.POST['form_token']}",
                reason=form["reason"][: refunds.REASON_LENGTH],
                amount=on_the_books(form["amount"], order.currency),
                now=clock.now(),
            )

        return self.act(request, object_id, REFUND, perform, _summary)

    @action(
        description=DISPUTE.title,
        icon="gavel",
        variant=ActionVariant.DANGER,
        permissions=["dispute"],
    )
    def dispute_order(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Records a dispute that no rail has told us of."""

        def perform(order: Order, form: dict[str, Any]) -> None:
            due = form["evidence_due"]
            disputes.open_by_hand(
                order=order,
                kind=form["kind"],
                amount=on_the_books(form["amount"], order.currency) or Decimal(0),
                reason=form["reason"],
                evidence_due_at=midnight(due + timedelta(days=1)) if due else None,
                actor=actor(request),
                now=clock.now(),
            )

        return self.act(request, object_id, DISPUTE, perform, _summary, permission=OPEN_DISPUTE)


def _summary(order: Order) -> list[str]:
    """What is decided about, on the page that asks."""
    return [
        f"{order.merchant} · {order.reference}",
        f"{amount(order.amount, order.currency)} · {order.get_status_display()}",
    ]
