"""Columns and codes of a file in words: "created at" for `createdAt`, "Completed" for `COMPLETED`.

As the list and the record say it. The texts are in the language of the moment.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console.code_words import code_words
from payments.console.exports.columns import Column, Words
from payments.console.formatting import currency_shown
from payments.console.state_words import word_of

# Fields with a code of a rail or a method.
CODES = ("provider", "method", "direct_method")
# Columns whose value is made of several fields or counted, or whose field is named otherwise.
_NAMES: dict[str, Promise] = {
    "allowedMethods": _("methods offered"),
    "metadata": _("your shop's own data"),
    "orderCurrency": _("currency of the order"),
    "payerName": _("payer"),
    "payerEmail": _("e-mail of the payer"),
    "payerPhone": _("phone of the payer"),
    "payerDocType": _("document type of the payer"),
    "payerDocNumber": _("document number of the payer"),
    "expiresAt": _("expires at"),
    "transaction": _("transaction"),
    "returnedCoin": _("coin given back"),
    "returnedNetwork": _("network of the coin"),
    "accountType": _("account type"),
    "keyType": _("key type"),
    "rate": _("exchange rate"),
    "agreementId": _("code of the agreement"),
    "visits": _("visits"),
    "orders": _("orders"),
    "paid": _("payments"),
    "collected": _("collected"),
    "details": _("details"),
    "order": _("order"),
    "balance": _("balance"),
    "amount": _("amount"),
    "merchant": _("merchant"),
    "memo": _("note"),
    "postingId": _("id"),
}


def in_words(model: type[Model], column: Column) -> str:
    return capfirst(str(_NAMES.get(column.header) or _of_field(model, column) or column.header))


def headings(model: type[Model], columns: Sequence[Column]) -> list[str]:
    """Of a sheet. Two columns of one name have their API's names beside it."""
    names = [in_words(model, column) for column in columns]
    count = Counter(names)
    return [
        name if count[name] == 1 else f"{name} ({column.header})"
        for name, column in zip(names, columns, strict=True)
    ]


def words(model: type[Model], column: Column) -> Words | None:
    """What turns a value of the column into words. None: people read it as it is."""
    if column.words is not None or column.mask is not None:
        return column.words
    owner, field = _owner(model, column.path)
    if owner is None or field is None:
        return None
    if field.name == "currency":
        return lambda value: currency_shown(str(value or ""))
    if field.name in CODES and not field.choices:
        return lambda value: code_words(str(value)) if value else ""
    known = {
        str(code): str(word_of(owner, str(code), label) if field.name == "status" else label)
        for code, label in getattr(field, "flatchoices", ())
    }
    return (lambda value: known.get(str(value), value)) if known else None


def _owner(model: type[Model], path: str) -> tuple[type[Model] | None, Any]:
    """The field that the path ends at, and its model."""
    *relations, last = path.split("__")
    owner: type[Model] | None = model
    for relation in relations:
        field = _field(owner, relation)
        owner = field.related_model if field is not None else None
    return owner, _field(owner, last)


def _of_field(model: type[Model], column: Column) -> str:
    if column.path == "pk":
        return gettext("id")
    *relations, last = column.path.split("__")
    owner: type[Model] | None = model
    name = ""
    for relation in relations:
        field = _field(owner, relation)
        if field is None:
            return ""
        name, owner = _said(field), field.related_model
    field = _field(owner, last)
    if field is None:
        return ""
    if last == "name" and name:
        return name
    said = _said(field)
    return gettext("%s (id)") % said if field.is_relation else said


def _said(field: Any) -> str:
    """A field without a name of its own has Django's: lists translate that, too."""
    return gettext(str(field.verbose_name))


def _field(model: type[Model] | None, name: str) -> Any:
    try:
        return model._meta.get_field(name) if model is not None else None
    except FieldDoesNotExist:
        return None
