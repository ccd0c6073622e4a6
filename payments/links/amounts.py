"""The field of an amount in the forms of links."""

from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from payments.core import money, typed_amounts


def read(text: str, currency: str) -> Decimal | None:
    """None for other text. Pesos have no cents here."""
    if currency == money.FIAT:
        return typed_amounts.whole_pesos(text)
    return typed_amounts.decimal(text, currency)


class AmountField(forms.CharField):
    """The cleaned value is a Decimal, or None for an empty optional field."""

    currency = money.FIAT

    def __init__(self, *, widget: Any = None, **options: Any) -> None:
        attributes = {"inputmode": "decimal", "autocomplete": "off"}
        super().__init__(
            max_length=40, widget=widget or forms.TextInput(attrs=attributes), **options
        )

    def ask_in(self, currency: str) -> None:
        """Pesos are grouped while a payer types them, where the page has its script."""
        self.currency = currency
        if currency == money.FIAT:
            self.widget.attrs["data-grouped"] = money.signs()[0]

    def clean(self, value: object) -> Any:
        text = super().clean(value)
        if not text:
            return None
        amount = read(text, self.currency)
        if amount is None:
            raise ValidationError(_("Write an amount like 50000."))
        return amount

    def prepare_value(self, value: object) -> object:
        """As it is read again: pesos with the separators of the reader, coins without."""
        if isinstance(value, str) and self.currency == money.FIAT:
            typed = read(value, self.currency)
            return value if typed is None else money.grouped(money.text(typed))
        if not isinstance(value, Decimal):
            return value
        plain = money.text(value)
        return money.grouped(plain) if self.currency == money.FIAT and value % 1 == 0 else plain
