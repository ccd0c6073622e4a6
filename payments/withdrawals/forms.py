"""Forms of the console: the bank account of a business, and how much is withdrawn to it."""

from typing import Any

from django import forms
from django.utils.functional import lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminRadioSelectWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from merchants.models import Merchant
from payments.console.actions import OptionalReasonForm
from payments.console.amount_field import PesosField, examples
from payments.payout.models import AccountType
from payments.payout.services import catalogue


class AccountForm(OptionalReasonForm):
    merchant = forms.ModelChoiceField(
        label=_("Merchant"), queryset=Merchant.objects.none(), widget=UnfoldAdminSelectWidget()
    )
    bank = forms.ChoiceField(label=_("Bank"), widget=UnfoldAdminSelectWidget())
    account_type = forms.ChoiceField(
        label=_("Account type"), choices=AccountType.choices, widget=UnfoldAdminSelectWidget()
    )
    account_number = forms.CharField(
        label=_("Account number"),
        max_length=34,
        widget=UnfoldAdminTextInputWidget(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    field_order = ["merchant", "bank", "account_type", "account_number", "reason"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = Merchant.objects.filter(pk__in=self.initial.get("own", ()))
        merchants: Any = self.fields["merchant"]
        merchants.queryset = own.defer("webhook_secret")
        if len(self.initial.get("own", ())) == 1:
            merchants.initial, merchants.widget = own.first(), forms.HiddenInput()
        banks = next((one.banks for one in catalogue.methods() if one.banks), [])
        choice: Any = self.fields["bank"]
        choice.choices = [
            ("", gettext("Choose a bank")),
            *((bank.slug, bank.name) for bank in banks),
        ]


ALL, PART = "all", "part"


def _hint() -> str:
    return gettext("For example %(whole)s.") % examples()


class WithdrawForm(OptionalReasonForm):
    """`initial["most"]`: the most that can be withdrawn, as text with its currency."""

    how_much = forms.ChoiceField(label=_("How much"), widget=UnfoldAdminRadioSelectWidget())
    amount = PesosField(
        label=_("Another amount, in pesos"), required=False, help_text=lazy(_hint, str)()
    )
    field_order = ["how_much", "amount", "reason"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice: Any = self.fields["how_much"]
        everything = gettext("All that can be withdrawn: %s") % self.initial.get("most", "")
        choice.choices = [(ALL, everything), (PART, gettext("Another amount"))]
        choice.initial = ALL

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        has_amount, how_much = given.get("amount") is not None, given.get("how_much")
        if how_much == PART and not has_amount and "amount" not in self.errors:
            self.add_error("amount", gettext("Write the amount."))
        if how_much == ALL and has_amount:
            text = gettext("You wrote an amount. Choose “Another amount”, or leave it empty.")
            self.add_error("how_much", text)
        return given
