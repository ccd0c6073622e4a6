"""Amounts in pesos as people in Colombia write them."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextInputWidget

from payments.core.typed_amounts import pesos_in_one_way


class PesosField(forms.Field):
    def __init__(self, **kwargs: Any) -> None:
        attrs = {"inputmode": "decimal", "autocomplete": "off"}
        kwargs.setdefault("help_text", _("In pesos, for example 1.250.000 or 1.250.000,50."))
        kwargs.setdefault("widget", UnfoldAdminTextInputWidget(attrs=attrs))
        super().__init__(**kwargs)

    def to_python(self, value: object) -> Any:
        text = str(value or "").strip()
        if not text:
            return None
        found = pesos_in_one_way(text)
        if found is None:
            wrong = gettext("“%s” is not an amount. Write it as 1.250.000 or 1.250.000,50.")
            raise forms.ValidationError(wrong % text[:40])
        if found <= 0:
            raise forms.ValidationError(gettext("The amount is more than zero."))
        if found > settings.MAX_AMOUNT:
            raise forms.ValidationError(gettext("The amount is too large."))
        return found
