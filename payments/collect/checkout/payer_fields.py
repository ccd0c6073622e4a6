"""Form fields of the payer's facts: how each is asked for and checked."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.collect.models import Order
from payments.collect.services.charges.payer_facts import DOCUMENT_TYPES
from payments.core.text import colombian_mobile, normalised_document

# The pattern after dots, dashes and spaces are removed. The check digit of a NIT is no part of it,
# because published numbers break its rule: nit_question.py asks about it.
_SHAPES = {
    "CC": (re.compile(r"[0-9]{6,10}"), _("A citizenship card has 6 to 10 digits.")),
    "CE": (re.compile(r"[A-Z0-9]{1,12}"), _("Use up to 12 letters or digits.")),
    "NIT": (re.compile(r"[0-9]{8,10}"), _("A NIT has 9 digits and its check digit.")),
    "PP": (re.compile(r"[A-Z0-9]{1,12}"), _("Use up to 12 letters or digits.")),
}
# For pay.js, which says at once that a number is right.
_SHAPES_OF_SCRIPTS = json.dumps({kind: shape.pattern for kind, (shape, _text) in _SHAPES.items()})
# Their numbers have digits only.
NUMERIC = ("CC", "NIT")
NIT_LABEL = _("NIT with check digit")
COMPANY_LABEL = _("Legal name")
NOT_LISTED = {"invalid_choice": _("Choose one from the list.")}
no_controls = RegexValidator(
    re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]"),
    _("Use only letters, digits and punctuation."),
    inverse_match=True,
)


def consent_field(*, of_refund: bool = False) -> forms.BooleanField:
    """Law 1581 of 2012: people who fill in personal data must authorise us to use them."""
    if of_refund:
        message = _("Please tick the box: without your permission we cannot pay the refund.")
    else:
        message = _("Please tick the box to authorise us.")
    return forms.BooleanField(label=_("Authorisation"), error_messages={"required": message})


def has_authorised(order: Order) -> bool:
    """On the form of a link, which takes no personal data and no answer without the same tick."""
    if not order.link_id:
        return False
    customer = (order.customer_name, order.customer_email, order.customer_phone)
    return any((*customer, order.customer_doc_number, order.metadata.strip("{}")))


def searchable_attributes() -> dict[str, Any]:
    """Of a long list. With JavaScript the payer can search in it."""
    return {
        "data-search": _("Type a part of the name"),
        "data-none": _("Nothing on the list has this name."),
        "data-near": _("Nothing on the list has this name. Did you mean:"),
        "data-found": _("%s found"),
        "data-close": _("Close"),
    }


def searchable() -> forms.Select:
    return forms.Select(attrs=searchable_attributes())


class MobileField(forms.CharField):
    """A Colombian mobile: its ten digits, without +57 and separators."""

    widget = forms.TextInput(
        attrs={
            "type": "tel",
            "autocomplete": "tel",
            "inputmode": "tel",
            "placeholder": "310 555 1234",
        }
    )

    default_error_messages = {
        "required": _("It has 10 digits and starts with 3."),
        "invalid": _("It has 10 digits and starts with 3."),
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=20, **kwargs)

    def clean(self, value: object) -> str:
        text = super().clean(value)
        if text and colombian_mobile(text) is None:
            raise ValidationError(self.error_messages["invalid"])
        return colombian_mobile(text) or ""


def name_field(label: Any) -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=200,
        validators=[no_controls],
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        error_messages={"required": _("Enter your full name.")},
    )


def email_field(label: Any) -> forms.EmailField:
    return forms.EmailField(
        label=label,
        max_length=254,
        widget=forms.EmailInput(
            attrs={"autocomplete": "email", "data-meant": _("Did you mean %s?")}
        ),
        error_messages={
            "required": _("Enter your e-mail."),
            "invalid": _("Enter an e-mail such as maria@example.com."),
        },
    )


def phone_field(label: Any) -> MobileField:
    return MobileField(label=label)


def document_type_field(label: Any) -> forms.ChoiceField:
    messages = {"required": _("Choose your type of document."), **NOT_LISTED}
    return forms.ChoiceField(
        label=label,
        choices=DOCUMENT_TYPES,
        widget=forms.Select(attrs={"data-documents": ""}),
        error_messages=messages,
    )


def document_number_field(label: Any) -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=40,
        validators=[no_controls],
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "spellcheck": "false",
                "data-shapes": _SHAPES_OF_SCRIPTS,
                "data-person": label,
                "data-company": NIT_LABEL,
            }
        ),
        error_messages={"required": _("Enter your document number, without dots.")},
    )


def address_field(label: Any) -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=200,
        validators=[no_controls],
        widget=forms.TextInput(attrs={"autocomplete": "street-address"}),
        error_messages={"required": _("Enter your address.")},
    )


def in_sentence(documents: Iterable[str]) -> str:
    """`citizenship card (CC) or company tax number (NIT)`."""
    labels = [str(DOCUMENT_TYPES.get(kind, kind)) for kind in documents]
    return gettext(" or ").join(
        label if label[:2].isupper() else label[:1].lower() + label[1:] for label in labels
    )


def check_document(form: forms.Form, type_name: str, number_name: str) -> None:
    """Keeps letters and digits of the number, and adds an error if its type has another form."""
    data = form.cleaned_data
    shape = _SHAPES.get(data.get(type_name, ""))
    if shape and number_name in data:
        pattern, message = shape
        data[number_name] = normalised_document(data[number_name])
        if not pattern.fullmatch(data[number_name]):
            form.add_error(number_name, ValidationError(message))


def take_documents(form: forms.Form, name: str, documents: Mapping[str, str]) -> None:
    """Offers the types that the method takes. If the known one is not among them, none is chosen:
    its number is of the other document.
    """
    offered = [(kind, label) for kind, label in DOCUMENT_TYPES.items() if kind in documents]
    if form.initial.get(name) not in documents:
        offered.insert(0, ("", _("Choose one")))
    form.fields[name].choices = offered  # type: ignore[attr-defined]
