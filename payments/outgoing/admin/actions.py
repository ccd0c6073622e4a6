"""What an operator may do about a payment. Each action has a page that asks for the reason."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.dataclasses import UnfoldAction
from unfold.decorators import action
from unfold.enums import ActionVariant
from unfold.widgets import UnfoldAdminRadioSelectWidget, UnfoldAdminTextInputWidget

from payments.console.actions import ConfirmedAction, ReasonForm, right_to
from payments.console.code_words import code_words
from payments.console.formatting import actor, amount, when
from payments.console.model_admins import PossibleActions
from payments.console.money_admin import MoneyAdmin
from payments.console.registry import Text
from payments.console.state_words import word_of
from payments.core import clock, money
from payments.outgoing import resolutions
from payments.outgoing.engine import Engine
from payments.outgoing.models import OutgoingPayment

Status = OutgoingPayment.Status
ASK = ConfirmedAction(
    verb="ask",
    needs_reauthentication=True,
    title=_("Ask the rail now"),
    explanation=_(
        "The rail is asked what became of the payment, and its answer is applied. If it knows "
        "nothing of it, the same reference is sent again."
    ),
    submit=_("Ask"),
    done=_("The rail was asked, and its answer is below."),
)
RESOLVE_EXPLANATION = _(
    "Only with proof from the rail, such as its statement or a letter. It moves the money of the "
    "merchant at once, and cannot be undone."
)
ACKNOWLEDGE_EXPLANATION = _(
    "The rail said something that contradicts how the payment ended here. Once it is understood, "
    "the payment leaves the queue; its state stays as it is. If the money left although the "
    "merchant has it again, the amount is our loss and is booked as such, for good."
)


# What is left to decide about a payment that has completed.
RETURN = _("Enter that the money came back")


class ProofForm(ReasonForm):
    proof = forms.CharField(
        label=_("Proof"),
        min_length=3,
        max_length=500,
        widget=UnfoldAdminTextInputWidget(),
        help_text=_("What you saw: the rail's statement, a letter, the number of a ticket."),
    )


def resolve_action(
    payment: OutgoingPayment,
    explanation: Text = RESOLVE_EXPLANATION,
    outcomes: frozenset[str] | None = None,
) -> ConfirmedAction:
    """Offers the outcomes that the service accepts for this payment, in the words of its noun."""
    accepted = resolutions.outcomes(payment) if outcomes is None else outcomes
    choices = [
        (value, f"{word_of(type(payment), value, label)}: {_effect(payment, value)}")
        for value, label in Status.choices
        if value in accepted
    ]
    return ConfirmedAction(
        verb="resolve",
        needs_reauthentication=True,
        title=RETURN if payment.has_ended else _("Resolve by hand"),
        explanation=explanation,
        submit=_("Resolve for good"),
        danger=True,
        done=_("The outcome that you proved is recorded."),
        form_class=_with_choice("outcome", gettext("Outcome"), choices),
    )


def _effect(payment: OutgoingPayment, outcome: str) -> str:
    """What the outcome does to the merchant's balance. The fee comes back with the amount."""
    is_fiat = payment.currency == money.BALANCE_OF_FIAT
    shown = amount(payment.debit, money.FIAT if is_fiat else payment.currency)
    if outcome == Status.COMPLETED:
        text = gettext("the money arrived. %s leave the merchant's balance for good.")
    elif outcome == Status.FAILED:
        text = gettext("the money never left. %s are in the merchant's balance again.")
    else:
        text = gettext("the money left and came back. %s are in the merchant's balance again.")
    return text % shown


def _known_of_rail(payment: OutgoingPayment) -> list[tuple[object, object]]:
    """What the rail said so far, and when it was asked to pay."""
    sent = when(payment.last_sent_at or payment.sent_at)
    calls = gettext("%(when)s, calls so far: %(count)s")
    number = payment.provider_id or gettext("none: the rail has not confirmed the payment")
    return [
        (_("rail"), code_words(payment.provider)),
        (_("our reference at the rail"), payment.provider_reference),
        (_("last sent"), calls % {"when": sent, "count": payment.attempts}),
        (_("number that the rail gave"), number),
    ]


def named_by_state(offered: list[UnfoldAction], payment: OutgoingPayment) -> list[UnfoldAction]:
    """Of a payment that is over only its return can be entered: it is no open case, in red."""
    if not payment.has_ended:
        return offered
    return [
        replace(each, description=str(RETURN), variant=ActionVariant.DEFAULT)
        if each.action_name.endswith("_resolve")
        else each
        for each in offered
    ]


def acknowledge_action(payment: OutgoingPayment) -> ConfirmedAction:
    choices = [("no", gettext("No"))]
    if resolutions.may_be_loss(payment):
        again = gettext("Yes: the money is gone and the merchant has it again")
        twice = gettext("Yes: another account paid it, too")
        choices += [("yes", twice if payment.status == Status.COMPLETED else again)]
    return ConfirmedAction(
        verb="acknowledge",
        needs_reauthentication=True,
        title=_("Acknowledge"),
        explanation=ACKNOWLEDGE_EXPLANATION,
        submit=_("Acknowledge"),
        danger=True,
        done=_("The contradiction is acknowledged."),
        form_class=_with_choice("loss", gettext("Is the amount our loss?"), choices),
    )


def possible(payment: OutgoingPayment) -> set[str]:
    """The names of the actions that are possible now."""
    has_effect = {
        "ask_rail": payment.status == Status.PROCESSING,
        "resolve": bool(resolutions.outcomes(payment)),
        "acknowledge": payment.needs_operator and payment.has_ended,
    }
    return {name for name, possible in has_effect.items() if possible}


class OutgoingActions(PossibleActions, MoneyAdmin):
    """The buttons of a payment's page. A product sets its engine."""

    engine: ClassVar[Engine[Any]]
    actions_detail: ClassVar[list[str]] = ["ask_rail", "resolve", "acknowledge"]
    has_ask_permission = right_to("ask")
    has_resolve_permission = right_to("resolve")
    has_acknowledge_permission = right_to("acknowledge")

    def possible(self, payment: OutgoingPayment) -> set[str]:
        return possible(payment)

    def named_actions(self, offered: list[UnfoldAction], row: Any) -> list[UnfoldAction]:
        return named_by_state(offered, row)

    def beneficiary(self, payment: Any) -> str:
        """The receiver of the money, for the actions' pages. Private numbers are masked."""
        raise NotImplementedError

    def summary(self, payment: Any) -> list[str]:
        """Shown on the actions' pages."""
        return [f"{payment.merchant} · {amount_of(payment)}", self.beneficiary(payment)]

    def facts(self, payment: Any) -> list[tuple[object, object]]:
        """What a person compares before deciding, each with its label, above the summary."""
        return []

    @action(description=ASK.title, icon="sync", permissions=["ask"])
    def ask_rail(self, request: HttpRequest, object_id: str) -> HttpResponse:
        payment = self.get_record(request, object_id)

        def perform(form: dict[str, str]) -> str:
            resolutions.query_rail(
                engine=self.engine,
                payment=payment,
                actor=actor(request),
                reason=form["reason"],
                now=clock.now(),
            )
            payment.refresh_from_db()
            done = gettext("The rail was asked. The payment is now: %s")
            return done % str(payment.get_status_display())

        return self.confirm(request, payment, ASK, perform)

    @action(
        description=_("Resolve by hand"),
        icon="gavel",
        variant=ActionVariant.DANGER,
        permissions=["resolve"],
    )
    def resolve(self, request: HttpRequest, object_id: str) -> HttpResponse:
        payment = self.get_record(request, object_id)

        def perform(form: dict[str, str]) -> None:
            resolutions.resolve(
                engine=self.engine,
                payment=payment,
                outcome=form["outcome"],
                decision=decision(request, form),
                now=clock.now(),
            )

        facts = [*self.facts(payment), *_known_of_rail(payment)]
        return self.confirm(request, payment, resolve_action(payment), perform, facts=facts)

    @action(
        description=_("Acknowledge"),
        icon="done_all",
        variant=ActionVariant.DANGER,
        permissions=["acknowledge"],
    )
    def acknowledge(self, request: HttpRequest, object_id: str) -> HttpResponse:
        payment = self.get_record(request, object_id)

        def perform(form: dict[str, str]) -> None:
            resolutions.acknowledge(
                engine=self.engine,
                payment=payment,
                is_loss=form["loss"] == "yes",
                decision=decision(request, form),
                now=clock.now(),
            )

        return self.confirm(request, payment, acknowledge_action(payment), perform)

    def confirm(
        self,
        request: HttpRequest,
        payment: OutgoingPayment,
        confirmed: ConfirmedAction,
        perform: Callable[[dict[str, str]], str | None],
        **context: object,
    ) -> HttpResponse:
        """Shows the action's page. Then calls `perform(form)` once, which may return a message."""

        def done(form: dict[str, str]) -> HttpResponse:
            return self.done(request, payment, confirmed, perform(form))

        shown = {"facts": self.facts(payment), "rows": self.summary(payment), **context}
        return self.confirm_first(request, payment, confirmed, done, **shown)


def decision(request: HttpRequest, form: dict[str, str]) -> resolutions.Decision:
    """The person's decision in a ProofForm."""
    return resolutions.Decision(actor=actor(request), reason=form["reason"], proof=form["proof"])


def amount_of(payment: OutgoingPayment) -> str:
    return amount(payment.amount, currency_of(payment))


def currency_of(payment: OutgoingPayment) -> str:
    """The currency of amount and fee: COP, not COPM."""
    return money.FIAT if payment.paid_in == money.BALANCE_OF_FIAT else payment.paid_in


def _with_choice(name: str, label: str, choices: Sequence[tuple[str, str]]) -> type[forms.Form]:
    """A form with a choice, a proof and a reason. No choice is preselected."""
    field = forms.ChoiceField(label=label, choices=choices, widget=UnfoldAdminRadioSelectWidget())
    order = {name: field, "field_order": [name, "proof", "reason"]}
    return type("ChoiceForm", (ProofForm,), order)
