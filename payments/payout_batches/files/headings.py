"""Which column of a file is which, by its heading in Spanish or English, in whatever order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import normalize

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from payments.payout_batches.files.sheets import FileRefused

# The columns in the order of the template, with their headings there.
COLUMNS: dict[str, str | Promise] = {
    "reference": _("Reference"),
    "recipient_name": _("Beneficiary's name"),
    "doc_type": _("Document type"),
    "doc_number": _("Document number"),
    "bank": _("Bank"),
    "account_type": _("Account type"),
    "account_number": _("Account number"),
    "key_type": _("Key type"),
    "key_value": _("Bre-B key"),
    "amount": _("Amount"),
    "description": _("Description"),
}
_SPANISH = {
    "reference": "referencia|ref|codigo|id|id pago|referencia de pago|referencia interna",
    "recipient_name": (
        "nombre del beneficiario|nombre beneficiario|nombre|beneficiario|nombre completo|titular"
        "|nombre del titular|razon social|nombre o razon social|nombres y apellidos"
    ),
    "doc_type": (
        "tipo de documento|tipo documento|tipo doc|tipo de identificacion|tipo identificacion"
        "|tipo id|tipo de documento del beneficiario"
    ),
    "doc_number": (
        "numero de documento|numero documento|no documento|nro documento|documento|cedula|nit"
        "|identificacion|numero de identificacion|numero identificacion|no identificacion"
        "|nit o cedula|cedula o nit|documento del beneficiario"
    ),
    "bank": "banco|entidad|nombre del banco|entidad bancaria|banco destino|codigo del banco",
    "account_type": "tipo de cuenta|tipo cuenta|clase de cuenta",
    "account_number": (
        "numero de cuenta|numero cuenta|no cuenta|nro cuenta|cuenta|cuenta destino"
        "|numero de producto|cuenta bancaria"
    ),
    "key_type": "tipo de llave|tipo llave|tipo de llave breb|tipo de llave bre b",
    "key_value": "llave breb|llave bre b|llave|breb|bre b|valor de la llave|llave destino",
    "amount": "valor|monto|importe|valor a pagar|valor del pago|monto a pagar|valor neto",
    "description": "descripcion|concepto|detalle|motivo|observacion|observaciones",
}
_ENGLISH = {
    "reference": "reference|payment reference",
    "recipient_name": "beneficiarys name|beneficiary name|beneficiary|name|recipient|recipientname",
    "doc_type": "document type|doc type|recipientdoctype|id type",
    "doc_number": "document number|doc number|document|recipientdocnumber|id number",
    "bank": "bank|bank name|bankcanonicalid",
    "account_type": "account type|accounttype",
    "account_number": "account number|account|accountnumber",
    "key_type": "key type|keytype",
    "key_value": "bre b key|breb key|key|keyvalue",
    "amount": "amount|value",
    "description": "description|concept|detail",
}
REQUIRED = ("recipient_name", "doc_type", "doc_number", "amount")
OF_ACCOUNTS = ("bank", "account_type", "account_number")
_NOT_WORDS = re.compile(r"[^a-z0-9 ]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """`places` maps a column to its place in a row. `ignored` are headings that say nothing."""

    places: dict[str, int]
    ignored: tuple[str, ...]


def plain(text: str) -> str:
    """Lower-case letters without accents: `Número de cuenta:` is `numero de cuenta`."""
    ascii_text = normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return " ".join(_NOT_WORDS.sub(" ", ascii_text.replace("'", "")).split())


def _known() -> dict[str, str]:
    return {
        heading: column
        for names in (_SPANISH, _ENGLISH)
        for column, headings in names.items()
        for heading in headings.split("|")
    }


KNOWN = _known()


def recognise(headings: Sequence[str]) -> Columns:
    """Raises FileRefused if a heading is there twice or one that is needed is missing."""
    places: dict[str, int] = {}
    ignored: list[str] = []
    for place, heading in enumerate(headings):
        column = KNOWN.get(plain(heading))
        if column is None:
            ignored += [heading[:60]] if heading else []
        elif column in places:
            raise FileRefused("heading_twice", column=column, heading=heading[:60])
        else:
            places[column] = place
    missing = [column for column in REQUIRED if column not in places]
    if "account_number" not in places and "key_value" not in places:
        missing.append("account_number")
    if missing:
        raise FileRefused("headings_missing", missing=missing, found=list(headings)[:20])
    return Columns(places=places, ignored=tuple(ignored[:20]))
