"""The payer's form: the amount if it is open, and what the merchant asks."""

import secrets
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.collect.checkout import payer_fields
from payments.collect.checkout.link_answers import answers_of
from payments.collect.checkout.nit_question import FIELD, NitMixin
from payments.collect.models import Order
from payments.links.amounts import AmountField
from payments.links.models import ANSWER_LENGTH, Asked, PaymentLink
from payments.links.services import rules
from payments.links.services.payments import NewPayment
from payments.mail import outbox

KEY_LENGTH = 40
OWN = "own_{}"


class PayForm(NitMixin):
    """`form_key` names one display of the form, so that two clicks make one order.

    `before` is the open order that this browser made with the link: the form shows what it has.
    """

    form_key = forms.CharField(max_length=KEY_LENGTH, required=False, widget=forms.HiddenInput)
    amount = AmountField(
        label=_("Amount to pay"), error_messages={"required": _("Enter the amount.")}
    )
    name = payer_fields.name_field(_("Full name"))
    email = payer_fields.email_field(_("E-mail"))
    document_type = payer_fields.document_type_field(_("Document type"))
    document_number = payer_fields.document_number_field(_("Document number"))
    phone = payer_fields.phone_field(_("Mobile phone"))

    def __init__(
        self, data: QueryDict | None = None, *, link: PaymentLink, before: Order | None = None
    ) -> None:
        given = {} if before is None else _given(link, before)
        super().__init__(data, initial={**given, "form_key": secrets.token_urlsafe(12)})
        self.link = link
        if link.is_open_amount:
            cast(AmountField, self.fields["amount"]).ask_in(link.currency)
        else:
            del self.fields["amount"]
        for names, asked in (
            (("name",), link.ask_name),
            (("email",), link.ask_email),
            (("document_type", "document_number", FIELD), link.ask_document),
            (("phone",), link.ask_phone),
        ):
            self._ask(names, asked)
        self._say_why_email()
        self._ask_own()
        if len(self.fields) > 1 + link.is_open_amount:
            self.fields["consent"] = payer_fields.consent_field()

    @property
    def own(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("own_")]

    def clean(self) -> dict[str, Any]:
        super().clean()
        data = self.cleaned_data
        if self.link.ask_document == Asked.OPTIONAL:
            if data.get("document_number") and not data.get("document_type"):
                self.add_error("document_type", ValidationError(_("Choose the document's type.")))
            if not data.get("document_number"):
                data["document_type"] = ""
        typed = data.get("document_number", "")
        payer_fields.check_document(self, "document_type", "document_number")
        self.ask_about_nit(typed)
        return data

    def clean_amount(self) -> object:
        amount = self.cleaned_data["amount"]
        if amount is not None and (problem := rules.problem_of_amount(self.link, amount)):
            raise ValidationError(problem.shown())
        return amount

    def payment(self) -> NewPayment:
        data = self.cleaned_data
        names = ("amount", "name", "email", "phone", "document_type", "document_number")
        given = {name: data[name] for name in names if name in data}
        answers = tuple(
            (field["label"], data[OWN.format(number)])
            for number, field in enumerate(self.link.own_fields)
            if data[OWN.format(number)]
        )
        key = data["form_key"] or secrets.token_urlsafe(12)
        return NewPayment(form_key=key, answers=answers, **given)

    def _ask(self, names: tuple[str, ...], asked: str) -> None:
        for name in names:
            if asked == Asked.NONE:
                del self.fields[name]
            elif asked == Asked.OPTIONAL:
                self._make_optional(name)

    def _say_why_email(self) -> None:
        if "email" not in self.fields or not outbox.is_configured():
            return
        if self.link.merchant.receipts_by_mail:
            text = _("We send the receipt to it.")
        else:
            text = _("From the receipt you can have it sent there.")
        self.fields["email"].help_text = text

    def _make_optional(self, name: str) -> None:
        field = self.fields[name]
        field.required = False
        field.label = gettext("%(field)s (optional)") % {"field": field.label}
        if isinstance(field, forms.ChoiceField):
            field.choices = [("", _("Choose one")), *cast(Any, field.choices)]

    def _ask_own(self) -> None:
        for number, own in enumerate(self.link.own_fields):
            name = OWN.format(number)
            self.fields[name] = forms.CharField(
                label=own["label"],
                max_length=ANSWER_LENGTH,
                validators=[payer_fields.no_controls],
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
                error_messages={"required": _("Please fill this in.")},
            )
            if not own["required"]:
                self._make_optional(name)


def _given(link: PaymentLink, order: Order) -> dict[str, object]:
    answers = answers_of(order)
    return {
        "amount": order.base_amount,
        "name": order.customer_name,
        "email": order.customer_email,
        "document_type": order.customer_doc_type,
        "document_number": order.customer_doc_number,
        "phone": order.customer_phone,
        **{
            OWN.format(number): answers.get(field["label"], "")
            for number, field in enumerate(link.own_fields)
        },
    }
