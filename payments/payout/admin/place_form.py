"""The fields of a beneficiary: who it is, and the bank account, key or QR code."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminRadioSelectWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from payments.api.fields import is_plain_text
from payments.console.formatting import amount
from payments.core import money
from payments.core.text import normalised_document
from payments.outgoing import beneficiary_validation
from payments.payout.admin import bank_choice
from payments.payout.models import AccountType, Bank, KeyType, Network
from payments.payout.services import catalogue, qr_codes
from payments.payout.services.beneficiaries import Details
from payments.payout.services.errors import QRNotValid
from payments.payout.services.qr_codes import QRDestination
from payments.providers.breb_qr.decoding import MOST_CHARACTERS
from payments.providers.breb_qr.refusals import QRRefused

BANK, KEY, QR = "bank", "key", "qr"
HOW = [
    (BANK, _("Bank account")),
    (KEY, _("Bre-B key")),
    (QR, _("Bre-B QR code")),
]
DOCUMENTS = [
    ("CC", _("Cédula de ciudadanía (CC)")),
    ("CE", _("Cédula de extranjería (CE)")),
    ("NIT", _("NIT of a company")),
    ("PP", _("Passport (PP)")),
]
# What a person reads at a field that is empty.
NEEDED = {
    "bank": _("Choose the bank."),
    "account_type": _("Choose the type of the account."),
    "account_number": _("Type the account number."),
    "key_value": _("Type the key."),
    "qr": _("Take a picture of the code, or paste its text."),
    "name": _("Type the name of the beneficiary."),
    "doc_type": _("Choose the type of document."),
    "doc_number": _("Type the document number."),
    "amount": _("Enter the amount."),
}
CHOOSE = ("", _("Choose…"))


def text_field(label: Any, most: int, **more: Any) -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=most,
        required=False,
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
        **more,
    )


def choice_field(label: Any, choices: Any, **more: Any) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label, choices=choices, required=False, widget=UnfoldAdminSelectWidget(), **more
    )


class PlaceForm(forms.Form):
    """After is_valid() `details` is complete, and `code` what the QR code says."""

    how = forms.ChoiceField(label=_("Pay to"), choices=HOW, widget=UnfoldAdminRadioSelectWidget())
    bank = forms.ChoiceField(label=_("Bank"), required=False, widget=bank_choice.BankSelect())
    account_type = choice_field(_("Account type"), [CHOOSE, *AccountType.choices])
    account_number = text_field(
        _("Account number"), 30, help_text=_("At Nequi and DaviPlata: the mobile number.")
    )
    key_value = text_field(_("Key"), 100, help_text=_("A phone, e-mail, document or @alias."))
    key_type = choice_field(
        _("Type of key"),
        [("", _("By what the key looks like")), *KeyType.choices],
        help_text=_("Ten digits that begin with 3 are taken for a mobile number."),
    )
    qr = forms.CharField(
        label=_("Text of the QR code"),
        max_length=MOST_CHARACTERS,
        required=False,
        widget=UnfoldAdminTextareaWidget(
            attrs={"rows": 4, "autocomplete": "off", "spellcheck": "false"}
        ),
        help_text=_("Scan it into this field, or paste what a scanner read: 000201…"),
    )
    name = text_field(_("Name or company"), 200)
    doc_type = choice_field(_("Document type"), [CHOOSE, *DOCUMENTS])
    doc_number = text_field(_("Document number"), 40)
    details: Details
    code: QRDestination | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        banks = Bank.objects.filter(is_enabled=True).order_by("name")
        self.fields["bank"].choices = bank_choice.choices(banks)  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        for name, value in values.items():
            if isinstance(value, str) and name != "qr" and not is_plain_text(value):
                self.add_error(name, gettext("Without control characters, please."))
        if "how" in values and self.is_typed(values["how"]):
            self._clean_details(values)
        return values

    def is_typed(self, how: str) -> bool:
        return how in (BANK, KEY, QR)

    def _clean_details(self, values: dict[str, Any]) -> None:
        place = {BANK: self._bank, KEY: self._key, QR: self._code}[values["how"]](values)
        if self.code is not None and not values.get("name"):
            values["name"] = self.code.code.name
        self._require(values, "name", "doc_type", "doc_number")
        document = values.get("doc_number") or ""
        if document and not normalised_document(document):
            self.add_error("doc_number", gettext("A document has letters or digits."))
        if not self.errors:
            person = {name: values[name] for name in ("name", "doc_type", "doc_number")}
            self.details = Details(**person, **place)

    def _require(self, values: dict[str, Any], *names: str) -> None:
        """A field that has an error already gets no second one."""
        for name in names:
            if not values.get(name) and name not in self.errors:
                self.add_error(name, str(NEEDED[name]))

    def _bank(self, values: dict[str, Any]) -> dict[str, Any]:
        bank = catalogue.find_bank(values.get("bank") or "")
        self._require(values, "bank", "account_type", "account_number")
        text = values.get("account_number") or ""
        number = beneficiary_validation.account_number(text, bank.pk) if bank and text else None
        if bank and text and number is None:
            self.add_error("account_number", _wrong_account(bank))
        return {
            "network": Network.BANK.value,
            "bank": bank,
            "account_type": values.get("account_type") or "",
            "account_number": number or "",
        }

    def _key(self, values: dict[str, Any]) -> dict[str, Any]:
        text = values.get("key_value") or ""
        self._require(values, "key_value")
        kind = values.get("key_type") or beneficiary_validation.guess_key_type(text)
        value = beneficiary_validation.key_value(text, kind) if text else None
        if text and value is None:
            self.add_error("key_value", gettext("This is no key of that type."))
        return {"network": Network.BREB.value, "key_type": kind, "key_value": value or ""}

    def _code(self, values: dict[str, Any]) -> dict[str, Any]:
        text = "".join((values.get("qr") or "").splitlines())
        if not text:
            self.add_error("qr", str(NEEDED["qr"]))
            return {}
        try:
            self.code = qr_codes.read_qr(text=text)
        except QRNotValid as refused:
            self.add_error("qr", _why(refused))
            return {}
        key = {"key_type": self.code.key_type, "key_value": self.code.key_value}
        return {"network": Network.BREB.value, **key}


def _wrong_account(bank: Bank) -> str:
    if beneficiary_validation.is_mobile_bank(bank.pk):
        return gettext("At %s the account is a mobile number: ten digits that begin with 3.") % bank
    return gettext("An account has 6 to 20 digits.")


def _why(refused: QRNotValid) -> str:
    cause = refused.__cause__
    return str(cause) if isinstance(cause, QRRefused) else refused.shown()


def initial_of(details: Details) -> dict[str, object]:
    """For a form that shows an existing beneficiary."""
    how = BANK if details.bank else KEY
    return {
        "how": how,
        "bank": details.bank_id or "",
        "account_type": details.account_type,
        "account_number": details.account_number,
        "key_type": details.key_type,
        "key_value": details.key_value,
        "name": details.name,
        "doc_type": details.doc_type,
        "doc_number": details.doc_number,
    }


def code_facts(code: QRDestination) -> dict[str, object]:
    """What the page shows of a QR code. A code for any amount has none."""
    asked = code.code.amount
    key = f"{KeyType(code.key_type).label} · {code.key_value}"
    facts = [
        (_("Name"), code.code.name),
        (_("Bre-B key"), key),
        (_("City"), code.code.city),
        (_("Amount"), amount(asked, money.FIAT) if asked else gettext("you type it below")),
    ]
    return {"name": code.code.name, "facts": [(label, text) for label, text in facts if text]}
