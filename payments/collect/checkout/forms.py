"""The payer's forms.

They check the form of each value; services check whether the order can be paid.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from merchants.models import Currency
from payments.collect.checkout import bank_names, payer_fields
from payments.collect.checkout.nit_question import NitMixin
from payments.collect.checkout.payer_fields import NOT_LISTED, MobileField, searchable
from payments.collect.checkout.terms_form import TermsMixin
from payments.collect.models import Order
from payments.collect.services.charges import direct_methods, payer_facts
from payments.collect.services.charges.payin_accounts import Serving
from payments.core.text import normalised_document
from payments.providers.ports import (
    Bank,
    Coin,
    DirectMethod,
    Fact,
    FieldType,
    Payer,
    PayerNeeds,
    RequiredField,
    Term,
)

COINS = {
    Currency.USDT: "Tether USDT",
    Currency.USDC: "USD Coin",
    Currency.BTC: "Bitcoin",
    Currency.ETH: "Ether",
}
PERSON_TYPES = {
    "NATURAL": pgettext_lazy("person type", "Person"),
    "LEGAL": pgettext_lazy("person type", "Company"),
}
# A list with at least this many choices gets a search field.
LONG_LIST = 12


class PseForm(TermsMixin, NitMixin):
    """The form for PSE: who pays, and at which bank. No bank is preselected.

    It always shows the payer, who may be another person than the customer of the order.
    """

    bank = forms.ChoiceField(
        label=_("Your bank"),
        widget=bank_names.BankSelect(),
        error_messages={"required": _("Choose your bank from the list."), **NOT_LISTED},
    )
    person_type = forms.ChoiceField(
        label=_("Whose account is it?"),
        choices=PERSON_TYPES,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose a person or a company."), **NOT_LISTED},
    )
    document_type = payer_fields.document_type_field(_("Document type"))
    document_number = payer_fields.document_number_field(_("Document number"))
    name = payer_fields.name_field(_("Full name"))
    email = payer_fields.email_field(_("E-mail"))
    phone = payer_fields.phone_field(_("Mobile phone"))
    address = payer_fields.address_field(_("Address"))
    consent = payer_fields.consent_field()

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        banks: Iterable[Bank],
        serving: Serving,
        order: Order,
        last_bank: str = "",
    ) -> None:
        super().__init__(data, initial=known_customer(order, serving.needs))
        self.known_number = order.customer_doc_number
        self.fields["bank"].choices = bank_names.choices(banks, last_bank)  # type: ignore[attr-defined]
        payer_fields.take_documents(self, "document_type", serving.needs.documents)
        self._say_documents(order, serving.needs)
        if Fact.ADDRESS not in serving.needs.facts:
            del self.fields["address"]
        if self["document_type"].value() in payer_fields.NUMERIC:
            self.fields["document_number"].widget.attrs["inputmode"] = "numeric"
        if self["document_type"].value() == "NIT":
            self.fields["document_number"].label = payer_fields.NIT_LABEL
        self._label_name()
        if payer_fields.has_authorised(order) and not self._is_of_another(order):
            del self.fields["consent"]
        self.accept_terms(serving.terms)

    def clean(self) -> dict[str, object]:
        super().clean()
        typed = self.cleaned_data.get("document_number", "")
        payer_fields.check_document(self, "document_type", "document_number")
        self.ask_about_nit(typed, self.known_number)
        kind = self.cleaned_data.get("document_type", "NIT")
        if self.cleaned_data.get("person_type") == "LEGAL" and kind != "NIT":
            self.add_error("document_type", ValidationError(_("A company pays with its NIT.")))
        return self.cleaned_data

    @property
    def is_payer_known(self) -> bool:
        """Whether nothing of the payer but the phone has to be asked for or mended."""
        names = ("person_type", "document_type", "document_number", "name", "email")
        return all(self[name].value() and not self[name].errors for name in names)

    def _is_of_another(self, order: Order) -> bool:
        """Who pays in another name than the customer's has authorised nothing yet."""
        known = {"name": order.customer_name, "document_number": order.customer_doc_number}
        return self.is_bound and any(
            value and normalised_document(self.data.get(name, "")) != normalised_document(value)
            for name, value in known.items()
        )

    def _say_documents(self, order: Order, needs: PayerNeeds) -> None:
        """Where the customer's document is not one that PSE takes."""
        own = order.customer_doc_type
        if not own or needs.takes(own):
            return
        documents = {"taken": gettext(" or ").join(needs.documents), "own": own}
        self.fields["document_type"].help_text = (
            gettext("PSE takes only %(taken)s here. With %(own)s, pay another way.") % documents
        )

    def _label_name(self) -> None:
        """A company has a legal name. pay.js changes the label with the choice."""
        name = self.fields["name"]
        labels = {"data-person": name.label, "data-company": payer_fields.COMPANY_LABEL}
        name.widget.attrs.update(labels)
        if self["person_type"].value() == "LEGAL":
            name.label = payer_fields.COMPANY_LABEL
            name.error_messages["required"] = _("Enter the legal name.")

    def payer(self, known: Payer) -> Payer:
        """As filled in. It may be another person than the customer."""
        names = ("name", "email", "phone", "document_type", "document_number", "address")
        return Payer(**{name: self.cleaned_data.get(name, "") for name in names})

    def rail_fields(self) -> dict[str, str]:
        data = self.cleaned_data
        return {"bankCode": data["bank"], "personType": data["person_type"]}


def known_customer(order: Order, needs: PayerNeeds) -> dict[str, str]:
    """Initial values of the form: what the merchant sent about the payer. A document that the
    method does not take is left out.
    """
    known = {
        "person_type": "LEGAL" if order.customer_doc_type == "NIT" else "NATURAL",
        "name": order.customer_name,
        "email": order.customer_email,
        "phone": order.customer_phone,
    }
    if needs.takes(order.customer_doc_type):
        known["document_type"] = order.customer_doc_type
        known["document_number"] = order.customer_doc_number
    return known


class AskingMixin(TermsMixin):
    """`ask` adds a field for each fact of the payer that the order does not have."""

    asked: tuple[str, ...] = ()

    def ask(self, fields: Iterable[RequiredField], *, is_authorised: bool = False) -> None:
        for field in fields:
            self.asked = (*self.asked, field.key)
            self.fields[field.key] = form_field(field)
        if self.asked and not is_authorised:
            self.fields["consent"] = payer_fields.consent_field()

    def clean(self) -> dict[str, Any]:
        super().clean()
        payer_fields.check_document(self, payer_facts.DOC_TYPE, payer_facts.DOC_NUMBER)
        return self.cleaned_data

    def payer(self, known: Payer) -> Payer:
        """The customer of the order, with what was asked for."""
        return payer_facts.complete(known, self.cleaned_data) if self.asked else known

    def rail_fields(self) -> dict[str, str]:
        return {}


class TermsForm(AskingMixin):
    """Of a method without fields of its own. `STEP` tells it from the button that leads to it."""

    STEP = "step"

    def __init__(
        self,
        data: QueryDict | None,
        *,
        documents: Sequence[Term],
        asking: Iterable[RequiredField] = (),
        is_authorised: bool = False,
    ) -> None:
        super().__init__(data if data is None or self.STEP in data else None)
        self.ask(asking, is_authorised=is_authorised)
        self.accept_terms(documents)

    @property
    def is_step(self) -> bool:
        """Whether the payer has anything to fill in or to accept."""
        return bool(self.fields)


class DirectForm(AskingMixin):
    """Its method asks for the missing facts beside its own fields (direct_methods.py)."""

    def __init__(
        self, data: QueryDict | None, *, method: DirectMethod, is_authorised: bool = False
    ) -> None:
        super().__init__(data)
        self.ask(method.required_fields, is_authorised=is_authorised)
        self.accept_terms(method.terms)

    def rail_fields(self) -> dict[str, str]:
        values = {key: self.cleaned_data[key] for key in self.asked if self.cleaned_data[key]}
        return direct_methods.rail_fields(values)


_OF_PAYERS = {
    payer_facts.NAME: payer_fields.name_field,
    payer_facts.EMAIL: payer_fields.email_field,
    payer_facts.PHONE: payer_fields.phone_field,
    payer_facts.DOC_NUMBER: payer_fields.document_number_field,
    payer_facts.ADDRESS: payer_fields.address_field,
}


def form_field(field: RequiredField) -> forms.Field:
    if field.key in _OF_PAYERS:
        return _OF_PAYERS[field.key](field.label)
    required: dict[str, Any] = {"label": field.label, "required": field.required}
    if field.options:
        choices: list[Any] = [
            ("", _("Choose one")),
            *((one.value, one.label) for one in field.options),
        ]
        messages: Mapping[str, Any] = {"required": _("Choose one."), **NOT_LISTED}
        if field.type is FieldType.BANK_SELECT:
            required["widget"] = bank_names.BankSelect()
            banks = [Bank(code=one.value, name=one.label) for one in field.options]
            choices = bank_names.choices(banks)
        elif len(field.options) >= LONG_LIST:
            required["widget"] = searchable()
        return forms.ChoiceField(choices=choices, error_messages=messages, **required)
    if field.type is FieldType.PHONE:
        return MobileField(**required)
    messages = {"required": _("Please fill this in.")}
    return forms.CharField(
        max_length=200, validators=[payer_fields.no_controls], error_messages=messages, **required
    )


def find_coin(coins: Sequence[Coin], text: str) -> Coin | None:
    """`text` is a Coin.key, or the coin alone where it has one network."""
    found = [coin for coin in coins if text in (coin.key, coin.code)]
    return found[0] if len(found) == 1 else None


class CoinField(forms.ChoiceField):
    """The value is a Coin.key."""

    coins: Sequence[Coin] = ()

    def offer(self, coins: Sequence[Coin]) -> None:
        self.coins = coins
        self.choices = [(coin.key, _name_of(coin)) for coin in coins]

    def to_python(self, value: Any) -> str:
        text: str = super().to_python(value)
        found = find_coin(self.coins, text)
        return found.key if found else text

    def bound_data(self, data: Any, initial: Any) -> str:
        """What the page shows as chosen."""
        return self.to_python(data)


def _name_of(coin: Coin) -> str:
    return f"{COINS.get(coin.code, coin.code)} · {coin.network_name}"  # type: ignore[call-overload]


class CoinForm(AskingMixin):
    """The coin to pay with, and its network. `STEP` tells it from buttons that name a coin."""

    STEP = "step"

    coin = CoinField(
        label=_("Coin and network"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose a coin and its network."), **NOT_LISTED},
    )

    def __init__(
        self,
        data: QueryDict | None,
        *,
        coins: Sequence[Coin],
        documents: Sequence[Term] = (),
        asking: Iterable[RequiredField] = (),
        is_authorised: bool = False,
    ) -> None:
        super().__init__(data)
        self.ask(asking, is_authorised=is_authorised)
        self.accept_terms(documents)
        self.coins = coins
        cast(CoinField, self.fields["coin"]).offer(coins)
        if len(coins) == 1:
            self.initial["coin"] = coins[0].key
        if data is not None and self.STEP not in data and not self.is_coin_alone:
            self._ask_first(data.get("coin", ""))

    def _ask_first(self, named: str) -> None:
        """The payer chose the coin and was not asked for the other fields yet."""
        self.is_bound = False
        if found := find_coin(self.coins, named):
            self.initial["coin"] = found.key

    @property
    def is_coin_alone(self) -> bool:
        """Whether the payer chooses a coin and fills in nothing else."""
        return len(self.fields) == 1

    def rail_fields(self) -> dict[str, str]:
        return chosen_fields(find_coin(self.coins, self.cleaned_data["coin"]))


def chosen_fields(coin: Coin | None) -> dict[str, str]:
    """Of a charge."""
    return {"coin": coin.code, "network": coin.network} if coin else {}
