"""The facts of the payer that a method needs and the order does not have.

They are asked for as fields beside the method's own. A shop may send them in `payer` instead.
"""

from collections.abc import Mapping
from dataclasses import replace

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.core.text import normalised_document
from payments.providers.ports import Fact, FieldOption, FieldType, Payer, PayerNeeds, RequiredField

NAME, EMAIL, PHONE = "payerName", "payerEmail", "payerPhone"
DOC_TYPE, DOC_NUMBER, ADDRESS = "payerDocType", "payerDocNumber", "payerAddress"
KEYS = {
    Fact.NAME: (NAME,),
    Fact.EMAIL: (EMAIL,),
    Fact.PHONE: (PHONE,),
    Fact.DOCUMENT: (DOC_TYPE, DOC_NUMBER),
    Fact.ADDRESS: (ADDRESS,),
}
ALL_KEYS = frozenset(key for keys in KEYS.values() for key in keys)
DOCUMENT_TYPES = {
    "CC": _("Citizenship card (CC)"),
    "CE": _("Foreigner ID card (CE)"),
    "NIT": _("Company tax number (NIT)"),
    "PP": _("Passport (PP)"),
}
# The parts of a Payer that the fields fill.
_PARTS = {
    NAME: "name",
    EMAIL: "email",
    PHONE: "phone",
    DOC_TYPE: "document_type",
    DOC_NUMBER: "document_number",
    ADDRESS: "address",
}


def fields_for(needs: PayerNeeds, payer: Payer) -> tuple[RequiredField, ...]:
    """One or two for each missing fact, in the language of the current thread."""
    labels = {
        NAME: gettext("Full name"),
        EMAIL: gettext("E-mail"),
        PHONE: gettext("Mobile phone"),
        DOC_TYPE: gettext("Document type"),
        DOC_NUMBER: gettext("Document number"),
        ADDRESS: gettext("Address"),
    }
    types = {PHONE: FieldType.PHONE, DOC_TYPE: FieldType.SELECT}
    keys = [key for fact in needs.missing(payer) for key in KEYS[fact]]
    return tuple(
        RequiredField(
            key=key,
            type=types.get(key, FieldType.TEXT),
            label=labels[key],
            options=document_options(needs) if key == DOC_TYPE else (),
        )
        for key in keys
    )


def document_options(needs: PayerNeeds) -> tuple[FieldOption, ...]:
    return tuple(
        FieldOption(value=name, label=str(label))
        for name, label in DOCUMENT_TYPES.items()
        if name in needs.documents
    )


def complete(payer: Payer, values: Mapping[str, str]) -> Payer:
    """The payer with what was filled in. Other values are not the payer's."""
    given = {part: values[key] for key, part in _PARTS.items() if values.get(key)}
    if "document_number" in given:
        given["document_number"] = normalised_document(given["document_number"])
    return replace(payer, **given)


def as_record(payer: Payer) -> dict[str, str]:
    """For Charge.payer. Processes of the release before do not know an address."""
    record = {part: getattr(payer, part) for part in _PARTS.values()}
    return {part: text for part, text in record.items() if text or part != "address"}
