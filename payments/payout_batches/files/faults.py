"""The sentences of wrong files, wrong values and warnings. Rows store the code and its figures."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.payout.models import KeyType
from payments.payout_batches.files.headings import COLUMNS

Texts = Mapping[str, str | Promise]
SHOWN_MAX = 40

FILE_FAULTS: Texts = {
    "empty": _("The file has no lines."),
    "too_large": _("The file is too large: at most %(most)s MB are read. Divide it."),
    "too_many_lines": _("The file has more than %(most)s lines. Divide it into several files."),
    "too_many_columns": _("Line %(line)s has more than %(most)s columns."),
    "old_workbook": _(
        "The file is a workbook of an old Excel (XLS), or has a password. Save it as XLSX or CSV "
        "without one."
    ),
    "password": _("The workbook has a password. Save it without one."),
    "broken_workbook": _("The workbook cannot be read. Open it in Excel and save it again."),
    "pdf": _("The file is a PDF. Upload a CSV or an XLSX."),
    "compressed": _("The file is compressed. Extract it first."),
    "web_page": _("The file is a web page. Save it as CSV or XLSX."),
    "encoding": _("The text cannot be read. Save the file as CSV UTF-8."),
    "control_character": _("Line %(line)s has the character %(sign)s, which is no text."),
    "quotes": _("A quotation mark is opened and never closed."),
    "heading_twice": _("Two columns are “%(heading)s”. Leave one."),
    "headings_missing": _("These columns are missing: %(missing)s. The file has: %(found)s."),
    "no_end": _("The check was begun several times and never ended. Upload the file again."),
}
LINE_FAULTS: Texts = {
    "needed": _("A value is missing"),
    "formula": _("is a formula. Copy the cells and paste them as values"),
    "date": _("is a date for Excel. Give the column the format Text and type the value again"),
    "mangled": _(
        "was changed by Excel, and digits are lost. Give the column the format Text and type the "
        "whole number again"
    ),
    "decimals_in_number": _("is a number with decimals. Give the column the format Text"),
    "amount": _("is not an amount. Write 1250000, 1.250.000 or 1.250.000,50"),
    "amount_negative": _("is below zero"),
    "amount_zero": _("is zero"),
    "amount_decimals": _("has more than two decimals"),
    "amount_digits": _("has more than %(most)s digits"),
    "amount_max": _("is above the maximum of %(most)s"),
    "amount_min": _("is below the minimum of %(least)s"),
    "document": _("is not a document number: 3 to 20 letters and digits"),
    "doc_type": _("is not a document type. Write CC, CE, NIT or PP"),
    "bank": _("is not a bank of the list"),
    "bank_like": _("is not a bank of the list. Is it “%(like)s”?"),
    "bank_unreached": _("cannot be paid now: no payment network of ours reaches it"),
    "account_type": _("is not an account type. Write Ahorros or Corriente"),
    "account": _("is not an account number: 6 to 20 digits"),
    "account_mobile": _(
        "is not a mobile number: at this bank the account is ten digits and begins with 3"
    ),
    "key_type": _("is not a key type. Write Celular, Correo, Documento, Alfanumérica or Comercio"),
    "key": _("is not a Bre-B key of the type %(type)s"),
    "key_unknown": _("is a key that Bre-B does not know"),
    "key_closed": _("is a key that takes no money now"),
    "both": _("Both an account and a key are given. Leave one"),
    "neither": _("Neither an account nor a key is given"),
    "network_off": _("This kind of payment is not available now"),
    "sign": _("begins with a sign that spreadsheets take for a formula"),
    "characters": _("has characters that are no text"),
    "too_long": _("has more than %(most)s characters"),
    "reference_twice": _("is also the reference of line %(line)s"),
}
WARNINGS: Texts = {
    "same_as_line": _("Same destination and same amount as line %(line)s."),
    "paid_before": _(
        "Same destination and same amount as a payment of %(day)s, within the last 30 days."
    ),
    "in_other_batch": _("Same destination and same amount as line %(line)s of the file %(name)s."),
    "reference_before": _("The reference was used on %(day)s, within the last 30 days."),
    "zeros": _(
        "The account is a number in the workbook: Excel deletes zeros on the left. Compare it."
    ),
    "small": _("The amount is below 1.000 pesos."),
    "nit": _("The check digit of the NIT does not fit."),
    "holder": _("The key is in another name: %(holder)s."),
}
# A column may be missing: then the sentence stands alone.
_WHOLE = ("both", "neither", "network_off")


def file_fault(code: str, values: Mapping[str, Any]) -> str:
    shown = dict(values)
    for name in ("missing", "found"):
        if name in shown:
            shown[name] = ", ".join(str(COLUMNS.get(one, one)) for one in shown[name]) or "-"
    return _with(FILE_FAULTS, code, shown)


def line_fault(fault: Mapping[str, Any]) -> str:
    """`Amount: “12.5.0” is not an amount.`"""
    if fault["code"] in _WHOLE:
        return value_fault(fault)
    column = str(fault.get("column", ""))
    return f"{COLUMNS.get(column, column)}: {value_fault(fault)}"


def value_fault(fault: Mapping[str, Any]) -> str:
    """Without the column: `“12.5.0” is not an amount.`"""
    value = typed_value(fault)
    return f"“{value}” {_sentence(fault)}" if value else _sentence(fault)


def typed_value(fault: Mapping[str, Any]) -> str:
    """What stands in the file. Empty if nothing does, or if the fault is about two columns."""
    return "" if fault["code"] in _WHOLE else shortened(str(fault.get("value", "")))


def advice(fault: Mapping[str, Any]) -> str:
    """Beside the value: `Is not an amount. Write 1250000.`"""
    sentence = _sentence(fault)
    return sentence[:1].upper() + sentence[1:]


def _sentence(fault: Mapping[str, Any]) -> str:
    sentence = _with(LINE_FAULTS, str(fault["code"]), fault)
    return sentence if sentence.endswith(("?", "…")) else f"{sentence}."


def warning(found: Mapping[str, Any]) -> str:
    return _with(WARNINGS, str(found["code"]), found)


def sentences(faults: Sequence[Mapping[str, Any]]) -> str:
    return " ".join(line_fault(one) for one in faults)


def shortened(value: str) -> str:
    return value if len(value) <= SHOWN_MAX else f"{value[:SHOWN_MAX]}…"


def _with(texts: Texts, code: str, values: Mapping[str, Any]) -> str:
    text = str(texts.get(code) or gettext("is wrong"))
    if "%(type)s" in text:
        values = {**values, "type": KeyType(values["type"]).label}
    return text % values if "%(" in text else text
