"""Amounts in pesos as people in Colombia write them."""

import re
from decimal import Decimal
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextInputWidget

# Of at most two decimals, so that a point before three digits can only group them.
_PLAIN = re.compile(r"(\d{1,15})(?:,(\d{1,2}))?", re.ASCII)
_GROUPED = re.compile(r"([1-9]\d{0,2}(?:\.\d{3}){1,4})(?:,(\d{1,2}))?", re.ASCII)


def read(text: str) -> Decimal | None:
    """`1.250.000,50`, `1250000`, `$ 1.250.000`. None for anything else, such as `1,250` or
    `1250.50`, which others read in another way.
    """
    bare = re.sub(r"[\s$]", "", text).upper().removesuffix("COP")
    for form in (_PLAIN, _GROUPED):
        if match := form.fullmatch(bare):
            whole, decimals = match.groups()
            return Decimal(f"{whole.replace('.', '')}.{decimals or '0'}")
    return None


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
        found = read(text)
        if found is None:
            wrong = gettext("“%s” is not an amount. Write it as 1.250.000 or 1.250.000,50.")
            raise forms.ValidationError(wrong % text[:40])
        if found <= 0:
            raise forms.ValidationError(gettext("The amount is more than zero."))
        if found > settings.MAX_AMOUNT:
            raise forms.ValidationError(gettext("The amount is too large."))
        return found
