"""A refund that a merchant's person asks for: the form, the check of the money, the request."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.collect.admin.actions import AmountForm, ConfirmedActionsAdmin, amount_field
from payments.collect.models import Order
from payments.collect.services.refunds import refund_requests
from payments.console.actions import Cleaned, ConfirmedAction
from payments.console.formatting import actor, amount
from payments.core import clock, money
from payments.ledger.services import balances

Fact = tuple[object, object]
CHECKED, EDIT = "checked", "edit"


class RefundForm(AmountForm):
    amount = amount_field(
        required=False, help_text=_("In the order's currency. Empty: all that remains.")
    )
    field_order = ["amount", "reason"]


class OwnRefundForm(RefundForm):
    """All that is left stands there already."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        text = gettext("All of it: %s. Type less to return a part.")
        self.fields["amount"].label = _("Amount to return")
        self.fields["amount"].help_text = text % self.initial["left"]


OWN_REFUND = ConfirmedAction(
    verb="refund",
    needs_reauthentication=True,
    title=_("Ask for a refund"),
    explanation=_(
        "What you return leaves your balance in full: the fee of the payment is not given back to "
        "you. It is reserved at once, and Pasarela approves or rejects the refund."
    ),
    submit=_("Continue"),
    form_class=OwnRefundForm,
)
CHECK = replace(
    OWN_REFUND,
    title=_("Check the refund"),
    explanation=_(
        "Nothing is asked for yet. When you ask for it, the money is reserved, and Pasarela "
        "approves or rejects the refund."
    ),
    submit=_("Ask for the refund"),
    form_class=forms.Form,
)


class OwnRefunds(ConfirmedActionsAdmin):
    def refund_own(
        self, request: HttpRequest, object_id: str, perform: Callable[..., object]
    ) -> HttpResponse:
        """The check is shown before the request, and before the password is asked for."""
        order: Order = self.get_record(request, object_id)
        confirmed, sent = _of_order(order), request.POST
        context = {"facts": _facts(order)}
        if self.has_right(request, OWN_REFUND.verb) and "form_token" in sent:
            if EDIT in sent:
                return self._edited(request, order, confirmed, context)
            form = confirmed.form_class(sent, initial=confirmed.initial)
            if CHECKED not in sent and form.is_valid():
                wanted = form.cleaned_data["amount"] or refund_requests.refundable(order)
                # What is not possible is refused with its reason, without a check.
                if wanted <= min(refund_requests.refundable(order), _available(order)):
                    return self._check(request, order, form.cleaned_data, wanted)

        def done(cleaned: Cleaned) -> HttpResponse:
            returned = cleaned["amount"] or refund_requests.refundable(order)
            perform(order=order, actor=actor(request), now=clock.now(), **cleaned)
            text = gettext("You asked for a refund of %(amount)s of the order %(order)s.")
            what = {"amount": amount(returned, order.currency), "order": order.reference}
            return self.done(request, order, confirmed, text % what)

        return self.confirm_first(request, order, confirmed, done, **context)

    def _check(
        self, request: HttpRequest, order: Order, cleaned: Cleaned, wanted: Decimal
    ) -> HttpResponse:
        now, left = _available(order), refund_requests.refundable(order)
        facts: list[Fact] = [
            (gettext("Leaves your balance"), amount(wanted, order.currency)),
            (gettext("The customer paid"), amount(order.amount, order.currency)),
            (gettext("Can be returned after it"), amount(left - wanted, order.currency)),
            (gettext("Customer"), order.customer_name),
            (gettext("Method"), order.get_selected_method_display() or "-"),
            (gettext("Balance now"), amount(now, order.currency)),
            (gettext("Balance after"), amount(now - wanted, order.currency)),
            (gettext("Reason"), cleaned["reason"]),
        ]
        names = ("amount", "reason")
        return self.action_page(
            request,
            order,
            CHECK,
            facts=facts,
            has_sum=True,
            form=forms.Form(),
            may_edit=True,
            hidden=[*((name, request.POST.get(name, "")) for name in names), (CHECKED, "1")],
        )

    def _edited(
        self, request: HttpRequest, order: Order, confirmed: ConfirmedAction, context: Any
    ) -> HttpResponse:
        typed = {name: request.POST.get(name, "") for name in ("amount", "reason")}
        form = confirmed.form_class(initial={**(confirmed.initial or {}), **typed})
        return self.action_page(request, order, confirmed, form=form, **context)


def _of_order(order: Order) -> ConfirmedAction:
    left, currency = refund_requests.refundable(order), order.currency
    typed: object = money.digits(left, currency) if currency == money.FIAT else left
    initial = {"currency": currency, "amount": typed, "left": amount(left, currency)}
    return replace(OWN_REFUND, initial=initial)


def _available(order: Order) -> Decimal:
    held = balances(order.merchant_id).get(money.balance_currency(order.currency), {})
    return held.get("available", Decimal(0))


def _facts(order: Order) -> list[Fact]:
    left = refund_requests.refundable(order)
    received: list[Fact] = []
    if order.base_amount is not None:
        received.append((gettext("You received"), amount(order.base_amount, order.currency)))
    returned: list[Fact] = []
    if left != order.amount:
        returned.append((gettext("Can still be returned"), amount(left, order.currency)))
    return [
        (gettext("Customer"), order.customer_name),
        (gettext("Method"), order.get_selected_method_display() or "-"),
        (gettext("The customer paid"), amount(order.amount, order.currency)),
        *received,
        *returned,
        (gettext("Balance now"), amount(_available(order), order.currency)),
    ]
