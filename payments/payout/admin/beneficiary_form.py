"""The form of a beneficiary."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from merchants.models import Merchant
from payments.payout.admin.place_form import PlaceForm, choice_field


class BeneficiaryForm(PlaceForm):
    merchant = choice_field(_("Account"), ())
    chosen: Merchant

    def __init__(self, merchants: list[Merchant], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.merchants = {one.pk: one for one in merchants}
        if len(merchants) > 1:
            choices = [(one.pk, one.name) for one in merchants]
            self.fields["merchant"].choices = choices  # type: ignore[attr-defined]
        else:
            del self.fields["merchant"]

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        pk = values.get("merchant") or next(iter(self.merchants), "")
        if pk not in self.merchants:
            raise forms.ValidationError(_("You work for no merchant."))
        self.chosen = self.merchants[pk]
        return values
