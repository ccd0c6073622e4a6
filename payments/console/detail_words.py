"""What the details of the audit log are called: the column of the record, or a word of ours."""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.db.models import DecimalField, Model
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from payments.console.registry import Text
from payments.core import money

_WORDS: dict[str, Text] = {
    "account": _("account"),
    "address": _("address"),
    "alarm_below": _("alarm below"),
    "amount": _("amount"),
    "bank_code": _("code of the bank"),
    "base_url": _("address"),
    "bytes": _("bytes"),
    "changes": _("changes"),
    "currency": _("currency"),
    "day": _("day"),
    "declared_by": _("declared by"),
    "destination": _("destination"),
    "dispute": _("dispute"),
    "email": _("e-mail"),
    "entered_by": _("entered by"),
    "events": _("events"),
    "file": _("file"),
    "filters": _("filters"),
    "first": _("first"),
    "first_day": _("counts from"),
    "fixed": _("fixed part"),
    "form": _("form"),
    "format": _("format"),
    "given": _("given"),
    "given_at": _("given at"),
    "given_by": _("given by"),
    "invitation": _("invitation"),
    "invited_by": _("invited by"),
    "key": _("key"),
    "kind": _("kind"),
    "kinds": _("kinds"),
    "last": _("last"),
    "line": _("line"),
    "lines": _("lines"),
    "list": _("list"),
    "merchant": _("merchant"),
    "method": _("method"),
    "mode": _("mode"),
    "name": _("name"),
    "new": _("new"),
    "number": _("number"),
    "old": _("before"),
    "order": _("order"),
    "outcome": _("outcome"),
    "pay_on": _("pay on"),
    "permissions": _("permissions"),
    "person": _("person"),
    "proof": _("proof"),
    "provider": _("provider"),
    "rail": _("rail"),
    "rate": _("rate"),
    "requested_by": _("requested by"),
    "result": _("result"),
    "role": _("role"),
    "roles": _("roles"),
    "rows": _("rows"),
    "sessions": _("sessions"),
    "sha256": _("fingerprint (SHA-256)"),
    "source": _("source"),
    "taken": _("taken away"),
    "target": _("target"),
    "total": _("total"),
    "transaction": _("transaction"),
    "user": _("person"),
    "version": _("version"),
    "was": _("before"),
    "whole_personal_data": _("whole personal data"),
}
# Details that are the id of a record of this kind.
RECORDS = frozenset({"order", "charge", "refund", "dispute", "payout", "merchant"})
# Stored as decimal text, in the currency of the record.
_AMOUNTS = frozenset(
    {"amount", "total", "fixed", "alarm_below", "min_amount", "max_amount", "fee_flat", "claimed"}
)
OURS = ("payments.", "merchants.", "webhooks.")
# {name of a detail: the sentence for its value}
_sentences: dict[str, Callable[[Any], object]] = {}
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


def add_sentence(name: str, sentence: Callable[[Any], object]) -> None:
    """For a detail whose value is no text or number, such as the tiers of a rule."""
    _sentences[name] = sentence


def sentence_of(name: str, value: Any) -> object | None:
    """None if the detail has none, or if an old row has another value."""
    try:
        return _sentences[name](value)
    except (KeyError, TypeError, ValueError, ArithmeticError):
        return None


def detail_word(name: str, subject_type: str = "") -> str:
    """The name itself if nothing is known of it or of a column of this name."""
    if (known := _WORDS.get(name)) is not None:
        return str(capfirst(str(known)))
    for model in apps.get_models():
        if model._meta.model_name == subject_type and (word := _name_of_column(model, name)):
            return str(capfirst(word))
    # Of a part of the record: legal data of a merchant.
    word = str(getattr(_column_of_ours(name), "verbose_name", ""))
    return str(capfirst(word or name.replace("_", " ")))


@cache
def _column_of_ours(name: str) -> Any:
    """The first column of this name in a table of ours. None without any."""
    for model in apps.get_models():
        if model.__module__.startswith(OURS):
            with suppress(FieldDoesNotExist):
                return model._meta.get_field(name)
    return None


def _name_of_column(model: type[Model], name: str) -> str:
    try:
        found = model._meta.get_field(name)
    except FieldDoesNotExist:
        return ""
    return str(getattr(found, "verbose_name", ""))


def detail_value(name: str, value: str) -> str:
    """The list of an export is stored as the label of its model."""
    if name == "list" and "." in value:
        try:
            return str(capfirst(str(apps.get_model(value)._meta.verbose_name_plural)))
        except LookupError:
            return value
    is_number = name in _AMOUNTS or isinstance(_column_of_ours(name), DecimalField)
    if is_number and _NUMBER.fullmatch(value):
        return money.grouped(value)
    return value
