"""What an operator may do about a payout: each act is a page that asks for the reason first."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib.admin.utils import unquote
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action
from unfold.enums import ActionVariant
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from payments.core import audit, clock
from payments.core.console import Act, ReadOnlyAdmin, ReasonForm, actor, amount
from payments.outgoing import resolutions
from payments.outgoing.errors import NotAllowed
from payments.payout.admin.story import destination, document
from payments.payout.models import Payout
from payments.payout.services import approvals
from payments.payout.services.engine import engine

Status = Payout.Status


class ResolveForm(ReasonForm):
    """How it ended, and what proves it. The outcomes are those that the payout's state allows."""

    outcome = forms.ChoiceField(
        label=_("Outcome"), choices=Status.choices, widget=UnfoldAdminSelectWidget()
    )
    proof = forms.CharField(
        label=_("Proof"),
        min_length=3,
        max_length=500,
        widget=UnfoldAdminTextInputWidget(),
        help_text=_("What you saw: the rail's statement, a letter, the number of a ticket."),
    )

    field_order = ["outcome", "proof", "reason"]


APPROVE = Act(
    title=_("Approve payout"),
    explanation=_(
        "The payout goes to the rail at once. Whoever set the merchant's rule cannot approve."
    ),
    submit=_("Approve"),
)
REJECT = Act(
    title=_("Reject payout"),
    explanation=_("The payout ends as failed and its money is the merchant's again, for good."),
    submit=_("Reject"),
    danger=True,
)
ASK = Act(
    title=_("Ask the rail now"),
    explanation=_(
        "The rail is asked what became of the payout, and its answer is applied. If it knows "
        "nothing of it, the same reference is sent again."
    ),
    submit=_("Ask"),
)
RESOLVE_EXPLANATION = _(
    "Only with proof from the rail. Failed means that the money never left, refunded that it "
    "left and came back: both return it to the merchant. It cannot be undone."
)


def resolve_act(payout: Payout) -> Act:
    """The page that resolves by hand, with the outcomes that are possible now."""
    choices = [(value, label) for value, label in Status.choices if value in outcomes(payout)]
    field = forms.ChoiceField(label=_("Outcome"), choices=choices, widget=UnfoldAdminSelectWidget())
    return Act(
        title=_("Resolve by hand"),
        explanation=RESOLVE_EXPLANATION,
        submit=_("Resolve for good"),
        danger=True,
        form_class=type("PossibleResolveForm", (ResolveForm,), {"outcome": field}),
    )


def outcomes(payout: Payout) -> frozenset[str]:
    """The ends that an operator may give to it."""
    if payout.status == Status.PENDING:
        return frozenset()
    return Payout.MOVES.get(payout.status, frozenset())


def possible(payout: Payout) -> set[str]:
    """The names of the acts that would do something now."""
    acts = set()
    if payout.status == Status.PENDING and payout.needs_approval:
        acts |= {"approve", "reject"}
    if payout.status == Status.PROCESSING:
        acts.add("ask_rail")
    if outcomes(payout):
        acts.add("resolve")
    return acts


class PayoutActs(ReadOnlyAdmin):
    """The buttons of a payout's page."""

    actions_detail = ["approve", "reject", "ask_rail", "resolve"]

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> Any:
        """Only what would do something now."""
        payout = Payout.objects.filter(pk=unquote(object_id)).first()
        names = possible(payout) if payout is not None else set()
        return [
            item
            for item in super().get_actions_detail(request, object_id)
            if item.action_name.removeprefix("payout_payout_") in names
        ]

    @action(description=APPROVE.title, icon="check_circle", permissions=["act"])
    def approve(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Lets a waiting payout go."""
        return self._decide(request, object_id, APPROVE, approvals.approve)

    @action(
        description=REJECT.title, icon="block", variant=ActionVariant.DANGER, permissions=["act"]
    )
    def reject(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ends a waiting payout."""
        return self._decide(request, object_id, REJECT, approvals.reject)

    def _decide(self, request: HttpRequest, object_id: str, act: Act, service: Any) -> HttpResponse:
        payout: Payout = self.found(request, object_id)

        def perform(form: dict[str, Any]) -> HttpResponse:
            service(payout=payout, actor=actor(request), reason=form["reason"], now=clock.now())
            return self._done(request, payout, act)

        return self.ask(request, payout, act, perform, rows=summary(payout))

    @action(
        description=_("Resolve by hand"),
        icon="gavel",
        variant=ActionVariant.DANGER,
        permissions=["act"],
    )
    def resolve(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ends a payout as its proof says."""
        payout: Payout = self.found(request, object_id)
        act = resolve_act(payout)

        def perform(form: dict[str, Any]) -> HttpResponse:
            resolutions.resolve(
                engine=engine, payment=payout, actor=actor(request), now=clock.now(), **form
            )
            return self._done(request, payout, act)

        return self.ask(request, payout, act, perform, rows=summary(payout))

    @action(description=ASK.title, icon="sync", permissions=["act"])
    def ask_rail(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Does at once what the schedule would do later."""
        payout: Payout = self.found(request, object_id)

        def perform(form: dict[str, Any]) -> HttpResponse:
            payout.refresh_from_db()
            if payout.status != Status.PROCESSING:
                raise NotAllowed
            audit.record(
                actor=actor(request), action="payout.asked", subject=payout, reason=form["reason"]
            )
            engine.ask(payment=payout, now=clock.now())
            payout.refresh_from_db()
            shown = gettext("The rail was asked. The payout is now: %s")
            self.message_user(request, shown % payout.get_status_display())
            return redirect(self.back_url(payout))

        return self.ask(request, payout, ASK, perform, rows=summary(payout))

    def ask(
        self,
        request: HttpRequest,
        subject: Any,
        act: Act,
        perform: Callable[[dict[str, Any]], HttpResponse],
        **context: Any,
    ) -> HttpResponse:
        """What services refuse, in the operator's language."""

        def translated(form: dict[str, Any]) -> HttpResponse:
            try:
                return perform(form)
            except NotAllowed as error:
                raise NotAllowed(gettext(error.message)) from error

        return super().ask(request, subject, act, translated, **context)

    def _done(self, request: HttpRequest, payout: Payout, act: Act) -> HttpResponse:
        self.message_user(request, gettext("Done: %s") % act.title)
        return redirect(self.back_url(payout))


def summary(payout: Payout) -> list[str]:
    """What is decided about, on the page that asks."""
    return [
        f"{payout.merchant} · {amount(payout.amount, 'COP')}",
        f"{payout.recipient_name} · {document(payout)} · {destination(payout)}",
    ]
