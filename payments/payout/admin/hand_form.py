"""The form of a payout by hand."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.functional import lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldBooleanSwitchWidget

from merchants.models import Merchant
from payments.console.amount_field import PesosField
from payments.console.formatting import amount as amount_text
from payments.console.formatting import balance_name
from payments.core import masking
from payments.core.text import normalised_document
from payments.ledger import services as ledger
from payments.outgoing.models import BalanceCurrency
from payments.payout.admin.place_form import (
    BANK,
    CHOOSE,
    HOW,
    NEEDED,
    PlaceForm,
    choice_field,
    text_field,
)
from payments.payout.models import Beneficiary
from payments.payout.services import beneficiaries
from payments.payout.services.payouts import NewPayout

SAVED = "saved"
_NO_BALANCE: dict[str, dict[str, Decimal]] = {BalanceCurrency.COPM.value: {}}
# A longer list is no help in a form: the page of the beneficiary has a button.
MOST_LISTED = 500


class HandForm(PlaceForm):
    """`merchants`: those of the person."""

    merchant = choice_field(_("Account"), ())
    beneficiary = forms.ChoiceField(
        label=_("Beneficiary"), required=False, widget=UnfoldAdminSelectWidget()
    )
    amount = PesosField(label=_("Amount"), required=False)
    currency = choice_field(
        _("Paid from"), [(code, lazy(balance_name, str)(code)) for code in BalanceCurrency.values]
    )
    description = text_field(
        _("Description (optional)"),
        40,
        help_text=_("The beneficiary may see it: at most 40 characters."),
    )
    reference = text_field(
        _("Your reference (optional)"), 100, help_text=_("For your own records.")
    )
    remember = forms.BooleanField(
        label=_("Remember this beneficiary"), required=False, widget=UnfoldBooleanSwitchWidget()
    )
    chosen: Merchant

    def __init__(self, merchants: list[Merchant], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.merchants = {one.pk: one for one in merchants}
        self._set("merchant", [(one.pk, one.name) for one in merchants])
        kept = [row for one in merchants for row in _listed(one)]
        several = len(merchants) > 1
        self._set("beneficiary", [CHOOSE, *((row.pk, shown(row, several)) for row in kept)])
        self._set("how", [(SAVED, _("Saved beneficiary")), *HOW] if kept else HOW)
        self.fields["how"].initial = SAVED if kept else BANK
        held = {code for one in merchants for code in ledger.balances(one.pk)}
        if BalanceCurrency.USDT not in held:
            del self.fields["currency"]
        if not several:
            del self.fields["merchant"]

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        pk = values.get("merchant") or next(iter(self.merchants), "")
        self.chosen = self.merchants[pk]
        if values.get("how") == SAVED:
            self._clean_saved(values)
        if values.get("amount") is None and "amount" not in self.errors:
            self._take_amount(values)
        return values

    def available(self) -> list[tuple[str, str]]:
        """Of each account: its name, if there are several, and what its balances can pay."""
        several = len(self.merchants) > 1
        return [
            (one.name if several else "", amount_text(held.get("available", Decimal(0)), code))
            for one in self.merchants.values()
            for code, held in (ledger.balances(one.pk) or _NO_BALANCE).items()
            if code in BalanceCurrency.values
        ]

    @property
    def is_saved(self) -> bool:
        return bool(self.cleaned_data.get("how") == SAVED)

    def wanted(self) -> NewPayout:
        values, to = self.cleaned_data, self.details
        return NewPayout(
            amount=values["amount"],
            currency=values.get("currency") or BalanceCurrency.COPM.value,
            recipient_name=to.name,
            recipient_doc_type=to.doc_type,
            recipient_doc_number=to.doc_number,
            network=to.network,
            bank=to.bank_id,
            account_type=to.account_type or None,
            account_number=to.account_number or None,
            key_type=to.key_type or None,
            key_value=to.key_value or None,
            description=values["description"],
        )

    def _set(self, name: str, choices: list[Any]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    def _clean_saved(self, values: dict[str, Any]) -> None:
        kept = beneficiaries.of_merchant(self.chosen.pk)
        row = kept.filter(pk=values.get("beneficiary") or "").first()
        if row is None:
            self.add_error("beneficiary", gettext("Choose a beneficiary."))
        else:
            self.details = beneficiaries.details_of(row)

    def _take_amount(self, values: dict[str, Any]) -> None:
        """That of the QR code, if it has one."""
        amount = self.code.code.amount if self.code is not None else None
        if amount is None:
            self.add_error("amount", str(NEEDED["amount"]))
        values["amount"] = amount


def shown(row: Beneficiary, several: bool = False) -> str:
    """`Ana Ruiz · Bancolombia ···4567`. The numbers are masked."""
    document = masking.tail(normalised_document(row.doc_number))
    parts = [row.name, f"{row.doc_type} {document}", place(row)]
    return " · ".join([*parts, row.merchant.name] if several else parts)


def place(row: Beneficiary) -> str:
    """Bank and account, or the key, masked."""
    if row.bank is not None:
        kind = row.get_account_type_display()
        return f"{row.bank.name} · {kind} {masking.tail(row.account_number)}"
    return f"Bre-B · {row.get_key_type_display()} {masking.contact(row.key_value)}"


def _listed(merchant: Merchant) -> list[Beneficiary]:
    rows = beneficiaries.of_merchant(merchant.pk).select_related("bank", "merchant")
    return list(rows[:MOST_LISTED])
