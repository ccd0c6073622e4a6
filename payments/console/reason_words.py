"""What people call the reasons for which money did not arrive (payments.providers.ports)."""

from collections.abc import Mapping
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console.registry import Text
from payments.core import reasons

WORDS: Mapping[str, Text] = {
    "REFUSED_BY_BANK": _("Refused by the bank"),
    "INSUFFICIENT_FUNDS": _("Insufficient funds"),
    "REFUSED_BY_PROVIDER": _("Refused by the provider"),
    "INVALID_REQUEST": _("Data that the provider did not accept"),
    "AMOUNT_TOO_SMALL": _("Amount too small"),
    "CANCELLED_BY_PAYER": _("Cancelled by the payer"),
    "TIME_LIMIT": _("Time ran out"),
    "ACCOUNT_NOT_FOUND": _("There is no such account"),
    "ACCOUNT_CLOSED": _("The account is closed"),
    "KEY_NOT_FOUND": _("There is no such key"),
    "RECIPIENT_MISMATCH": _("The account is of another person"),
    "LIMIT_EXCEEDED": _("Above the limit of the account"),
    "NUMBER_NOT_FOUND": _("There is no such number"),
    "NOT_OWED": _("Nothing is owed any more"),
    "AMOUNT_NOT_ACCEPTED": _("The amount is not accepted"),
}


def reason_word(code: str) -> str:
    """A text that is no code of ours stays as it is."""
    return str(WORDS.get(code, code))


@display(description=_("failure reason"))
def failure_shown(_page: object, row: Any) -> str:
    """A column of pages whose records keep `failure_reason`."""
    return str(capfirst(reasons.shown("", reason_word(row.failure_reason)))) or "-"
