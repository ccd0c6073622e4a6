"""What a person decides about a movement of the bank: the candidates, and the buttons."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib.admin.utils import quote
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action
from unfold.enums import ActionVariant
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from merchants.models import Merchant
from payments.collect.models import Charge
from payments.console.actions import Cleaned, ConfirmedAction, ReasonForm, right_to
from payments.console.formatting import actor, amount, day, lines, link, table
from payments.console.model_admins import PossibleActions
from payments.core import clock, masking, money
from payments.ledger.models import Cost
from payments.payment_files.models import BatchLine
from payments.reconciliation.models import (
    Disbursement,
    LineMatch,
    LineStatus,
    MatchKind,
    StatementLine,
)
from payments.reconciliation.services.matching import decisions, due_lines, undoing
from payments.reconciliation.services.matching.explanations import sentences
from payments.reconciliation.services.matching.values import Candidate

OWN, RECORDED = decisions.OWN, decisions.RECORDED


class OrderForm(ReasonForm):
    order = forms.CharField(
        label=_("Order, or code of a payment"),
        max_length=100,
        widget=UnfoldAdminTextInputWidget(),
        help_text=_(
            "Id or reference of an order whose payer was shown this account, or the code of a line "
            "of a payment file."
        ),
    )
    field_order = ["order", "reason"]


class MerchantForm(ReasonForm):
    merchant = forms.ModelChoiceField(
        label=_("Merchant"), queryset=Merchant.objects.all(), widget=UnfoldAdminSelectWidget()
    )
    field_order = ["merchant", "reason"]


class BookingForm(ReasonForm):
    booked_as = forms.ChoiceField(
        label=_("What it was"),
        choices=[
            (OWN, _("the owner's own movement")),
            (RECORDED, _("a refund or return that is recorded already")),
            *Cost.choices,
        ],
        widget=UnfoldAdminSelectWidget(),
    )
    field_order = ["booked_as", "reason"]


class ReturnForm(ReasonForm):
    proof = forms.CharField(
        label=_("Proof"),
        min_length=3,
        max_length=200,
        widget=UnfoldAdminTextInputWidget(),
        help_text=_("The bank's number of the transfer with which the money went back."),
    )
    field_order = ["proof", "reason"]


def _action(
    title: Any, explanation: Any, submit: Any, form: type[forms.Form] = ReasonForm
) -> ConfirmedAction:
    return ConfirmedAction(
        verb="decide",
        needs_reauthentication=True,
        title=title,
        explanation=explanation,
        submit=submit,
        form_class=form,
    )


ACCEPT = _action(
    _("Accept the candidate"),
    _("The movement is settled with what it pays."),
    _("Accept"),
)
ASSIGN = _action(
    _("Assign to an order or payment"),
    _(
        "An order gets the money, and its merchant is told. What it does not need waits in the "
        "unmatched funds. A line of a payment file is paid, or came back."
    ),
    _("Assign"),
    OrderForm,
)
CREDIT = _action(
    _("Credit to a merchant"),
    _("The whole amount goes to the merchant's available balance, without a fee."),
    _("Credit"),
    MerchantForm,
)
BOOK = _action(
    _("Book as a cost or own movement"),
    _("The movement is no payment of an order or to a beneficiary. No balance changes."),
    _("Book"),
    BookingForm,
)
RETURN = _action(
    _("Mark as returned"),
    _(
        "The money goes back to who sent it. Record it for the movement that came in, and for the "
        "movement with which it went out. Nothing is sent by it."
    ),
    _("Record"),
    ReturnForm,
)
UNDO = ConfirmedAction(
    verb="decide",
    needs_reauthentication=True,
    title=_("Take the decision back"),
    explanation=_(
        "The movement waits again. If an order was credited with it, a dispute is opened: the "
        "merchant's money is held at once, and a second person records that it is lost. If the "
        "money waits in the unmatched funds, it leaves them as returned."
    ),
    submit=_("Take back"),
    danger=True,
)
DECIDING = ("accept", "assign", "credit", "book", "mark_returned")


class LineDecisions(PossibleActions):
    """The buttons of a movement's page. Without a candidate, `accept` is in the table alone."""

    actions_detail = [*DECIDING[1:], "undo", "accept"]
    has_decide_permission = right_to("decide")

    def possible(self, row: StatementLine) -> set[str]:
        if row.status in (LineStatus.MATCHED, LineStatus.BOOKED):
            return {"undo"}
        incoming = {"credit"} if row.amount > 0 else set()
        return incoming | {"assign", "book", "mark_returned"}

    def _confirm(
        self,
        request: HttpRequest,
        object_id: str,
        confirmed: ConfirmedAction,
        perform: Callable[[int, decisions.Decision, Cleaned], object],
        facts: list[tuple[object, object]] | None = None,
    ) -> HttpResponse:
        line = self.get_record(request, object_id)

        def decide(form: Cleaned) -> HttpResponse:
            reason = form.pop("reason")
            decision = decisions.Decision(actor=actor(request), reason=reason, now=clock.now())
            perform(line.pk, decision, form)
            return self.done(request, line, confirmed)

        shown = [(gettext("Bank's movement"), _summary(line)), *(facts or [])]
        name = f"{amount(line.amount, money.FIAT)} · {line.counterparty or line.description}"
        return self.confirm_first(request, line, confirmed, decide, facts=shown, subject_name=name)

    @action(description=ACCEPT.title, icon="check", permissions=["decide"])
    def accept(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The candidate is in the address."""
        line = self.get_record(request, object_id)
        key = request.GET.get("candidate", "")
        found = next((one for one in _candidates(line) if one.key == key), None)
        if found is None:
            return self.done(request, line, ACCEPT, gettext("It is no longer a candidate."))
        return self._confirm(
            request,
            object_id,
            _accepting(found),
            lambda pk, decision, _form: decisions.accept(line_id=pk, key=key, decision=decision),
            [
                (found.kind.label, _linked(found.kind, found.subject_id)),
                (gettext("What agrees"), lines(sentences(found.facts))),
                (
                    gettext("What differs"),
                    lines(sentences(found.differs)) if found.differs else gettext("Nothing"),
                ),
            ],
        )

    @action(description=_("Assign to what it pays"), icon="shopping_cart", permissions=["decide"])
    def assign(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._confirm(
            request,
            object_id,
            ASSIGN,
            lambda pk, decision, form: decisions.assign(line_id=pk, decision=decision, **form),
        )

    @action(
        description=_("Credit to a merchant"), icon="account_balance_wallet", permissions=["decide"]
    )
    def credit(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._confirm(
            request,
            object_id,
            CREDIT,
            lambda pk, decision, form: decisions.credit_merchant(
                line_id=pk, decision=decision, **form
            ),
        )

    @action(description=_("Book to an account"), icon="receipt", permissions=["decide"])
    def book(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._confirm(request, object_id, BOOK, _book)

    @action(description=RETURN.title, icon="undo", permissions=["decide"])
    def mark_returned(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._confirm(
            request,
            object_id,
            RETURN,
            lambda pk, decision, form: decisions.mark_returned(
                line_id=pk, decision=decision, **form
            ),
        )

    @action(
        description=_("Take back"),
        icon="history",
        variant=ActionVariant.DANGER,
        permissions=["decide"],
    )
    def undo(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._confirm(
            request,
            object_id,
            UNDO,
            lambda pk, decision, _form: undoing.undo(line_id=pk, decision=decision),
        )


def _accepting(candidate: Candidate) -> ConfirmedAction:
    """With the effect in words where it is an order that gets the money."""
    if candidate.kind != MatchKind.CHARGE:
        return ACCEPT
    charge = Charge.objects.select_related("order").get(pk=candidate.subject_id)
    text = gettext("The order %s gets the money, and its merchant is notified.")
    return replace(
        ACCEPT, explanation=text % charge.order.reference, submit=gettext("Credit the order")
    )


def _book(line_id: int, decision: decisions.Decision, form: Cleaned) -> object:
    if form["booked_as"] == OWN:
        return decisions.book_own_movement(line_id=line_id, decision=decision)
    if form["booked_as"] == RECORDED:
        return decisions.book_recorded_return(line_id=line_id, decision=decision)
    return decisions.book_cost(line_id=line_id, cost=form["booked_as"], decision=decision)


def candidates_table(line: StatementLine) -> dict[str, Any] | None:
    """Of a line that waits: side by side what agrees and what differs."""
    if line.status not in decisions.WAITING:
        return None
    found = _candidates(line)
    without_difference = [one.key for one in found if not one.differs]
    # The button is in colour if it is plain which candidate it is.
    plain = without_difference if len(without_difference) == 1 else []
    rows = [
        [
            _subject(one),
            lines(sentences(one.facts)),
            lines(sentences(one.differs)) if one.differs else "-",
            _accept_link(line, one, is_plain=one.key in plain),
        ]
        for one in found
    ]
    headers = [_("What it may be"), _("What agrees"), _("What differs"), _("Decision")]
    return table(gettext("Candidates"), headers, rows)


def explanation_of(match: LineMatch) -> SafeString:
    return lines(sentences(match.explanation))


def subject_of(match: LineMatch) -> str | SafeString:
    return _linked(MatchKind(match.kind), match.subject_id)


def _candidates(line: StatementLine) -> list[Candidate]:
    return due_lines.find_candidates(due_lines.search_for(line, clock.now()))


def _accept_link(line: StatementLine, candidate: Candidate, *, is_plain: bool) -> SafeString:
    url = reverse("admin:reconciliation_statementline_accept", args=[quote(line.pk)])
    style = "shell-action shell-action-primary" if is_plain else "shell-action"
    query = urlencode({"candidate": candidate.key})
    return format_html('<a class="{}" href="{}?{}">{}</a>', style, url, query, gettext("Accept"))


def _subject(candidate: Candidate) -> SafeString:
    linked = _linked(candidate.kind, candidate.subject_id)
    return format_html("{}<br>{}", candidate.kind.label, linked)


def _linked(kind: MatchKind, subject_id: str) -> str | SafeString:
    if kind == MatchKind.CHARGE:
        charge = Charge.objects.select_related("order").filter(pk=subject_id).first()
        return link(charge.order, _order_text(charge)) if charge else subject_id
    if kind == MatchKind.PAYOUT_LINE:
        return link(BatchLine.objects.filter(pk=subject_id).first(), subject_id)
    if kind == MatchKind.DISBURSEMENT:
        return link(Disbursement.objects.filter(pk=subject_id).first(), subject_id)
    if kind == MatchKind.MERCHANT:
        return link(Merchant.objects.filter(pk=subject_id).first(), subject_id)
    if kind == MatchKind.COST and subject_id in Cost.values:
        return str(Cost(subject_id).label)
    return gettext("own movement") if subject_id == OWN else subject_id


def _order_text(charge: Charge) -> str:
    order = charge.order
    parts = (
        order.reference,
        amount(order.amount, order.currency),
        order.customer_name,
        order.get_status_display(),
    )
    return " · ".join(str(one) for one in parts)


def _summary(line: StatementLine) -> str:
    parts = [day(line.booked_on), amount(line.amount, money.FIAT), line.description]
    parts += [line.reference, masking.tail(line.document), line.counterparty]
    return " · ".join(one for one in parts if one)
