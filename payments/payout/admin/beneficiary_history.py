"""What was changed about a beneficiary, masked: `account: ···4567 → ···8901`."""

from collections.abc import Mapping
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from payments.console.timeline import TimelineLine, who
from payments.core import masking
from payments.payout.models import AccountType, Bank, Beneficiary, BeneficiaryChange, KeyType

LABELS = {
    "name": _("name"),
    "doc_type": _("document type"),
    "doc_number": _("document"),
    "bank_id": _("bank"),
    "account_type": _("type of account"),
    "account_number": _("account"),
    "key_type": _("type of key"),
    "key_value": _("key"),
}
_KINDS = {"account_type": dict(AccountType.choices), "key_type": dict(KeyType.choices)}
# With a blank between them: `CC ···3456`.
_PAIRS = {"doc_type": "doc_number", "bank_id": "account_type"}
Banks = Mapping[str, str]


def history(row: Beneficiary) -> list[TimelineLine]:
    changes = list(row.changes.order_by("id"))
    banks = dict(Bank.objects.filter(pk__in=_bank_ids(changes)).values_list("pk", "name"))
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


def _bank_ids(changes: list[BeneficiaryChange]) -> set[str]:
    values = (side or {} for one in changes for side in (one.before, one.after))
    return {str(each["bank_id"]) for each in values if each.get("bank_id")}


def _difference(change: BeneficiaryChange, banks: Banks) -> str:
    before, after = change.before or {}, change.after or {}
    if change.kind == BeneficiaryChange.Kind.CREATED:
        return _shown(after, banks)
    names = [name for name in LABELS if name in before or name in after]
    return " · ".join(
        f"{capfirst(str(LABELS[name]))}: {_mask(name, before.get(name), banks)} → "
        f"{_mask(name, after.get(name), banks)}"
        for name in names
    )


def _shown(values: Mapping[str, Any], banks: Banks) -> str:
    parts = []
    for name in LABELS:
        if values.get(name):
            after = " " if _PAIRS.get(name) in values else " · "
            parts.append(_mask(name, values[name], banks) + after)
    return "".join(parts).removesuffix(" · ").strip()


def _mask(name: str, value: object, banks: Banks) -> str:
    text = str(value or "-")
    if name in ("doc_number", "account_number"):
        return masking.tail(text)
    if name == "key_value":
        return masking.contact(text)
    if name == "bank_id":
        return banks.get(text, text)
    return str(_KINDS.get(name, {}).get(text, text))
