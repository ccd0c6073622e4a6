"""What an operator may do about a payment: each act is a page that asks for the reason first."""

from collections.abc import Callable
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action
from unfold.enums import ActionVariant
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from payments.console.actions import ConfirmedAction, ReasonForm, right_to
from payments.console.formatting import actor, amount
from payments.console.model_admins import PossibleActions
from payments.console.money_admin import MoneyAdmin
from payments.core import clock, money
from payments.outgoing import resolutions
from payments.outgoing.engine import Engine
from payments.outgoing.models import OutgoingPayment

Status = OutgoingPayment.Status
CHOOSE = ("", "---------")
ASK = ConfirmedAction(
    verb="ask",
    needs_reauthentication=True,
    title=_("Ask the rail now"),
    explanation=_(
        "The rail is asked what became of the payment, and its answer is applied. If it knows "
        "nothing of it, the same reference is sent again."
    ),
    submit=_("Ask"),
)
RESOLVE_EXPLANATION = _(
    "Only with proof from the rail. Failed means that the money never left, refunded that it "
    "left and came back: both return it to the merchant. It cannot be undone."
)
ACKNOWLEDGE_EXPLANATION = _(
    "The rail said something that contradicts how the payment ended here. Once it is understood, "
    "the payment leaves the queue; its state stays as it is. If the money left although the "
    "merchant has it again, the amount is our loss and is booked as such, for good."
)


class ProofForm(ReasonForm):
    """What proves it, beside the reason."""

    proof = forms.CharField(
        label=_("Proof"),
        min_length=3,
        max_length=500,
        widget=UnfoldAdminTextInputWidget(),
        help_text=_("What you saw: the rail's statement, a letter, the number of a ticket."),
    )


def resolve_action(payment: OutgoingPayment) -> ConfirmedAction:
    """The page that resolves by hand, with the outcomes that are possible now."""
    possible = resolutions.outcomes(payment)
    choices = [(value, label) for value, label in Status.choices if value in possible]
    return ConfirmedAction(
        verb="resolve",
        needs_reauthentication=True,
        title=_("Resolve by hand"),
        explanation=RESOLVE_EXPLANATION,
        submit=_("Resolve for good"),
        danger=True,
        form_class=_with_choice("outcome", _("Outcome"), choices),
    )


def acknowledge_action(payment: OutgoingPayment) -> ConfirmedAction:
    """The page that closes a contradiction. Money that the merchant paid is no loss of ours."""
    choices = [("no", _("No"))]
    if payment.status != Status.COMPLETED:
        choices += [("yes", _("Yes: the money is gone and the merchant has it again"))]
    return ConfirmedAction(
        verb="acknowledge",
        needs_reauthentication=True,
        title=_("Acknowledge"),
        explanation=ACKNOWLEDGE_EXPLANATION,
        submit=_("Acknowledge"),
        danger=True,
        form_class=_with_choice("loss", _("Is the amount our loss?"), choices),
    )


def possible(payment: OutgoingPayment) -> set[str]:
    """The names of the acts that would do something now."""
    would = {
        "ask_rail": payment.status == Status.PROCESSING,
        "resolve": bool(resolutions.outcomes(payment)),
        "acknowledge": can_acknowledge(payment),
    }
    return {name for name, does in would.items() if does}


def can_acknowledge(payment: OutgoingPayment) -> bool:
    """Whether a contradiction waits here."""
    return payment.needs_operator and payment.has_ended


class OutgoingActions(PossibleActions, MoneyAdmin):
    """The buttons of a payment's page. A product sets its engine."""

    engine: ClassVar[Engine[Any]]
    actions_detail: ClassVar[list[str]] = ["ask_rail", "resolve", "acknowledge"]
    has_ask_permission = right_to("ask")
    has_resolve_permission = right_to("resolve")
    has_acknowledge_permission = right_to("acknowledge")

    def possible(self, payment: Any) -> set[str]:
        return possible(payment)

    def beneficiary(self, payment: Any) -> str:
        """Who gets the money, on the pages that ask: private numbers masked."""
        raise NotImplementedError

    @action(description=ASK.title, icon="sync", permissions=["ask"])
    def ask_rail(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Does at once what the schedule would do later."""
        payment = self.get_record(request, object_id)

        def perform(form: dict[str, Any]) -> HttpResponse:
            why = {"actor": actor(request), "now": clock.now(), **form}
            resolutions.query_rail(engine=self.engine, payment=payment, **why)
            payment.refresh_from_db()
            shown = gettext("The rail was asked. The payment is now: %s")
            self.message_user(request, shown % payment.get_status_display())
            return redirect(self.back_url(payment))

        return self.confirm_first(request, payment, ASK, perform)

    @action(
        description=_("Resolve by hand"),
        icon="gavel",
        variant=ActionVariant.DANGER,
        permissions=["resolve"],
    )
    def resolve(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ends a payment as its proof says."""
        payment = self.get_record(request, object_id)
        confirmed = resolve_action(payment)

        def perform(form: dict[str, Any]) -> HttpResponse:
            why = {"actor": actor(request), "now": clock.now(), **form}
            resolutions.resolve(engine=self.engine, payment=payment, **why)
            return self.done(request, payment, confirmed)

        return self.confirm_first(request, payment, confirmed, perform)

    @action(
        description=_("Acknowledge"),
        icon="done_all",
        variant=ActionVariant.DANGER,
        permissions=["acknowledge"],
    )
    def acknowledge(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Takes an ended payment out of the queue."""
        payment = self.get_record(request, object_id)
        confirmed = acknowledge_action(payment)

        def perform(form: dict[str, Any]) -> HttpResponse:
            is_loss = form.pop("loss") == "yes"
            why = {"actor": actor(request), "now": clock.now(), **form}
            resolutions.acknowledge(engine=self.engine, payment=payment, is_loss=is_loss, **why)
            return self.done(request, payment, confirmed)

        return self.confirm_first(request, payment, confirmed, perform)

    def confirm_first(
        self,
        request: HttpRequest,
        subject: Any,
        confirmed: ConfirmedAction,
        perform: Callable[[dict[str, Any]], HttpResponse],
        **context: Any,
    ) -> HttpResponse:
        rows = [f"{subject.merchant} · {amount_of(subject)}", self.beneficiary(subject)]
        return super().confirm_first(
            request, subject, confirmed, perform, **{"rows": rows, **context}
        )

    def done(self, request: HttpRequest, payment: Any, confirmed: ConfirmedAction) -> HttpResponse:
        """Back to the payment, with a word that it is done."""
        self.message_user(request, gettext("Done: %s") % confirmed.title)
        return redirect(self.back_url(payment))


def amount_of(payment: OutgoingPayment) -> str:
    return amount(payment.amount, currency_of(payment))


def currency_of(payment: OutgoingPayment) -> str:
    """Of amount and fee, as people call it."""
    return money.FIAT if payment.paid_in == money.BALANCE_OF_FIAT else payment.paid_in


def _with_choice(name: str, label: Any, choices: list[Any]) -> type[forms.Form]:
    """A form with proof and reason that begins with a choice, which nobody makes by accident."""
    field = forms.ChoiceField(
        label=label, choices=[CHOOSE, *choices], widget=UnfoldAdminSelectWidget()
    )
    order = {name: field, "field_order": [name, "proof", "reason"]}
    return type("ChoiceForm", (ProofForm,), order)
