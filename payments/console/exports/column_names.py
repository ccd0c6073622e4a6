"""Columns of a file in words: "created at" for `createdAt`, as the list and the record say it."""

from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console.exports.columns import Column

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
