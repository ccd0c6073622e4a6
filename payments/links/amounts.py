"""Amounts as people in Colombia type them: `50.000`, `50,000`, `$ 50000`."""

import re
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from payments.core import money

_PESOS = re.compile(r"(\d{1,3}(?:([.,])\d{3})(?:\2\d{3})*|\d+)(?:[.,]0{1,2})?")
_DECIMAL = re.compile(r"\d+(?:[.,]\d+)?")
_DIGITS_MAX = 20


def read(text: str, currency: str) -> Decimal | None:
    """None for other text. Pesos have no cents here, so `50.000` is never fifty."""
    plain = re.sub(rf"[\s$ ]|{currency}", "", text, flags=re.I)
    if len(plain) > _DIGITS_MAX:
        return None
    if currency == money.FIAT:
        match = _PESOS.fullmatch(plain)
        return Decimal(re.sub(r"\D", "", match[1])) if match else None
    return Decimal(plain.replace(",", ".")) if _DECIMAL.fullmatch(plain) else None


class AmountField(forms.CharField):
    """The cleaned value is a Decimal, or None for an empty optional field."""

    currency = money.FIAT

    def __init__(self, *, widget: Any = None, **options: Any) -> None:
        attributes = {"inputmode": "decimal", "autocomplete": "off"}
        super().__init__(
            max_length=40, widget=widget or forms.TextInput(attrs=attributes), **options
        )

    def clean(self, value: object) -> Any:
        text = super().clean(value)
        if not text:
            return None
        amount = read(text, self.currency)
        if amount is None:
            raise ValidationError(_("Write an amount like 50000."))
        return amount

    def prepare_value(self, value: object) -> object:
        return money.text(value) if isinstance(value, Decimal) else value
