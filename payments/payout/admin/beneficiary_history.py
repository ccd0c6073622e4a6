"""What people changed of a beneficiary, for its timeline. Numbers are masked."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from payments.console.timeline import TimelineLine, who
from payments.core import masking
from payments.payout.models import AccountType, Bank, Beneficiary, BeneficiaryChange, KeyType

LABELS = {
    "name": _("name"),
    "doc_type": _("document type"),
    "doc_number": _("document"),
    "bank_id": _("bank"),
    "account_type": _("account type"),
    "account_number": _("account"),
    "key_type": _("type of key"),
    "key_value": _("key"),
}


def lines(row: Beneficiary) -> list[TimelineLine]:
    changes = list(row.changes.order_by("id"))
    banks = _banks(changes)
    return [
        TimelineLine(
            at=one.at,
            what=one.get_kind_display(),
            who=who(one.person),
            detail=_difference(one, banks),
            kind="person",
        )
        for one in changes
    ]


def _banks(changes: Sequence[BeneficiaryChange]) -> dict[str, str]:
    """The names of those that the changes have by their codes."""
    codes = {
        values.get("bank_id") for one in changes for values in (one.before or {}, one.after or {})
    }
    return dict(Bank.objects.filter(pk__in=codes - {None}).values_list("pk", "name"))


def _difference(change: BeneficiaryChange, banks: Mapping[str, str]) -> str:
    """Masked: `account ···4567 → ···8901`."""
    before, after = change.before or {}, change.after or {}
    if change.kind == BeneficiaryChange.Kind.CREATED:
        shown = [_shown(name, after[name], banks) for name in LABELS if name in after]
        return " · ".join(shown)
    names = sorted({*before, *after} & set(LABELS))
    return " · ".join(
        f"{LABELS[name]}: {_shown(name, before.get(name), banks)} → "
        f"{_shown(name, after.get(name), banks)}"
        for name in names
    )


def _shown(name: str, value: Any, banks: Mapping[str, str]) -> str:
    text = str(value or "-")
    if name in ("doc_number", "account_number"):
        return masking.tail(text)
    words = {
        "bank_id": banks,
        "account_type": dict(AccountType.choices),
        "key_type": dict(KeyType.choices),
    }
    if name in words:
        return str(words[name].get(text, text))
    return masking.contact(text) if name == "key_value" else text
