"""Forms of the console: the bank account of a business, and how much is withdrawn to it."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
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
from payments.console.kept_files import DocumentField, checked, megabytes
from payments.outgoing import beneficiary_validation
from payments.payout.admin import bank_choice
from payments.payout.admin.place_form import CHOOSE
from payments.payout.models import AccountType
from payments.payout.services import catalogue


def _number(label: Any) -> forms.CharField:
    attrs = {"inputmode": "numeric", "autocomplete": "off"}
    return forms.CharField(
        label=label, max_length=34, widget=UnfoldAdminTextInputWidget(attrs=attrs)
    )


class AccountForm(OptionalReasonForm):
    merchant = forms.ModelChoiceField(
        label=_("Merchant"), queryset=Merchant.objects.none(), widget=UnfoldAdminSelectWidget()
    )
    bank = forms.ChoiceField(label=_("Bank"), widget=bank_choice.BankSelect())
    account_type = forms.ChoiceField(
        label=_("Account type"),
        choices=[CHOOSE, *AccountType.choices],
        widget=UnfoldAdminSelectWidget(),
    )
    account_number = _number(_("Account number"))
    account_number_again = _number(_("Account number, once more"))
    certificate = DocumentField(label=_("Bank's certificate of the account"))
    field_order = [
        *("merchant", "bank", "account_type", "account_number", "account_number_again"),
        *("certificate", "reason"),
    ]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = Merchant.objects.filter(pk__in=self.initial.get("own", ()))
        merchants: Any = self.fields["merchant"]
        merchants.queryset = own.defer("webhook_secret")
        if len(self.initial.get("own", ())) == 1:
            merchants.initial, merchants.widget = own.first(), forms.HiddenInput()
        banks = next((one.banks for one in catalogue.methods() if one.banks), [])
        choice: Any = self.fields["bank"]
        choice.choices = bank_choice.choices(banks)
        self.fields["certificate"].help_text = self._about_the_file()

    def _about_the_file(self) -> str:
        text = gettext("With holder, NIT and the whole number. PDF, PNG or JPEG, at most %s MB.")
        told = text % megabytes(settings.BANK_CERTIFICATE_MAX_BYTES)
        if not self.files.get("certificate"):
            return told
        # The form is only shown again if something was wrong, and a page cannot keep a file.
        return " ".join([gettext("Choose the file again: it is not kept."), told])

    def clean_certificate(self) -> UploadedFile:
        return checked(self.cleaned_data["certificate"], settings.BANK_CERTIFICATE_MAX_BYTES)

    def clean(self) -> dict[str, Any]:
        """The certificate shows a wrong digit to an operator, days later; this at once."""
        given: dict[str, Any] = super().clean() or self.cleaned_data
        bank = given.get("bank", "")
        numbers = [given.get(name) for name in ("account_number", "account_number_again")]
        first, again = (
            number and (beneficiary_validation.account_number(number, bank) or number)
            for number in numbers
        )
        if first and again and first != again:
            text = gettext("It is not the same number as above.")
            self.add_error("account_number_again", text)
        if self.errors and self.files.get("certificate") and "certificate" not in self.errors:
            self.add_error(None, gettext("Choose the file again: it is not kept."))
        return given


ALL, PART = "all", "part"


def _hint() -> str:
    return gettext("For example %(whole)s.") % examples()


class WithdrawForm(OptionalReasonForm):
    """`initial["most"]`: the most that can be withdrawn, as text with its currency.

    An amount counts only with its choice: without it the page does not show the field.
    """

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
        if given.get("how_much") == ALL:
            self.errors.pop("amount", None)
        elif given.get("amount") is None and "amount" not in self.errors:
            self.add_error("amount", gettext("Write the amount."))
        return given
