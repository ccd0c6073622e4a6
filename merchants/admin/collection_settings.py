"""The part of a merchant's form for its currencies and payment methods."""

from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from merchants import services
from merchants.models import Merchant


class BoxesWidget(UnfoldAdminCheckboxSelectMultipleWidget):
    """Without the classes of the theme's tick, which shell.css draws: forty boxes repeat them."""

    def __init__(self) -> None:
        super().__init__()
        kept = [name for name in self.attrs["class"].split() if "after:" not in name]
        self.attrs["class"] = " ".join(kept)


def choices_field(db_field: Any, choices: Any = None) -> forms.MultipleChoiceField:
    """Check boxes for an array of choices. A new account starts with the default of the model."""
    return forms.MultipleChoiceField(
        label=capfirst(db_field.verbose_name),
        choices=choices or db_field.base_field.choices,
        initial=db_field.get_default,
        required=False,
        widget=BoxesWidget(),
    )


class CollectingForm(forms.ModelForm):
    """An active account has a currency and a method, or neither when it only pays."""

    currencies = choices_field(Merchant._meta.get_field("currencies"))
    methods = choices_field(Merchant._meta.get_field("methods"))

    def clean(self) -> dict[str, object]:
        super().clean()
        given = self.cleaned_data
        empty = [name for name in ("currencies", "methods") if name in given and not given[name]]
        only_pays = len(empty) == 2 and any(given.get(name) for name in services.OUTGOING)
        if not self.instance.is_active or only_pays:
            return given
        for name in empty:
            self.add_error(name, gettext("Choose at least one: without it no order can be made."))
        return given
