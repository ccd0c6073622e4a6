"""A withdrawal in the console: the form, the check of the money, the request."""

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console import tenancy
from payments.console.actions import Cleaned, ConfirmedAction
from payments.console.formatting import admin_url, amount
from payments.console.model_admins import PossibleActions
from payments.core import clock, money
from payments.core.errors import ServiceError
from payments.payout.models import Payout
from payments.withdrawals import offer_facts
from payments.withdrawals.forms import PART, WithdrawForm
from payments.withdrawals.models import BankAccount
from payments.withdrawals.services import withdrawals

# What the page of the check sends: the figures that the person saw, and the way back.
SEEN, EDIT = "seen", "edit"
TYPED = ("how_much", "amount", "reason")

WITHDRAW = ConfirmedAction(
    verb="withdraw",
    needs_reauthentication=True,
    title=_("Withdraw"),
    explanation=_(
        "The money goes to your own bank account. Nothing leaves yet: on the next page you check "
        "it."
    ),
    submit=_("Continue"),
    form_class=WithdrawForm,
)
CHECK = replace(
    WITHDRAW,
    title=_("Check the withdrawal"),
    explanation=_("Nothing is sent yet."),
    submit=_("Withdraw"),
    form_class=forms.Form,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A form that is valid, with what it would do now."""

    request: HttpRequest
    account: BankAccount
    user: User
    draft: Payout

    @property
    def seen(self) -> str:
        return f"{money.text(self.draft.amount)} {money.text(self.draft.fee_amount)}"


class WithdrawPage(PossibleActions):
    def withdraw_checked(self, request: HttpRequest, account: BankAccount) -> HttpResponse:
        """The check is shown before the request, and before the password is asked for."""
        user, posted = request.user, request.POST
        if not isinstance(user, User) or not tenancy.is_merchant_user(request):
            raise PermissionDenied
        offered = withdrawals.offer(account.merchant)
        most: dict[str, object] = {"most": amount(offered.most, money.FIAT)}
        confirmed = replace(WITHDRAW, initial=most)
        context: dict[str, Any] = {"facts": offer_facts.of_form(account, offered)}
        if self.has_right(request, WITHDRAW.verb) and "form_token" in posted:
            form = WithdrawForm(posted, initial=most)
            if EDIT in posted:
                typed = {name: posted.get(name, "") for name in TYPED}
                form = WithdrawForm(initial={**most, **typed})
                return self.action_page(request, account, confirmed, form=form, **context)
            if SEEN in posted:
                earlier = withdrawals.made_with(account.merchant, posted["form_token"])
                if earlier is not None:
                    return redirect(admin_url(earlier) or self.back_url(account))
            if form.is_valid():
                wanted = _wanted(form.cleaned_data, offered)
                draft = _draft(account, wanted)
                # What is not possible is refused with its reason, without a check.
                if draft is not None and draft.debit <= offered.available:
                    sent = Sent(request=request, account=account, user=user, draft=draft)
                    if posted.get(SEEN) != sent.seen:
                        return self._check(sent)

        def done(cleaned: Cleaned) -> HttpResponse:
            wanted = withdrawals.Wanted(
                account=account, amount=_wanted(cleaned, offered), token=posted["form_token"]
            )
            payout, _is_old = withdrawals.withdraw(wanted=wanted, user=user, now=clock.now())
            text = gettext("The withdrawal is on its way.")
            if payout.is_held_back:
                text = gettext("The withdrawal waits for approval.")
            self.message_user(request, text, messages.SUCCESS)
            return redirect(admin_url(payout) or self.back_url(account))

        return self.confirm_first(request, account, confirmed, done, **context)

    def _check(self, sent: Sent) -> HttpResponse:
        """Also if the balance or the fee changed after the check that the person saw."""
        posted = sent.request.POST
        need = offer_facts.need_of(sent.account, sent.draft, sent.user)
        changed = gettext("The balance or the fee has changed: check the figures again.")
        is_held = bool(need.people or need.operator)
        return self.action_page(
            sent.request,
            sent.account,
            replace(CHECK, submit=_("Ask for approval")) if is_held else CHECK,
            facts=offer_facts.of_check(sent.account, sent.draft, need, posted.get("reason", "")),
            has_sum=True,
            alerts=[changed] if SEEN in posted else [],
            form=forms.Form(),
            may_edit=True,
            hidden=[*((name, posted.get(name, "")) for name in TYPED), (SEEN, sent.seen)],
        )


def _wanted(cleaned: Cleaned, offered: withdrawals.Offer) -> Decimal:
    pesos: Decimal = cleaned["amount"] if cleaned["how_much"] == PART else offered.most
    return pesos


def _draft(account: BankAccount, pesos: Decimal) -> Payout | None:
    try:
        return withdrawals.draft(account, amount=pesos, now=clock.now())
    except ServiceError:
        return None
