"""What a payer fills in. Shapes are checked here; whether the order can be paid, in services."""

import re
from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from merchants.models import Currency
from payments.collect.models import Order
from payments.core.text import colombian_mobile, colombian_phone, normalised_document
from payments.providers.ports import Bank, DirectMethod, FieldType, Payer, RequiredField

COINS = {
    Currency.USDT: "Tether USDT",
    Currency.USDC: "USD Coin",
    Currency.BTC: "Bitcoin",
    Currency.ETH: "Ether",
}
DOCUMENT_TYPES = {
    "CC": _("Citizenship card (CC)"),
    "CE": _("Foreigner ID card (CE)"),
    "NIT": _("Company tax number (NIT)"),
    "PP": _("Passport (PP)"),
}
PERSON_TYPES = {
    "NATURAL": pgettext_lazy("person type", "Person"),
    "LEGAL": pgettext_lazy("person type", "Company"),
}
# Dots, dashes and spaces are gone by then. The check digit of a NIT is not judged: published
# numbers break its rule (docs/gaps.md, Documents).
_DOCUMENT_SHAPES = {
    "CC": (re.compile(r"[0-9]{6,10}"), _("A citizenship card has 6 to 10 digits.")),
    "CE": (re.compile(r"[A-Z0-9]{1,12}"), _("Use up to 12 letters or digits.")),
    "NIT": (re.compile(r"[0-9]{8,10}"), _("A NIT has 9 digits and its check digit.")),
    "PP": (re.compile(r"[A-Z0-9]{1,12}"), _("Use up to 12 letters or digits.")),
}
# From so many choices on, the payer searches the list.
LONG_LIST = 12
_NOT_LISTED = _("Choose one of the list.")
_no_controls = RegexValidator(
    re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]"),
    _("Use letters, digits and signs only."),
    inverse_match=True,
)


def _consent() -> forms.BooleanField:
    """Law 1581 of 2012: who fills in personal data authorises us to use them."""
    message = _("Without your authorisation we cannot process the payment.")
    return forms.BooleanField(error_messages={"required": message})


def _searchable() -> forms.Select:
    """A long list: with JavaScript a field to search in, without it a plain list."""
    texts = {
        "data-search": _("Type a part of the name"),
        "data-none": _("Nothing on the list has this name."),
        "data-found": _("%s found"),
    }
    return forms.Select(attrs=texts)


class PseForm(forms.Form):
    """Who pays through PSE, and at which bank. The bank is never chosen beforehand."""

    bank = forms.ChoiceField(
        label=_("Your bank"),
        widget=_searchable(),
        error_messages={"required": _("Choose your bank."), "invalid_choice": _NOT_LISTED},
    )
    person_type = forms.ChoiceField(
        label=_("Whose account is it?"),
        choices=PERSON_TYPES,
        widget=forms.RadioSelect,
        error_messages={
            "required": _("Choose a person or a company."),
            "invalid_choice": _NOT_LISTED,
        },
    )
    document_type = forms.ChoiceField(
        label=_("Document type"),
        choices=DOCUMENT_TYPES,
        error_messages={"invalid_choice": _NOT_LISTED},
    )
    document_number = forms.CharField(
        label=_("Document number"),
        max_length=40,
        validators=[_no_controls],
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        error_messages={"required": _("Write your document number.")},
    )
    name = forms.CharField(
        label=_("Full name"),
        max_length=200,
        validators=[_no_controls],
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        error_messages={"required": _("Write your full name.")},
    )
    email = forms.EmailField(
        label=_("E-mail"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={
            "required": _("Write your e-mail."),
            "invalid": _("Write an e-mail like maria@example.com."),
        },
    )
    phone = forms.CharField(
        label=_("Mobile phone"),
        max_length=20,
        widget=forms.TextInput(attrs={"type": "tel", "autocomplete": "tel", "inputmode": "tel"}),
        error_messages={"required": _("Write your mobile phone.")},
    )
    consent = _consent()

    def __init__(self, *args: Any, banks: Iterable[Bank], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", _("Choose your bank")), *((bank.code, bank.name) for bank in banks)]
        self.fields["bank"].choices = choices  # type: ignore[attr-defined]

    def clean_phone(self) -> str:
        """Ten digits, with or without +57 and separators."""
        if (phone := colombian_phone(self.cleaned_data["phone"])) is None:
            raise ValidationError(_("Write the 10 digits of your phone."))
        return phone

    def clean(self) -> dict[str, object]:
        """The number has the shape of its document."""
        super().clean()
        data = self.cleaned_data
        shape = _DOCUMENT_SHAPES.get(data.get("document_type", ""))
        if shape and "document_number" in data:
            pattern, message = shape
            data["document_number"] = normalised_document(data["document_number"])
            if not pattern.fullmatch(data["document_number"]):
                self.add_error("document_number", ValidationError(message))
        return data

    def payer(self) -> Payer:
        names = ("name", "email", "phone", "document_type", "document_number")
        return Payer(**{name: self.cleaned_data[name] for name in names})

    def rail_fields(self) -> dict[str, str]:
        data = self.cleaned_data
        return {"bankCode": data["bank"], "personType": data["person_type"]}


def known_customer(order: Order) -> dict[str, str]:
    """What the merchant sent about the payer, as initial values."""
    return {
        "person_type": "LEGAL" if order.customer_doc_type == "NIT" else "NATURAL",
        "document_type": order.customer_doc_type,
        "document_number": order.customer_doc_number,
        "name": order.customer_name,
        "email": order.customer_email,
    }


class DirectForm(forms.Form):
    def __init__(self, *args: Any, method: DirectMethod, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.keys = [field.key for field in method.required_fields]
        for field in method.required_fields:
            self.fields[field.key] = _direct_field(field)
        if self.keys:
            self.fields["consent"] = _consent()

    def rail_fields(self) -> dict[str, str]:
        """The method's fields by their keys, as `direct_methods.validate_fields` takes them."""
        return {key: self.cleaned_data[key] for key in self.keys if self.cleaned_data[key]}


def _direct_field(field: RequiredField) -> forms.Field:
    required: dict[str, Any] = {"label": field.label, "required": field.required}
    if field.options:
        choices = [("", _("Choose one")), *((one.value, one.label) for one in field.options)]
        messages = {"required": _("Choose one."), "invalid_choice": _NOT_LISTED}
        if len(field.options) >= LONG_LIST:
            required["widget"] = _searchable()
        return forms.ChoiceField(choices=choices, error_messages=messages, **required)
    if field.type is FieldType.PHONE:
        return MobileField(error_messages={"required": _("Write your mobile phone.")}, **required)
    messages = {"required": _("Fill this in.")}
    return forms.CharField(
        max_length=200, validators=[_no_controls], error_messages=messages, **required
    )


class MobileField(forms.CharField):
    """A Colombian mobile, kept as its ten digits."""

    widget = forms.TextInput(attrs={"type": "tel", "autocomplete": "tel", "inputmode": "tel"})

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=20, **kwargs)

    def clean(self, value: object) -> str:
        """Ten digits that start with 3, with or without +57 and separators."""
        text = super().clean(value)
        if text and colombian_mobile(text) is None:
            raise ValidationError(_("Write the 10 digits of your mobile; they start with 3."))
        return colombian_mobile(text) or ""


class CoinForm(forms.Form):
    """The coin to pay with: any for an order in pesos, else the order's own."""

    coin = forms.ChoiceField(
        label=_("Coin"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose a coin."), "invalid_choice": _NOT_LISTED},
    )

    def __init__(self, *args: Any, order: Order, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = (
            {order.currency: COINS[Currency(order.currency)]} if order.currency in COINS else COINS
        )
        self.fields["coin"].choices = list(own.items())  # type: ignore[attr-defined]
        if len(own) == 1:
            self.initial["coin"] = order.currency

    def rail_fields(self) -> dict[str, str]:
        return {"coin": self.cleaned_data["coin"]}
